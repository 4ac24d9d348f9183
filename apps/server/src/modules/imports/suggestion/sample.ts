/** Reads the beginning of a file: its format, its columns, and its first rows. */
import { importLimits } from '@portico/contract';
import { readCsv } from '@portico/platform/text/csv';
import { Turns } from '@portico/platform/turns';
import { convertDocument } from '../documents/convert.ts';
import type { FoundRows } from '../documents/document-job.ts';
import { lookUp, lookUpRepeated } from '../mapping/values.ts';
import { repeatedName } from '../source/column-names.ts';
import { ImportError } from '../source/errors.ts';
import { type InputFile, readLines } from '../source/input-lines.ts';
import type { InputFormat } from '../source/mapping-types.ts';
import { type InputRecord, readRecords } from '../source/records.ts';
import { Undecoded } from '../source/undecoded.ts';

/** A value of a cell. */
export type Raw = string | number | boolean;

/** A column of the file with the values of the sampled rows. */
export interface SampledColumn {
  readonly name: string;
  /** Columns with this name. */
  readonly count: number;
  /** Whether a row holds a list in it. */
  readonly isList: boolean;
  /** Values of each row; no values for an empty cell. */
  readonly values: readonly (readonly Raw[])[];
}

/** The beginning of a file. */
export interface Sample {
  readonly format: InputFormat;
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly document: Partial<FoundRows>;
  readonly columns: readonly SampledColumn[];
  readonly moreColumns: boolean;
  readonly records: readonly InputRecord[];
  readonly moreRows: boolean;
}

/** Maximum of characters of the sampled rows together. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** @param isCut whether only the beginning of the file is there @throws ImportError */
export async function readSample(file: InputFile, format: InputFormat, isCut: boolean): Promise<Sample> {
  if (format === 'json' || format === 'xlsx') {
    const options = { path: [], sheet: 1, skip: 0, ...(format === 'json' && { find: true as const }) };
    const { file: lines, columns, found, remove } = await convertDocument(file, format, options);
    try {
      return await readRows(lines, { format, reads: 'converted', document: found, names: columns, isCut: false });
    } finally {
      await remove();
    }
  }
  if (format === 'ndjson') return readRows(file, { format, reads: 'ndjson', document: {}, isCut });
  const dialect = await findDialect(file);
  return readRows(file, { format, reads: 'csv', document: {}, isCut, ...dialect });
}

interface RowOptions extends Pick<Sample, 'format' | 'document' | 'delimiter' | 'encoding'> {
  readonly reads: 'csv' | 'ndjson' | 'converted';
  readonly names?: readonly string[] | undefined;
  readonly isCut: boolean;
}

async function readRows(file: InputFile, { reads, names: given, isCut, ...sample }: RowOptions): Promise<Sample> {
  const turns = new Turns();
  const records: InputRecord[] = [];
  let names = given;
  let characters = 0;
  let isWhole = true;
  try {
    const rows = readRecords(file, {
      format: reads,
      csv: { quote: '"', delimiter: sample.delimiter, encoding: sample.encoding },
      onColumns: (found) => {
        names = found;
      },
      mostColumns: importLimits.columns,
      pause: () => (turns.isOver ? turns.next() : undefined),
    });
    for await (const record of rows) {
      if (records.length === importLimits.sampledRows || characters > MOST_CHARACTERS) {
        isWhole = false;
        break;
      }
      records.push(record);
      characters += lengthOf(record);
    }
    // The last row of a cut file may be a part of one.
    if (isCut && isWhole) records.pop();
  } catch (error) {
    // The beginning of a compressed file cannot be read to its end.
    if (!isCut || !(error instanceof ImportError) || records.length === 0) throw error;
  }
  const all = names ? groupRepeated(names) : namesIn(records, sample.document.shape === 'trello' ? BOARD_LISTS : NONE);
  const columns: SampledColumn[] = [];
  for (const { name, count } of all.slice(0, importLimits.suggestedColumns)) {
    if (turns.isOver) await turns.next();
    columns.push(columnOf(name, count, records));
  }
  return { ...sample, columns, moreColumns: all.length > columns.length, records, moreRows: isCut || !isWhole };
}

const lengthOf = ({ values, error }: InputRecord) =>
  values
    ? Object.values(values).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 100), 0)
    : (error?.text.length ?? 0);

interface NamedColumn {
  readonly name: string;
  readonly count: number;
}

/** Joins repeated columns: `Labels` and `Labels (2)` are two columns called `Labels`. */
function groupRepeated(names: readonly string[]): NamedColumn[] {
  const all = new Set(names);
  const repeats = new Set<string>();
  return names.flatMap((name) => {
    if (repeats.has(name)) return [];
    let count = 1;
    while (all.has(repeatedName(name, count + 1))) repeats.add(repeatedName(name, ++count));
    return [{ name, count }];
  });
}

