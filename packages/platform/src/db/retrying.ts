/** Transactions that lose a race are run again. */
import { isRetryable } from './pg-errors.ts';
import type { TenantDb, TenantTx } from './tenant-db.ts';

/** Deadlocks and failed serialisations in a row after which the error goes out (409 CONFLICT). */
const MAX_ATTEMPTS = 5;

/** Runs a transaction, again when PostgreSQL ended it for the sake of another one. @param transaction has no other effects */
export async function retrying<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (!isRetryable(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/**
 * Runs `work` in a transaction, again when PostgreSQL ended it for the sake of another one. Inside a transaction that is
 * under way it is a part of that one, which is retried as a whole.
 */
export async function inTransaction<T>(db: TenantDb, work: (tx: TenantTx) => Promise<T>): Promise<T> {
  return db.inTransaction ? db.transaction(work) : retrying(() => db.transaction(work));
}
