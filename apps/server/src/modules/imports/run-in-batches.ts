/** Runs work in batches. A batch that fails because of its input is retried in halves until only the invalid items are rejected. */
import { PorticoError, ValidationError } from '../../kernel/errors.ts';

/** Returns whether an error was caused by the input rather than by the database or the program. */
export function isInputError(error: unknown): boolean {
  if (error instanceof PorticoError) return error.status < 500 && error.code !== 'INVALID_AUTH_TOKEN';
  // PostgreSQL error classes: 22 data exception, 23 integrity constraint violation.
  const code = (error as { code?: unknown }).code;
  return error instanceof Error && typeof code === 'string' && /^2[23][0-9A-Z]{3}$/.test(code);
}

/** Describes an input error in words, without the paths of request bodies. */
export function reasonOf(error: unknown): string {
  if (error instanceof ValidationError) {
    return error.errors.map((one) => one.defaultMessage ?? one.code).join(' ');
  }
  return (error as Error).message;
}

/**
 * Runs `work` for all items, `size` at a time.
 * @param refuse called for each item that is rejected
 */
export async function runInBatches<T>(
  items: readonly T[],
  size: number,
  work: (batch: readonly T[]) => Promise<void>,
  refuse: (item: T, reason: string) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += size) {
    const batch = items.slice(start, start + size);
    try {
      await work(batch);
    } catch (error) {
      if (!isInputError(error)) throw error;
      if (batch.length === 1) refuse(batch[0]!, reasonOf(error));
      else await runInBatches(batch, Math.ceil(batch.length / 2), work, refuse);
    }
  }
}