/** Lists of objects that are read as a whole: comments of the cards of a board. */
const BOARD_LISTS: ReadonlySet<string> = new Set(['commentList']);
const NONE: ReadonlySet<string> = new Set();

/**
 * The columns of JSON: keys, and the keys of objects and of objects in lists below them.
 * @param whole keys that are columns of their own in any case
 */
function namesIn(records: readonly InputRecord[], whole: ReadonlySet<string>): NamedColumn[] {
  const names = new Set<string>();
  for (const { values = {} } of records) {
    for (const [name, value] of Object.entries(values)) {
      if (names.size > importLimits.columns) break;
      const inner = whole.has(name) ? undefined : partsOf(value);
      if (inner === undefined) names.add(name);
      else for (const part of inner) names.add(`${name}.${part}`);
    }
  }
  const all = [...names];
  // A key that holds objects in some rows and nothing in others is no column of its own.
  const parents = new Set(all.flatMap((name) => (name.includes('.') ? [name.slice(0, name.indexOf('.'))] : [])));
  return all.filter((name) => !parents.has(name)).map((name) => ({ name, count: 1 }));
}

/** Names of scalar parts of an object, or of the objects of a list; undefined for other values. */
function partsOf(value: unknown): string[] | undefined {
  const objects = (Array.isArray(value) ? value : [value]).filter(
    (one): one is object => typeof one === 'object' && one !== null && !Array.isArray(one),
  );
  if (objects.length === 0) return undefined;
  const isPlain = (one: unknown) => typeof one !== 'object' || one === null || Array.isArray(one);
  return objects.flatMap((one) => Object.entries(one).flatMap(([name, part]) => (isPlain(part) ? [name] : [])));
}

function columnOf(name: string, count: number, records: readonly InputRecord[]): SampledColumn {
  let isList = false;
  const values = records.map(({ values: row = {} }) => {
    const found = count > 1 ? lookUpRepeated(row, name) : [lookUp(row, name)];
    isList ||= found.some(Array.isArray);
    return found.flat(2).flatMap((given): Raw[] => {
      const value = typeof given === 'object' && given !== null && 'text' in given ? given.text : given;
      if (typeof value === 'number' || typeof value === 'boolean') return [value];
      return typeof value === 'string' && value.trim() !== '' ? [value] : [];
    });
  });
  return { name, count, isList: isList || count > 1, values };
}

/** Marks between cells, the usual first. */
const DELIMITERS = [',', ';', '\t', '|'];
/** Lines from which a delimiter is found, and lines in which the encoding is checked. */
const DIALECT_LINES = 30;
const DECODED_LINES = 2_000;

/** Finds the delimiter and the encoding of a CSV file. */
async function findDialect(file: InputFile): Promise<Pick<Sample, 'delimiter' | 'encoding'>> {
  const undecoded = new Undecoded(true);
  const lines: string[] = [];
  let read = 0;
  let characters = 0;
  const turns = new Turns();
  try {
    for await (const line of readLines(file, { undecoded })) {
      if (lines.length < DIALECT_LINES) lines.push(line);
      characters += line.length;
      if (++read === DECODED_LINES || characters > MOST_CHARACTERS) break;
      if (turns.isOver) await turns.next();
    }
  } catch (error) {
    if (!(error instanceof ImportError) || lines.length === 0) throw error;
  }
  const encoding = await undecoded.likely();
  let best = { delimiter: /\.tsv(\.gz)?$/i.test(file.name) ? '\t' : ',', alike: 0 };
  for (const delimiter of DELIMITERS) {
    const widths = await widthsOf(lines, delimiter);
    const [head = 1, ...others] = widths;
    if (head < 2) continue;
    const alike = (others.filter((width) => width === head).length + 1) * (head - 1);
    if (alike > best.alike) best = { delimiter, alike };
  }
  return { delimiter: best.delimiter, ...(encoding !== undefined && { encoding }) };
}

/** Numbers of cells in the rows that some lines are. */
async function widthsOf(lines: readonly string[], delimiter: string): Promise<number[]> {
  async function* given() {
    yield* lines;
  }
  const widths: number[] = [];
  const turns = new Turns();
  const pause = () => (turns.isOver ? turns.next() : undefined);
  for await (const { cells } of readCsv(given(), { delimiter, quote: '"' }, { mostCells: importLimits.columns, pause }))
    if (cells) widths.push(cells.length);
  return widths;
}
