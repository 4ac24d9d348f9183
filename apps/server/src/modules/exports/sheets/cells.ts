/** Tables that are written row by row: what cells hold, whatever the format. */

/** A cell: text, a number, a yes or no, a moment in a time zone, a day; null where there is nothing. */
export type Cell = string | number | boolean | Moment | Day | readonly string[] | null;

/** A moment, as clocks of a zone show it. */
interface Moment {
  readonly kind: 'moment';
  /** ISO 8601 without offset: `2026-12-31T18:00:00`; undefined where the clocks show a year beyond 0001 to 9999. */
  readonly local: string | undefined;
  /** RFC 3339: with the offset of the zone, in UTC where that cannot be written so. */
  readonly zoned: string;
  /** Name of the zone. */
  readonly timezone: string;
}

/** A day without a time. */
interface Day {
  readonly kind: 'day';
  /** ISO 8601: `2026-12-31`. */
  readonly date: string;
}

/** How files other than lines of JSON show moments: as clocks show them, or as text with the offset. */
export type MomentForm = 'local' | 'offset';

/** Moments as text with their offset; other cells as they are. */
export function withOffsets(cell: Cell): Cell {
  return typeof cell === 'object' && cell !== null && 'kind' in cell && cell.kind === 'moment' ? cell.zoned : cell;
}

/** Formats of files. */
export type SheetFormat = 'csv' | 'ndjson' | 'xlsx';

/** A cell in words. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (typeof cell !== 'object') return String(cell);
  if ('kind' in cell) return cell.kind === 'day' ? cell.date : (cell.local?.replace('T', ' ') ?? cell.zoned);
  return cell.join(', ');
}
