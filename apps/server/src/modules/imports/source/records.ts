/** Rows of an input file of any format: an object of columns per row. */
import { importLimits, unescapeCell } from '@portico/contract';
import { endOfString } from '@portico/platform/text';
import { type CsvRow, readCsv } from '@portico/platform/text/csv';
import { columnNames } from './column-names.ts';
import { ImportError } from './errors.ts';
import { type InputFile, readLines } from './input-lines.ts';
import { parseJson } from './json-numbers.ts';
import type { CsvOptions, InputFormat } from './mapping-types.ts';
import { Undecoded } from './undecoded.ts';

/** A row of the input. */
export interface InputRecord {
  /** Line of the file on which it begins; the first is 1. */
  readonly line: number;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Reason without values. */
  readonly error?: { readonly reason: string; readonly text: string; readonly column?: string | undefined };
  /** Set when the row holds U+FFFD: a program wrote it in place of a text that it could not read. */
  readonly damaged?: boolean;
}

interface RecordOptions {
  /** Rows of other formats are read as JSON lines, into which documents.ts puts them. */
  readonly format: 'csv' | 'ndjson' | 'converted';
  readonly csv: CsvOptions;
  readonly onBytes?: (bytes: number) => void;
  /** Told the columns that the file names, before its first row (CSV). */
  readonly onColumns?: (names: readonly string[]) => void;
  /**
   * Maximum of columns of a CSV file, and of column names in all rows of JSON lines together;
   * default: no limit.
   */
  readonly mostColumns?: number | undefined;
  /** Called before each line of the file; a returned promise is awaited. */
  readonly pause?: () => Promise<void> | undefined;
  /** Gets the lines that the encoding of the file cannot decode. */
  readonly undecoded?: Undecoded;
}

/** Returns the format by the extension of a file name. */
export function formatOf(path: string): InputFormat | undefined {
  const name = path.toLowerCase().replace(/\.gz$/, '');
  if (/\.(ndjson|jsonl)$/.test(name)) return 'ndjson';
  if (/\.json$/.test(name)) return 'json';
  if (/\.xlsx$/.test(name)) return 'xlsx';
  return /\.(csv|tsv|txt)$/.test(name) ? 'csv' : undefined;
}

/** Streams the rows of a file. @throws ImportError when it cannot be read, or has no line of column names */
export function readRecords(file: InputFile, options: RecordOptions): AsyncGenerator<InputRecord> {
  return options.format === 'csv' ? csvRecords(file, options) : jsonRecords(file, options);
}

async function* jsonRecords(file: InputFile, options: RecordOptions): AsyncGenerator<InputRecord> {
  let line = 0;
  const names = new Set<string>();
  const { onBytes, undecoded = new Undecoded(false) } = options;
  for await (const text of readLines(file, { onBytes, undecoded })) {
    line++;
    const waits = options.pause?.();
    if (waits) await waits;
    if (undecoded.take(line)) {
      yield { line, error: { reason: await undecoded.reason(), text } };
      continue;
    }
    if (text.trim() === '') continue;
    if (hasTooManyValues(text)) {
      yield { line, error: { reason: TOO_MANY_VALUES, text } };
      continue;
    }
    const { line: ownLine, ...read } =
      options.format === 'converted' ? readConverted(text) : { line, ...readJson(text) };
    if (options.mostColumns !== undefined) {
      for (const name of Object.keys(read.values ?? {})) names.add(name);
      if (names.size > options.mostColumns) {
        throw new ImportError(
          `${file.name}: the rows up to line ${line} have more than ${options.mostColumns} different columns.`,
        );
      }
    }
    yield { ...read, line: ownLine, ...(text.includes('\ufffd') && { damaged: true }) };
  }
}

const TOO_MANY_VALUES = `it holds more than ${importLimits.rowValues} values`;

/** Returns whether a row holds so many values that reading them would keep others waiting. */
function hasTooManyValues(text: string): boolean {
  // A value takes two characters at least.
  if (text.length < 2 * importLimits.rowValues) return false;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '"') at = endOfString(text, at) - 1;
    else if ((sign === ',' || sign === '[' || sign === '{') && ++values > importLimits.rowValues) return true;
  }
  return false;
}

