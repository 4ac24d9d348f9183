/**
 * The parameters that every write accepts: `?dryRun=true` (docs/decisions/writes.md) and `Idempotency-Key`.
 * Both run the verb in a
 * transaction of their own, which the verb joins: a dry run is rolled back with everything it did, and a key is kept in
 * the same transaction as the write it belongs to, so that neither can exist without the other.
 */
import type { Operation } from '@portico/contract';
import { retrying } from '@portico/platform/db/retrying';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { mustStillSee } from './check-replay.ts';
import { runDry } from './dry-run/index.ts';
import { claimKey, digestOf, keepAnswer } from './idempotency.ts';
import { runBulk } from './run-bulk.ts';
import type { Scope } from './scope.ts';
import type { Tables } from './tables/registry.ts';

/**
 * Prepares a dry run within its transaction, as other writes prepare before theirs (see
 * `beforeDryRun` of http/mount.ts).
 */
export type Prepare = (tx: TenantTx) => Promise<void>;

/** Request of a write. */
export interface WriteRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Whether the body comes as lines, which are read while the write runs. */
  readonly lines?: boolean;
  readonly dryRun: boolean;
  /** `Idempotency-Key`, where one was sent. */
  readonly idempotencyKey: string | undefined;
}

/** A write that is to run. */
export interface Write {
  readonly operation: Operation;
  readonly request: WriteRequest;
  readonly scope: Scope;
  readonly work: (scope: Scope) => Promise<unknown>;
  /** For a dry run. */
  readonly prepare: Prepare | undefined;
}

/**
 * Runs a write operation.
 * @param tables tables that a dry run reports
 * @returns its answer, or the kept one of the same key and body
 */
export async function runWrite(tables: Tables, write: Write): Promise<unknown> {
  const { operation, request, scope, work, prepare } = write;
  const { dryRun, idempotencyKey: key } = request;
  if (operation.bulk) return runBulk(tables, write);
  if (!dryRun && key === undefined) return work(scope);
  return retrying(() =>
    scope.db.transaction(
      async (tx) => {
        if (!dryRun) return runOnce(tx, write, key as string);
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

async function runOnce(tx: TenantTx, { operation, request, scope, work }: Write, key: string): Promise<unknown> {
  const { params, query, body } = request;
  const digest = await digestOf(operation, [{ ...params }, { ...query }, body ?? {}]);
  const known = await claimKey(tx, scope, { key, digest });
  if (known) {
    await mustStillSee(tx, scope.actor, operation, params, known.response);
    return known.response ?? undefined;
  }
  const answer = await work({ ...scope, db: tx });
  await keepAnswer(tx, scope, key, operation.responses[200], answer);
  return answer;
}
