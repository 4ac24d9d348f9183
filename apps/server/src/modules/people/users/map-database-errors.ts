/**
 * Maps errors of PostgreSQL in writes about people to errors of the product, also for callers
 * without HTTP.
 */
import { fromPostgresError } from '../../../kernel/database-errors.ts';

/** Runs a write. @throws ValidationError (DUPLICATE_VALUE, naming the field) in place of a unique violation */
export async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fromPostgresError(error) ?? error;
  }
}
