/** How PostgreSQL's values cross the wire: times are epoch milliseconds everywhere above the driver. */

/**
 * Reads a `timestamptz` in PostgreSQL's ISO text form, session time zone UTC (`2026-11-21 05:43:22.123+00`).
 * @returns epoch milliseconds.
 */
export function parseTimestamp(text: string): number {
  const bc = text.endsWith(' BC');
  const plain = bc ? text.slice(0, -3) : text;
  const space = plain.indexOf(' ');
  const offsetAt = Math.max(plain.indexOf('+', space), plain.indexOf('-', space));
  const date = plain.slice(0, space);
  const time = plain.slice(space + 1, offsetAt);
  const offset = plain.slice(offsetAt);
  const year = date.slice(0, date.indexOf('-'));
  const isoYear = bc
    ? `-${String(Number(year) - 1).padStart(6, '0')}`
    : year.length > 4
      ? `+${year.padStart(6, '0')}`
      : year;
  return Date.parse(`${isoYear}${date.slice(year.length)}T${time}${offset.length === 3 ? `${offset}:00` : offset}`);
}

/** A time as the driver wants it. @param ms epoch milliseconds */
export function toTimestamp(ms: number): Date;
export function toTimestamp(ms: number | null | undefined): Date | null;
export function toTimestamp(ms: number | null | undefined): Date | null {
  return ms === null || ms === undefined ? null : new Date(ms);
}
