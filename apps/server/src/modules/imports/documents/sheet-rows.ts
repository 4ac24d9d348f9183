/** Rows of a sheet of a workbook (Office Open XML). */
import { readSheet, SheetNotFoundError } from 'read-excel-file/node';
import { columnNames } from '../column-names.ts';
import type { DocumentOptions } from '../mapping-types.ts';
import type { InputRecord } from '../records.ts';
import { DocumentProblem } from './document-job.ts';

/** The cells of a sheet as the library reads them; dates are local times that it takes for UTC. */
type SheetCell = string | number | boolean | Date | null | undefined | (() => unknown);

/**
 * Reads a sheet. The line of a row is its number in the sheet. Dates become text: `2024-02-29`, or `2024-02-29T13:05:00` with a
 * time, which has no zone.
 * @throws DocumentProblem
 */
export async function sheetRows(
  content: Buffer,
  { sheet, skip, header }: Pick<DocumentOptions, 'sheet' | 'skip' | 'header'>,
): Promise<{ columns: string[]; rows: Iterable<InputRecord> }> {
  const cells = await readCells(content, sheet);
  let first = skip;
  let columns = header && [...header];
  while (!columns && first < cells.length) {
    const row = cells[first]!.map((cell) => String(textOf(cell) ?? ''));
    first += 1;
    if (row.some((name) => name.trim() !== '')) columns = columnNames(row);
  }
  if (!columns) throw new DocumentProblem('the sheet is empty');
  return { columns, rows: recordsOf(cells, first, columns) };
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
): Generator<InputRecord> {
  for (let index = first; index < cells.length; index++) {
    const row = cells[index]!;
    const values = row.map(textOf);
    if (values.every((value) => value === null || value === '')) continue;
    const line = index + 1;
    const beyond = values.findLastIndex((value) => value !== null && value !== '') + 1;
    if (beyond > columns.length) {
      const reason = `the row has ${beyond} cells, the file has ${columns.length} columns`;
      yield { line, error: { reason, text: values.join(' ') } };
    } else yield { line, values: Object.fromEntries(columns.map((name, at) => [name, values[at] ?? null])) };
  }
}

function textOf(cell: SheetCell): string | number | boolean | null {
  if (typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean') return cell;
  if (!(cell instanceof Date) || Number.isNaN(cell.getTime())) return null;
  // Serial numbers of days are fractions: a second is the least that they keep.
  const text = new Date(Math.round(cell.getTime() / 1000) * 1000).toISOString().slice(0, 19);
  return text.endsWith('T00:00:00') ? text.slice(0, 10) : text;
}
