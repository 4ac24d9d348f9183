/** What types of dates share. */
import type { JsonValue } from '@portico/contract';
import { parseDateInput, TimeInputError } from '../../../../platform/time/index.ts';
import { ValueError } from '../../value-error.ts';

export const DAY_MS = 86_400_000;

function read(value: unknown, type: 'DATE' | 'DATETIME', message: (error: TimeInputError) => string): number {
  try {
    return parseDateInput(value, type);
  } catch (error) {
    if (!(error instanceof TimeInputError)) throw error;
    throw new ValueError('INVALID_DATE', message(error));
  }
}

/** A written date. @returns epoch milliseconds @throws ValueError */
export function parseDate(value: unknown, type: 'DATE' | 'DATETIME'): number {
  return read(value, type, (error) => `${error.message}.`);
}

/** A date as a filter has it. @returns epoch milliseconds @throws ValueError */
export function readFilterDate(value: JsonValue, type: 'DATE' | 'DATETIME'): number {
  return read(value, type, () => 'send epoch milliseconds or ISO 8601 text.');
}
