/** The connection of a transaction, which sends statements before the results of earlier ones arrive. */
import { isAborted } from './pg-errors.ts';
import type { ScopedConnection, TransactionConnection } from './scoped-pool.ts';

/** Sent statements without a result beyond which the next one waits: they occupy memory on both sides. */
const MOST_OUTSTANDING = 64;

/**
 * Returns the connection of a transaction.
 * @param begun result of BEGIN, which is under way. A SELECT is sent with it; any other statement waits for it, because it
 *   would commit by itself if BEGIN failed
 * @param over returns a connection for statements whose results are waited for, or are not (`sent`)
 */
export function transactionOver(
  begun: Promise<unknown>,
  over: (sent: boolean) => ScopedConnection,
): TransactionConnection {
  const [waited, sent] = [over(false), over(true)];
  const outstanding = new Set<Promise<void>>();
  let failed: { error: unknown } | undefined;
  /** Error that aborted the transaction: statements after it fail for that reason alone. */
  let aborting: unknown;
  const note = (error: unknown): never => {
    if (isAborted(error)) throw aborting ?? error;
    aborting = error;
    throw error;
  };
  let open = false;
  const opened = begun.then(() => {
    open = true;
  }, note);
  // The statement that waits for it reports the failure.
  opened.catch(() => undefined);
  const settle = async () => {
    await opened;
    await Promise.all(outstanding);
    if (!failed) return;
    const { error } = failed;
    failed = undefined;
    throw error;
  };
  return {
    query: async (text, values, options) => {
      if (!open && !text.startsWith('SELECT')) await opened;
      return waited.query<never>(text, values, options).catch(note);
    },
    execute: async (text, values) => {
      if (!open) await opened;
      return waited.execute<never>(text, values).catch(note);
    },
    send: async (text, values, check) => {
      if (!open) await opened;
      const result = sent
        .execute(text, values)
        .catch(note)
        .then(({ count }) => check?.(count))
        .catch((error: unknown) => {
          failed ??= { error };
        })
        .finally(() => outstanding.delete(result));
      outstanding.add(result);
      if (outstanding.size >= MOST_OUTSTANDING) await settle();
    },
    settle,
    abandon: async () => {
      await opened;
      await Promise.all(outstanding);
      failed = undefined;
    },
  };
}