/** Reads a row that documents.ts wrote: its line, and its values or its error. */
function readConverted(text: string): InputRecord {
  const record = JSON.parse(text) as InputRecord;
  return isTooDeep(text, record.values) ? { line: record.line, error: { reason: TOO_DEEP, text } } : record;
}

/**
 * Maximum nesting of lists and objects in a row. Far deeper nesting overflows the stack of later
 * functions.
 */
const MOST_LEVELS = 64;

const TOO_DEEP = `its values stand deeper in one another than ${MOST_LEVELS} levels`;

/** Returns whether lists and objects are nested too deeply. */
function isTooDeep(text: string, value: unknown): boolean {
  if ((text.match(/[[{]/g)?.length ?? 0) <= MOST_LEVELS) return false;
  let level = [value];
  for (let depth = 0; depth <= MOST_LEVELS && level.length > 0; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    level = level.filter((one) => typeof one === 'object' && one !== null);
  }
  return level.length > 0;
}

function readJson(text: string): Pick<InputRecord, 'values' | 'error'> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return { error: { reason: `the line is not JSON: ${(error as Error).message}`, text } };
  }
  if (isTooDeep(text, value)) {
    return { error: { reason: TOO_DEEP, text } };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { values: value as Record<string, unknown> };
  }
  return { error: { reason: 'the line is not a JSON object', text } };
}

async function* csvRecords(file: InputFile, options: RecordOptions): AsyncGenerator<InputRecord> {
  const { csv } = options;
  const delimiter = csv.delimiter ?? (/\.tsv(\.gz)?$/i.test(file.name) ? '\t' : ',');
  const { onBytes, undecoded = new Undecoded(true) } = options;
  let header = csv.header;
  if (header) options.onColumns?.(header);
  const rows = readCsv(
    readLines(file, { encoding: csv.encoding, onBytes, undecoded }),
    { ...csv, delimiter },
    { mostCells: options.mostColumns, skip: csv.skip ?? 0, pause: options.pause },
  );
  let first = true;
  for await (const row of rows) {
    const mayBeHeader = first;
    first = false;
    const isText = !undecoded.take(row.line, row.lastLine);
    if (!header) {
      if (!isText) throw new ImportError(`${file.name}: the line of column names: ${await undecoded.reason()}.`);
      header = readHeader(file, row.cells, row.error?.reason);
      options.onColumns?.(header);
      continue;
    }
    if (!isText) {
      yield { line: row.line, error: { reason: await undecoded.reason(), ...undecodedPart(row, header) } };
      continue;
    }
    if (!row.cells) {
      yield { line: row.line, error: row.error! };
      continue;
    }
    if (mayBeHeader && namesColumns(row.cells, header)) {
      const reason = 'it holds names of columns, which csv.header gives already; "csv: {skip: 1}" leaves it out';
      yield { line: row.line, error: { reason, text: row.cells.join(delimiter) } };
      continue;
    }
    if (row.cells.length !== header.length) {
      const reason = `the row has ${row.cells.length} cells, the file has ${header.length} columns`;
      yield { line: row.line, error: { reason, text: row.cells.join(delimiter) } };
      continue;
    }
    const values = Object.fromEntries(header.map((name, index) => [name, unescapeCell(row.cells![index]!)]));
    yield { line: row.line, values, damaged: row.cells.some((cell) => cell.includes('\ufffd')) ? true : undefined };
  }
  if (!header) throw new ImportError(`${file.name} is empty.`);
}

/** The first cell that is no text, or the whole row. */
function undecodedPart(
  { cells, error }: CsvRow,
  header: readonly string[],
): { text: string; column?: string | undefined } {
  const at = cells?.findIndex((cell) => cell.includes('\ufffd')) ?? -1;
  const column = cells?.length === header.length ? header[at] : undefined;
  return column === undefined ? { text: error?.text ?? cells!.join(' ') } : { text: cells![at]!, column };
}

/**
 * Returns whether a row repeats the names of columns in their places: a header line in a file for
 * which `csv.header` is given.
 */
function namesColumns(cells: readonly string[], header: readonly string[]): boolean {
  return cells.filter((cell, index) => cell !== '' && cell.trim() === header[index]).length >= 2;
}

function readHeader(file: InputFile, cells: readonly string[] | undefined, reason: string | undefined): string[] {
  if (!cells) throw new ImportError(`${file.name}: the first line does not name columns: ${reason}.`);
  return columnNames(cells);
}
