/**
 * The transaction of every write. Its first statement locks what its decisions depend on. Every write holds the
 * tenant's versions FOR SHARE, so that neither roles nor definitions change under it; a write that changes either holds
 * them FOR UPDATE and raises the version. The acting user's row is held too, so that blocking waits for, or precedes,
 * each of their writes.
 */

import { inTransaction, retrying } from '@portico/platform/db/retrying';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { reloadActor } from './access/actor.ts';
import { PorticoError } from './errors.ts';
import { requireFields } from './missing-fields.ts';
import type { Actor, Context, Scope } from './scope.ts';
import { raiseVersions, versionSql } from './tenant-versions.ts';

/** Versions that a write raises besides changing its own rows. */
export type Invalidates = 'none' | 'access' | 'definitions' | 'both';

/** The scope inside a write: the actor as of the lock, and the transaction, its only handle on the database. */
export interface WriteScope extends Context {
  readonly tx: TenantTx;
  /** The time of this write, the same in every row it makes. Epoch milliseconds. */
  readonly now: number;
  /** Whether the transaction began outside this write. */
  readonly joined: boolean;
  /** Whether its events come from an archive: they notify nobody. */
  readonly silent?: boolean;
}

/** Returns the scope of a write for verbs that join its transaction. */
export function joining(write: WriteScope): Scope {
  return { ...write, db: write.tx };
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
  return inTransaction(scope.db, async (tx) => finish(scope, work(await begin(scope, invalidates, tx))));
}

/** Version that no cache holds: definitions are read in the transaction. */
const UNSHARED_VERSION = -1;

/**
 * Runs writes in full and undoes them, to find what they would do or why they would be refused. Only other changes of
 * rights and definitions wait for a rehearsal, writers of posts do not: it locks the versions FOR SHARE and raises none.
 */
export function rehearseWrites<T>(scope: Scope, work: (write: WriteScope) => Promise<T>): Promise<T> {
  const { db, ...context } = scope;
  return retrying(() =>
    db.transaction(
      (tx) => writeTransaction({ ...context, db: tx, rehearsal: { accessChanged: false } }, 'both', work),
      { rollback: true },
    ),
  );
}

/** Refuses a write whose verb did not report the required fields that the request lacks. */
async function finish<T>(scope: Scope, work: Promise<T>): Promise<T> {
  const result = await work;
  requireFields(scope);
  return result;
}

/** Runs `work`, which only reads, on one snapshot of the database. */
export function readAtOnce<T>(scope: Scope, work: (read: WriteScope) => Promise<T>): Promise<T> {
  const { db, ...context } = scope;
  return db.transaction((tx) => work({ ...context, tx, now: scope.clock.now(), joined: false }), {
    isolation: 'repeatable read',
  });
}

interface Versions {
  accessVersion: number;
  definitionsVersion: number;
  active: boolean;
}

async function begin({ db, ...scope }: Scope, invalidates: Invalidates, tx: TenantTx): Promise<WriteScope> {
  const { rehearsal } = scope;
  const exclusive = invalidates !== 'none' && !rehearsal;
  const [versions] = await tx.query<Versions>(
    `SELECT ${versionSql('access_version')} AS "accessVersion", ${versionSql('definitions_version')} AS "definitionsVersion",
            u.deleted_at IS NULL AND NOT u.blocked AS active
       FROM tenant_versions v JOIN users u ON u.tenant_id = v.tenant_id AND u.id = $2
      WHERE v.tenant_id = $1 ${exclusive ? 'FOR UPDATE OF v FOR SHARE OF u' : 'FOR SHARE'}`,
    [tx.tenantId, scope.actor.userId],
  );
  if (!versions?.active) throw new PorticoError('INVALID_AUTH_TOKEN', authHeaders);
  let actor: Actor = scope.actor;
  if (actor.accessVersion !== versions.accessVersion || rehearsal?.accessChanged) {
    const fresh = await reloadActor(tx, actor);
    if (!fresh) throw new PorticoError('INVALID_AUTH_TOKEN', authHeaders);
    actor = fresh;
  }
  const access = invalidates === 'access' || invalidates === 'both';
  if (rehearsal) rehearsal.accessChanged = access;
  if (exclusive) {
    await raiseVersions(tx, { access, definitions: invalidates !== 'access' });
  }
  return {
    ...scope,
    actor,
    joined: db.inTransaction,
    definitionsVersion: rehearsal ? UNSHARED_VERSION : versions.definitionsVersion,
    tx,
    now: scope.clock.now(),
  };
}

const authHeaders = { headers: { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' } };
