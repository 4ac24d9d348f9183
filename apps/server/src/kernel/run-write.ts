/**
 * The parameters that every write accepts: `?dryRun=true` (docs/decisions/writes.md) and `Idempotency-Key`.
 * Both run the verb in a
 * transaction of their own, which the verb joins: a dry run is rolled back with everything it did, and a key is kept in
 * the same transaction as the write it belongs to, so that neither can exist without the other.
 */
import type { Operation } from '@portico/contract';
import { retrying } from '../platform/db/retrying.ts';
import type { TenantTx } from '../platform/db/tenant-db.ts';
import { stableHash } from '../platform/tokens/index.ts';
import { mustStillSee } from './check-replay.ts';
import { runDry } from './dry-run/index.ts';
import { PorticoError } from './errors.ts';
import type { Scope } from './scope.ts';
import type { Tables } from './tables/registry.ts';

/** Makes, within the transaction of a dry run, what is made before the transaction of a write (see `beforeDryRun` of http/mount.ts). */
export type Prepare = (tx: TenantTx) => Promise<void>;

/** What a write was asked for. */
export interface WriteRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly dryRun: boolean;
  /** `Idempotency-Key`, where one was sent. */
  readonly idempotencyKey: string | undefined;
}

/**
 * Runs a write operation.
 * @param tables what a dry run reports on  @param prepare for a dry run
 * @returns its answer, or the kept one of the same key and body
 */
export async function runWrite(
  tables: Tables,
  operation: Operation,
  request: WriteRequest,
  scope: Scope,
  work: (scope: Scope) => Promise<unknown>,
  prepare?: Prepare,
): Promise<unknown> {
  const { dryRun, idempotencyKey: key } = request;
  if (!dryRun && key === undefined) return work(scope);
  return retrying(() =>
    scope.db.transaction(
      async (tx) => {
        if (!dryRun) return runOnce(tx, operation, request, { ...scope, joined: tx }, key as string, work);
        const { answer, report } = await runDry(tables, scope, tx, operation, request.params, async (within) => {
          await prepare?.(tx);
          return work(within);
        });
        return { ...(answer as object | undefined), dryRun: report };
      },
      { rollback: dryRun },
    ),
  );
}

async function runOnce(
  tx: TenantTx,
  operation: Operation,
  request: WriteRequest,
  scope: Scope,
  key: string,
  work: (scope: Scope) => Promise<unknown>,
): Promise<unknown> {
  const asked = [operation.id, { ...request.params }, { ...request.query }, request.body ?? {}];
  // The hash takes null as absent, which it is not in a merge patch.
  const digest = stableHash(operation.mergePatch ? [...asked, nullsOf(request.body)] : asked);
  // Hashed with a secret: a body may hold a password, and whoever can read the row could otherwise guess it by trying.
  const hash = scope.settings.links.hash(REQUEST, digest);
  // A second request with the key waits here until the first has ended, then finds its answer.
  const inserted = await tx.execute(
    `INSERT INTO idempotency_keys (tenant_id, user_id, key, request_hash, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    [tx.tenantId, scope.actor.userId, key, hash, new Date(scope.clock.now())],
  );
  if (inserted === 0) {
    const [known] = await tx.query<{ hash: string; response: unknown }>(
      `SELECT request_hash AS hash, response FROM idempotency_keys WHERE tenant_id = $1 AND user_id = $2 AND key = $3`,
      [tx.tenantId, scope.actor.userId, key],
    );
    // An earlier version kept the digest itself.
    const same = scope.settings.links.isHash(REQUEST, digest, known?.hash) || known?.hash === digest;
    if (!known || !same) throw new PorticoError('IDEMPOTENCY_KEY_REUSED');
    await mustStillSee(tx, scope.actor, operation, request.params, known.response);
    return known.response ?? undefined;
  }
  const answer = await work(scope);
  await tx.execute(
    `UPDATE idempotency_keys SET status = 200, response = $4::jsonb WHERE tenant_id = $1 AND user_id = $2 AND key = $3`,
    [tx.tenantId, scope.actor.userId, key, answer === undefined ? null : JSON.stringify(withoutSecrets(answer))],
  );
  return answer;
}

/** Paths of the members that are null, in an order that does not depend on how they were sent. */
function nullsOf(value: unknown, path = ''): string[] {
  if (value === null) return [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value)
    .flatMap(([name, member]) => nullsOf(member, `${path}/${JSON.stringify(name)}`))
    .sort();
}

/** What the hash of a request is keyed for. */
const REQUEST = 'idempotent-request';

/** Members of answers that are shown once: they are not kept for a repeated request. */
const SHOWN_ONCE: readonly string[] = ['generatedPassword', 'keyFile', 'secret', 'uri', 'recoveryCodes'];

function withoutSecrets(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !SHOWN_ONCE.includes(name)));
}
