/**
 * Runs a write of many objects. It has no transaction of its own: the verb runs parts of it, each in one ({@link RunPart}), so
 * that no lock is held for the whole. With an `Idempotency-Key`, each part keeps its outcomes in its own transaction, and the
 * request its answer once it is complete: a repeat continues a request that broke off.
 */
import { bulkLimits, type DryRun } from '@portico/contract';
import { inTransaction, retrying } from '@portico/platform/db/retrying';
import { mustStillSee } from './check-replay.ts';
import { runDry } from './dry-run/index.ts';
import { claimKey, digestOf, keepAnswer } from './idempotency.ts';
import type { Write } from './run-write.ts';
import type { RunPart, Scope } from './scope.ts';
import { Slots } from './slots.ts';
import type { Tables } from './tables/registry.ts';

const slots = new Slots(bulkLimits, 'writes of many objects');

/** As `runWrite`. @throws PorticoError TOO_MANY_AT_ONCE */
export async function runBulk(tables: Tables, write: Write): Promise<unknown> {
  const { request, scope, work } = write;
  const release = await slots.take(scope.limits, scope.tenant.id, scope.actor.userId);
  try {
    if (request.dryRun) return await runAllDry(tables, write);
    const { idempotencyKey: key } = request;
    if (key !== undefined) return await runAllOnce(write, key);
    return await work({ ...scope, runPart: partOf(scope) });
  } finally {
    release();
  }
}

const partOf =
  (scope: Scope): RunPart =>
  (_index, _asked, work) =>
    inTransaction(scope.db, (tx) => work({ ...scope, db: tx }));

/** How parts of a write run: as {@link runBulk} has said, or, for callers inside the server, each in a transaction. */
export const runPartOf = (scope: Scope): RunPart => scope.runPart ?? partOf(scope);

async function runAllDry(tables: Tables, { operation, scope, work, prepare }: Write): Promise<unknown> {
  const reports: DryRun[] = [];
  const runPart: RunPart = async (_index, _asked, part) => {
    const { answer, report } = await retrying(() =>
      scope.db.transaction(
        (tx) =>
          runDry(tables, scope, tx, operation, {}, async (within) => {
            await prepare?.(tx);
            return part(within);
          }),
        { rollback: true },
      ),
    );
    reports.push(report);
    return answer as Awaited<ReturnType<typeof part>>;
  };
  const answer = await work({ ...scope, runPart });
  const dryRun: DryRun = {
    changes: reports.flatMap(({ changes = [] }) => changes),
    notifications: reports.flatMap(({ notifications = [] }) => notifications),
  };
  return { ...(answer as object), dryRun };
}

async function runAllOnce({ operation, request, scope, work }: Write, key: string): Promise<unknown> {
  const { params, query, body, lines } = request;
  const { db } = scope;
  const digest = await digestOf(operation, [{ ...params }, { ...query }, body ?? {}]);
  const kept = await retrying(() =>
    db.transaction(async (tx) => {
      const known = await claimKey(tx, scope, { key, digest });
      if (known) await mustStillSee(tx, scope.actor, operation, params, known.response);
      return known?.response ?? undefined;
    }),
  );
  // Lines are compared while they are read: each part answers as it did.
  if (kept !== undefined && !lines) return kept;
  const runPart: RunPart = (index, asked, part) =>
    retrying(() =>
      db.transaction(async (tx) => {
        // No header holds a line feed: clients cannot send the key of a part.
        const partKey = `${key}\n${index}`;
        const partDigest = await digestOf(operation, [digest, asked]);
        const known = await claimKey(tx, scope, { key: partKey, digest: partDigest });
        if (known) return known.response as Awaited<ReturnType<typeof part>>;
        const answer = await part({ ...scope, db: tx });
        await keepAnswer(tx, scope, partKey, null, answer);
        return answer;
      }),
    );
  const answer = (await work({ ...scope, runPart })) as { notRunCount?: number };
  // An incomplete answer is not kept: a repeat runs the rest.
  if (!answer.notRunCount) await db.transaction((tx) => keepAnswer(tx, scope, key, operation.responses[200], answer));
  return answer;
}
