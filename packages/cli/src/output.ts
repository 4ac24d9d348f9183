/** Prints answers: tables for people, JSON, NDJSON, CSV and YAML for programs. */
import { auditChangeInWords, escapeCell, isAuditChange } from '@portico/contract';
import { layOut, terminalWidth } from './table.ts';

export const outputFormats = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const;
export type OutputFormat = (typeof outputFormats)[number];

type Row = Readonly<Record<string, unknown>>;

/** Whether text on this stream can be coloured: it is a terminal, and colour is not turned off. */
export function colours(stream: { isTTY?: boolean }): boolean {
  return (
    stream.isTTY === true &&
    !process.env['NO_COLOR'] &&
    process.env['TERM'] !== 'dumb' &&
    !process.argv.includes('--no-color')
  );
}

/** Text in bold, on a terminal. */
export function bold(text: string, stream: { isTTY?: boolean } = process.stdout): string {
  return colours(stream) ? `\u001b[1m${text}\u001b[22m` : text;
}

/** Text in red, on a terminal. */
export function red(text: string, stream: { isTTY?: boolean } = process.stderr): string {
  return colours(stream) ? `\u001b[31m${text}\u001b[39m` : text;
}

/** Prints rows as a table with aligned columns; prints the word "none" if there are no rows. */
export function printTable(rows: readonly Row[], columns: readonly string[] = Object.keys(rows[0] ?? {})): void {
  if (rows.length === 0) {
    process.stdout.write('none\n');
    return;
  }
  const cells = [
    [...columns],
    ...rows.map((row) =>
      columns.map((column, index) =>
        short(shownText(column, valueAt(row, column)), index === columns.length - 1 ? LONGEST_LAST_CELL : LONGEST_CELL),
      ),
    ),
  ];
  printCells(cells);
}

/** Prints lines of cells as a table that fits the terminal. The first line is the heading. */
export function printCells(cells: readonly (readonly string[])[]): void {
  const { lines, left } = layOut(cells, terminalWidth());
  for (const [number, line] of lines.entries()) process.stdout.write(`${number === 0 ? bold(line) : line}\n`);
  if (left > 0) process.stderr.write(`${left} more columns have no room here.\n`);
}

/** Maximum characters of a cell. */
const LONGEST_CELL = 60;
/** The last column holds sentences and has no columns after it: the terminal wraps it. */
const LONGEST_LAST_CELL = 400;

