/** Rows of a sheet of a workbook (Office Open XML). */

import { workbookZone } from '@portico/contract';
import { readEntries } from '@portico/platform/files/texts/zip-entries';
import { resolveZoned, TimeInputError, zoneFor } from '@portico/platform/time';
import { readSheet, SheetNotFoundError } from 'read-excel-file/node';
import { columnNames } from '../source/column-names.ts';
import type { DocumentOptions } from '../source/mapping-types.ts';
import type { InputRecord } from '../source/records.ts';
import { DocumentProblem } from './document-job.ts';

/** Cell of a sheet as the library reads it; dates are local times in the guise of UTC. */
type SheetCell = string | number | boolean | Date | null | undefined | (() => unknown);

/**
 * Reads a sheet. The line of a row is its number in the sheet. Dates become text: `2024-02-29`, or `2024-02-29T13:05:00` with a
 * time, which has no zone. In a workbook that names the zone of its dates, as exports of the portal do, all have time and offset.
 * @throws DocumentProblem
 */
export async function sheetRows(
  content: Buffer,
  { sheet, skip, header }: Pick<DocumentOptions, 'sheet' | 'skip' | 'header'>,
): Promise<{ columns: string[]; rows: Iterable<InputRecord> }> {
  const cells = await readCells(content, sheet);
  const zone = await zoneOf(content);
  let first = skip;
  let columns = header && [...header];
  while (!columns && first < cells.length) {
    const row = cells[first]!.map((cell) => String(textOf(cell, zone) ?? ''));
    first += 1;
    if (row.some((name) => name.trim() !== '')) columns = columnNames(row);
  }
  if (!columns) throw new DocumentProblem('the sheet is empty');
  return { columns, rows: recordsOf(cells, first, columns, zone) };
}

async function readCells(content: Buffer, sheet: string | number): Promise<SheetCell[][]> {
  try {
    return (await readSheet(content, sheet, { trim: false })) as SheetCell[][];
  } catch (error) {
    if (error instanceof SheetNotFoundError) throw new DocumentProblem(`it has no sheet ${JSON.stringify(sheet)}`);
    throw new DocumentProblem(`it is no workbook that can be read (${(error as Error).message})`);
  }
}

function* recordsOf(
  cells: readonly (readonly SheetCell[])[],
  first: number,
  columns: readonly string[],
  zone: string | undefined,
): Generator<InputRecord> {
  for (let index = first; index < cells.length; index++) {
    const row = cells[index]!;
    const values = row.map((cell) => textOf(cell, zone));
    if (values.every((value) => value === null || value === '')) continue;
    const line = index + 1;
    const beyond = values.findLastIndex((value) => value !== null && value !== '') + 1;
    if (beyond > columns.length) {
      const reason = `the row has ${beyond} cells, the file has ${columns.length} columns`;
      yield { line, error: { reason, text: values.join(' ') } };
    } else yield { line, values: Object.fromEntries(columns.map((name, at) => [name, values[at] ?? null])) };
  }
}

function textOf(cell: SheetCell, zone: string | undefined): string | number | boolean | null {
  if (typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean') return cell;
  if (!(cell instanceof Date) || Number.isNaN(cell.getTime())) return null;
  if (zone !== undefined) return zonedText(cell.getTime(), zone);
  // A serial number is a fraction of a day, which programs write with few digits: 13:05:00 may be a little less.
  const isShort = cell.getTime() % 1000 === 999;
  const text = localText(cell.getTime() + (isShort ? 1 : 0));
  return text.endsWith('T00:00:00') ? text.slice(0, 10) : text;
}

/** @param local a local time as if it were UTC, epoch milliseconds */
function localText(local: number): string {
  return new Date(local).toISOString().replace(/(?:\.000)?Z$/, '');
}

const MINUTE_MS = 60_000;

/** A local time with its offset. An offset of seconds, as zones had them once, becomes the next one of minutes. */
function zonedText(local: number, timezone: string): string {
  const instant = resolveZoned({ datetime: localText(local), timezone }).epochMs;
  const minutes = Math.ceil((local - instant) / MINUTE_MS);
  const two = (part: number) => String(part).padStart(2, '0');
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return `${localText(instant + minutes * MINUTE_MS)}${offset}`;
}

/** Maximum of bytes of the part that holds properties of a workbook. */
const MOST_PROPERTIES = 1_000_000;
const ZONE = new RegExp(`name="${workbookZone}"[^>]*>\\s*<vt:lpwstr>([^<]+)</vt:lpwstr>`);

/**
 * Returns the time zone that a workbook names for its dates.
 * @throws DocumentProblem for an unknown zone
 */
async function zoneOf(content: Buffer): Promise<string | undefined> {
  const [properties] = (await readEntries(content, /^docProps\/custom\.xml$/, MOST_PROPERTIES)).values();
  const name = ZONE.exec(properties?.toString('utf8') ?? '')?.[1];
  try {
    return name === undefined ? undefined : zoneFor(name).name;
  } catch (error) {
    if (!(error instanceof TimeInputError)) throw error;
    throw new DocumentProblem(`it names a time zone that is not known, "${name}" (property ${workbookZone})`);
  }
}
