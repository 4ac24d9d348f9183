/**
 * The transaction of every write. Its first statement locks what its decisions depend on. Every write holds the
 * tenant's versions FOR SHARE, so that neither roles nor definitions change under it; a write that changes either holds
 * them FOR UPDATE and raises the version. The acting user's row is held too, so that blocking waits for, or precedes,
 * each of their writes.
 */

import { retrying } from '../platform/db/retrying.ts';
import type { TenantTx } from '../platform/db/tenant-db.ts';
import { reloadActor } from './access/actor.ts';
import { PorticoError } from './errors.ts';
import type { Actor, Scope } from './scope.ts';
import { raiseVersions, versionSql } from './tenant-versions.ts';

/** Versions that a write raises besides changing its own rows. */
export type Invalidates = 'none' | 'access' | 'definitions' | 'both';

/** The scope inside a write: the actor as of the lock, and the transaction. */
export interface WriteScope extends Scope {
  readonly tx: TenantTx;
  /** The time of this write, the same in every row it makes. Epoch milliseconds. */
  readonly now: number;
}

/**
 * Runs `work` in a transaction that sees the caller's rights and all definitions as they are, and
 * in which neither can change. Retried when PostgreSQL breaks a deadlock.
 * @param invalidates the versions that this write raises; verbs that change memberships or roles
 *   say `access`, verbs that change communities, fields, workflows or catalogs say `definitions`
 */
export async function writeTransaction<T>(
  scope: Scope,
  invalidates: Invalidates,
  work: (write: WriteScope) => Promise<T>,
): Promise<T> {
  if (scope.joined) {
    const tx = scope.joined;
    await tx.query('SAVEPOINT verb');
    try {
      const result = await work(await begin(scope, invalidates, tx));
      await tx.query('RELEASE SAVEPOINT verb');
      return result;
    } catch (error) {
      await tx.query('ROLLBACK TO SAVEPOINT verb');
      // It would stay, and the write around this one would go back to it instead of to its own.
      await tx.query('RELEASE SAVEPOINT verb');
      throw error;
    }
  }
  return retrying(() => scope.db.transaction(async (tx) => work(await begin(scope, invalidates, tx))));
}

interface Versions {
  accessVersion: number;
  definitionsVersion: number;
  active: boolean;
}

async function begin(scope: Scope, invalidates: Invalidates, tx: TenantTx): Promise<WriteScope> {
  const [versions] = await tx.query<Versions>(
    `SELECT ${versionSql('access_version')} AS "accessVersion", ${versionSql('definitions_version')} AS "definitionsVersion",
            u.deleted_at IS NULL AND NOT u.blocked AS active
       FROM tenant_versions v JOIN users u ON u.tenant_id = v.tenant_id AND u.id = $2
      WHERE v.tenant_id = $1 ${invalidates === 'none' ? 'FOR SHARE' : 'FOR UPDATE OF v FOR SHARE OF u'}`,
    [tx.tenantId, scope.actor.userId],
  );
  if (!versions?.active) throw new PorticoError('INVALID_AUTH_TOKEN', authHeaders);
  let actor: Actor = scope.actor;
  if (actor.accessVersion !== versions.accessVersion) {
    const fresh = await reloadActor(tx, actor);
    if (!fresh) throw new PorticoError('INVALID_AUTH_TOKEN', authHeaders);
    actor = fresh;
  }
  if (invalidates !== 'none') {
    await raiseVersions(tx, { access: invalidates !== 'definitions', definitions: invalidates !== 'access' });
  }
  return { ...scope, actor, definitionsVersion: versions.definitionsVersion, tx, now: scope.clock.now() };
}

const authHeaders = { headers: { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' } };
