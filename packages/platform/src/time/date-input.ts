import { TimeInputError } from './errors.ts';
import { checkInstant, ISO, missingDay, offsetMs, quoted, utcMs } from './zoned.ts';

const DAY_MS = 86_400_000;

const allowed = {
  DATE: 'epoch milliseconds or an ISO date such as 2026-12-31, in the years 0001 to 9999',
  DATETIME:
    'epoch milliseconds or an ISO date-time such as 2026-12-31T18:00:00+01:00 (UTC without offset), in the years 0001 to 9999',
} as const;

/**
 * Epoch milliseconds of a DATE or DATETIME value of custom data as clients write it (docs/decisions/values.md): a
 * whole number of
 * milliseconds, or ISO text.
 *
 * - DATE is midnight UTC of the day: of the day a number falls on in UTC, and of the day that is written in a text, regardless of
 *   its time and offset.
 * - DATETIME without an offset is UTC, since a field has no zone; a date alone is its midnight.
 *
 * Throws {@link TimeInputError}: `INVALID_DATE`, `INVALID_DATETIME` or `OUT_OF_RANGE`.
 */
export function parseDateInput(value: unknown, type: 'DATE' | 'DATETIME'): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    const epochMs = checkInstant(value, String(value));
    return type === 'DATE' ? Math.floor(epochMs / DAY_MS) * DAY_MS : epochMs;
  }
  const groups = typeof value === 'string' ? ISO.exec(value.trim())?.groups : undefined;
  // A zone in brackets would say something that an instant cannot keep.
  const utc = groups && groups.zone === undefined ? utcMs(type === 'DATE' ? { date: groups.date } : groups) : null;
  if (!groups || utc === null) {
    const shown = typeof value === 'string' ? quoted(value) : `a value of type ${typeof value}`;
    const code = type === 'DATE' ? 'INVALID_DATE' : 'INVALID_DATETIME';
    throw new TimeInputError(code, missingDay(groups) ?? `${shown} is not a ${type}`, allowed[type]);
  }
  if (type === 'DATE' || groups.offset === undefined) return checkInstant(utc, value as string);
  return checkInstant(utc - offsetMs(groups.offset), value as string);
}