function short(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** Returns a moment in the form of tables and CSV: ISO 8601 in UTC, to the second. */
export function shownMoment(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Whether a value is a moment in milliseconds, by the name of its member. */
function isMoment(path: string, value: unknown): value is number {
  return typeof value === 'number' && /[tT]imestamp$|[a-z]At$/.test(path) && Math.abs(value) < 8.64e15;
}

const isChange = (value: unknown) => typeof value === 'object' && value !== null && isAuditChange(value);

/** A value in one line for people, without control sequences for the terminal. */
export function shownText(path: string, value: unknown): string {
  if (isMoment(path, value)) return shownMoment(value);
  // Titles are written by users: escape sequences in them must not reach the terminal.
  return cellText(value).replace(/[^\P{Cc}\n\t]/gu, '');
}

/** Returns the value at a path, for example `creatorUser.lastName`. */
function valueAt(row: unknown, path: string): unknown {
  let value = row;
  for (const name of path.split('.')) {
    if (Array.isArray(value) && !/^\d+$/.test(name)) value = value.map((item) => (item as Row | null)?.[name]);
    else value = typeof value === 'object' && value !== null ? (value as Row)[name] : undefined;
  }
  return value;
}

/** A value in one line, for tables and CSV: people by name, states by name, lists by their elements. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const separator = value.every((item) => isChange(item)) ? '; ' : ', ';
    return value.map(cellText).join(separator);
  }
  if (typeof value !== 'object') return String(value);
  if (isChange(value)) return auditChangeInWords(value);
  const row = value as Row;
  if (typeof row['lastName'] === 'string' || typeof row['firstName'] === 'string') {
    const mark = row['deleted'] === true ? '(deleted)' : undefined;
    return [row['firstName'], row['lastName'], mark].filter(Boolean).join(' ');
  }
  for (const name of ['label', 'name', 'title', 'localDatetime']) if (typeof row[name] === 'string') return row[name];
  return JSON.stringify(value);
}

/** Returns the given fields of a row; the whole row if no fields are given. */
export function projected(row: unknown, fields: readonly string[] | undefined): unknown {
  if (!fields) return row;
  return Object.fromEntries(fields.map((field) => [field, valueAt(row, field)]));
}

interface PrintOptions {
  format: OutputFormat;
  /** Paths of the fields to print. */
  fields?: readonly string[] | undefined;
  /** Columns of a table if no fields are given. */
  columns?: readonly string[] | undefined;
}

/** Prints rows as they arrive if the format allows it (NDJSON, CSV); otherwise all at the end. */
export class RowPrinter {
  readonly #options: PrintOptions;
  readonly #kept: unknown[] = [];
  readonly #missing: MissingFields;
  #csvColumns: readonly string[] | undefined;

  constructor(options: PrintOptions) {
    this.#options = options;
    this.#missing = new MissingFields(options.fields);
  }

  add(row: unknown): void {
    const { format, fields, columns } = this.#options;
    this.#missing.look(row);
    if (format === 'ndjson') process.stdout.write(`${JSON.stringify(projected(row, fields))}\n`);
    else if (format === 'csv') {
      if (!this.#csvColumns) {
        this.#csvColumns = fields ?? columns ?? Object.keys(row as Row);
        process.stdout.write(csvLine(this.#csvColumns));
      }
      process.stdout.write(csvLine(this.#csvColumns.map((column) => csvCell(valueAt(row, column), column))));
    } else this.#kept.push(row);
  }

  async end(): Promise<void> {
    const { format, fields, columns } = this.#options;
    if (format === 'table') printTable(this.#kept as Row[], fields ?? columns ?? undefined);
    else if (format === 'json' || format === 'yaml') {
      await printStructure(
        this.#kept.map((row) => projected(row, fields)),
        format,
      );
    }
    await this.#missing.tell();
  }
}

/**
 * Requested fields that no row had: most likely they are misspelt, which empty cells do not show.
 */
class MissingFields {
  readonly #missing: Set<string>;
  readonly #seen = new Set<string>();

  constructor(fields: readonly string[] | undefined) {
    this.#missing = new Set(fields);
  }

  look(row: unknown): void {
    if (this.#missing.size === 0) return;
    for (const name of Object.keys((row ?? {}) as Row)) this.#seen.add(name);
    for (const path of this.#missing) if (valueAt(row, path) !== undefined) this.#missing.delete(path);
  }

  /** Writes a line for each to stderr; the output remains. */
  async tell(): Promise<void> {
    if (this.#seen.size === 0) return;
    for (const path of this.#missing) {
      const name = path.split('.')[0] as string;
      if (this.#seen.has(name)) continue;
      const { nearest } = await import('@portico/sdk');
      const near = nearest(
        [...this.#seen].map((label) => ({ label })),
        name,
      );
      const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '.';
      process.stderr.write(`Nothing here has a field "${path}"${hint}\n`);
    }
  }
}

/** Prints one object: as lines of name and value, or as data. */
export async function printObject(value: unknown, { format, fields }: PrintOptions): Promise<void> {
  const row = projected(value, fields);
  const missing = new MissingFields(fields);
  missing.look(value);
  if (format === 'table') {
    const entries = Object.entries((row ?? {}) as Row).filter(
      ([, item]) => fields || (item !== null && item !== undefined),
    );
    const width = Math.max(0, ...entries.map(([name]) => name.length));
    for (const [name, item] of entries) process.stdout.write(`${bold(name.padEnd(width))}  ${shownText(name, item)}\n`);
  } else if (format === 'csv') {
    const columns = fields ?? Object.keys((row ?? {}) as Row);
    process.stdout.write(csvLine(columns) + csvLine(columns.map((column) => csvCell(valueAt(value, column), column))));
  } else if (format === 'ndjson') process.stdout.write(`${JSON.stringify(row)}\n`);
  else await printStructure(row, format);
  await missing.tell();
}

/** Prints data as JSON. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

async function printStructure(value: unknown, format: 'json' | 'yaml'): Promise<void> {
  if (format === 'json') printJson(value);
  else process.stdout.write((await import('yaml')).stringify(value));
}

/**
 * Returns a value as a cell of CSV, with moments as in tables; text is protected from being
 * calculated as a formula.
 */
export function csvCell(value: unknown, path = ''): string {
  if (isMoment(path, value)) return shownMoment(value);
  return typeof value === 'number' ? String(value) : escapeCell(cellText(value));
}

/** Returns a line of CSV (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
