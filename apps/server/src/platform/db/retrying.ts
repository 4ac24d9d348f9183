/** Transactions that lose a race are run again. */
import { isRetryable } from './pg-errors.ts';

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
