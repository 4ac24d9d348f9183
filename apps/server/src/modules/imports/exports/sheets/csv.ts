/** Tables as CSV (RFC 4180) in UTF-8, and as lines of JSON. */
import { escapeCell } from '@portico/contract';
import { type Cell, cellText } from './cells.ts';

type Rows = AsyncIterable<readonly (readonly Cell[])[]>;

/** Byte order mark, by which spreadsheet programs recognise UTF-8. */
const MARK = '\uFEFF';

/** @param rows in chunks */
export async function* csvOf(header: readonly string[], rows: Rows): AsyncGenerator<string, void, undefined> {
  yield MARK + csvLine(header.map(escapeCell));
  for await (const some of rows) {
    yield some
      .map((row) => csvLine(row.map((cell) => (typeof cell === 'number' ? String(cell) : escapeCell(cellText(cell))))))
      .join('');
  }
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

/** One object a line, its members named as the columns; cells without a value are left out. */
export async function* ndjsonOf(header: readonly string[], rows: Rows): AsyncGenerator<string, void, undefined> {
  const names = header.map((name) => JSON.stringify(name));
  for await (const some of rows) {
    yield some
      .map((row) => {
        const members = row.flatMap((cell, index) =>
          cell === null ? [] : [`${names[index]}:${JSON.stringify(plain(cell))}`],
        );
        return `{${members.join(',')}}\n`;
      })
      .join('');
  }
}

function plain(cell: Exclude<Cell, null>): unknown {
  if (typeof cell !== 'object' || !('kind' in cell)) return cell;
  return cell.kind === 'day' ? cell.date : cell.zoned;
}
