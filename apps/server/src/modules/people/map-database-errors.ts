/** What PostgreSQL refuses of a write about people, told as the product tells it, also to callers without HTTP. */
import { fromPostgresError } from '../../kernel/database-errors.ts';

/** Runs a write. @throws ValidationError (DUPLICATE_VALUE, naming the field) in place of a unique violation */
export async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fromPostgresError(error) ?? error;
  }
}
