/** Common parts of the types of dates. */
import { parseDateInput, TimeInputError } from '@portico/platform/time';
import { ValueError } from './value-error.ts';

export const DAY_MS = 86_400_000;

/** Reads a date from a value or a filter. @returns epoch milliseconds @throws ValueError */
export function parseDate(value: unknown, type: 'DATE' | 'DATETIME'): number {
  try {
    return parseDateInput(value, type);
  } catch (error) {
    if (!(error instanceof TimeInputError)) throw error;
    throw new ValueError('INVALID_DATE', `${error.message}.`);
  }
}
