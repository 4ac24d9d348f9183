/** How PostgreSQL's values cross the wire: times are epoch milliseconds everywhere above the driver. */

/** Lists of at least so many numbers are written as text here: the driver escapes every element, which takes ten times as long. */
const LONG_LIST = 50;

/** The parameters of a statement, long lists of numbers as array literals, which the driver sends as they are. */
export function toParameters(values: readonly unknown[]): unknown[] {
  return values.map((value) =>
    Array.isArray(value) && value.length >= LONG_LIST && value.every(Number.isFinite) ? `{${value.join(',')}}` : value,
  );
}

function isoYear(year: string, bc: boolean): string {
  // The year 1 BC is the year 0 of ISO 8601, which has no sign.
  if (bc) return `${Number(year) > 1 ? '-00' : ''}${String(Number(year) - 1).padStart(4, '0')}`;
  return year.length > 4 ? `+${year.padStart(6, '0')}` : year;
}

/**
 * Reads a `timestamptz` in PostgreSQL's ISO text form, session time zone UTC (`2026-11-21 05:43:22.123+00`).
 * @returns epoch milliseconds.
 */
export function parseTimestamp(text: string): number {
  // Nearly all are of this form, and a page of posts has a hundred: digits are read in place.
  if (text.charCodeAt(4) === DASH && text.length >= 22 && text.endsWith('+00')) return atFixedPlaces(text);
  const bc = text.endsWith(' BC');
  const plain = bc ? text.slice(0, -3) : text;
  const space = plain.indexOf(' ');
  const offsetAt = Math.max(plain.indexOf('+', space), plain.indexOf('-', space));
  const date = plain.slice(0, space);
  const time = plain.slice(space + 1, offsetAt);
  const offset = plain.slice(offsetAt);
  const year = date.slice(0, date.indexOf('-'));
  return Date.parse(
    `${isoYear(year, bc)}${date.slice(year.length)}T${time}${offset.length === 3 ? `${offset}:00` : offset}`,
  );
}

const DASH = 45;
const ZERO = 48;

/**
 * `YYYY-MM-DD HH:MM:SS`, up to six digits of a fraction, `+00`; digits below a millisecond are cut
 * off.
 */
function atFixedPlaces(text: string): number {
  const two = (at: number) => (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
  const digit = (at: number) => (at < text.length - 3 ? text.charCodeAt(at) - ZERO : 0);
  const year = two(0) * 100 + two(2);
  const ms = digit(20) * 100 + digit(21) * 10 + digit(22);
  const time = Date.UTC(2000, two(5) - 1, two(8), two(11), two(14), two(17), ms);
  if (year === 2000) return time;
  // Date.UTC takes the years 0 to 99 as 1900 to 1999.
  return new Date(0).setUTCFullYear(year, two(5) - 1, two(8)) + (time - Date.UTC(2000, two(5) - 1, two(8)));
}
