/** Cells of tables that are written row by row, independent of the format. */

/** A cell: text, a number, a boolean, a moment in a time zone, a day; null when empty. */
export type Cell = string | number | boolean | Moment | Day | readonly string[] | null;

/** A moment with its local time in a zone. */
interface Moment {
  readonly kind: 'moment';
  /**
   * Local time in ISO 8601 without offset: `2026-12-31T18:00:00`; undefined if the local year is
   * outside 0001 to 9999.
   */
  readonly local: string | undefined;
  /** RFC 3339 with the offset of the zone, or in UTC if that offset cannot be written. */
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

/** Format of moments in files other than lines of JSON: local time, or text with the offset. */
export type MomentForm = 'local' | 'offset';

/** Returns a moment as text with its offset; other cells unchanged. */
export function withOffsets(cell: Cell): Cell {
  return typeof cell === 'object' && cell !== null && 'kind' in cell && cell.kind === 'moment' ? cell.zoned : cell;
}

/** Formats of files. */
export type SheetFormat = 'csv' | 'ndjson' | 'xlsx';

/** Returns a cell as text. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (typeof cell !== 'object') return String(cell);
  if ('kind' in cell) return cell.kind === 'day' ? cell.date : (cell.local?.replace('T', ' ') ?? cell.zoned);
  return cell.join(', ');
}
