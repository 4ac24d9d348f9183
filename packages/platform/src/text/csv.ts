/**
 * CSV (RFC 4180) and common variants: other delimiters, quotes inside cells, line breaks inside
 * quoted cells. A row with unbalanced quotes loses only itself: reading continues with the line
 * after its first one. Parsers such as csv-parse read on to the next quote: they lose valid rows, in
 * the worst case all that follow.
 */
interface CsvDialect {
  readonly delimiter: string;
  readonly quote: string;
  /** Spaces around cells, outside their quotes, are no part of them. */
  readonly trim?: boolean;
}

export interface CsvRow {
  /** Line of the file on which the row begins; the first is 1. */
  readonly line: number;
  /** Line of the file on which it ends. */
  readonly lastLine: number;
  readonly cells?: string[];
  /** Reason without cells, and the text of the line. */
  readonly error?: { readonly reason: string; readonly text: string };
}

/**
 * Maximum lines and characters of a row that spans several lines; a quote open for longer counts as
 * a stray quote.
 */
const MAX_ROW_LINES = 5_000;
const MAX_ROW_LENGTH = 4 * 1024 * 1024;
/** Quotes within a cell after which the reader pauses: a row may hold two million. */
const QUOTES_AT_ONCE = 10_000;

/** State of a row after a line: all cells, a cell that continues in the next line, or an error. */
type Parsed = { cells: string[] } | { open: true } | { reason: string };

interface CsvOptions {
  /** Maximum of cells per row; default: no limit. */
  readonly mostCells?: number | undefined;
  /** Lines to skip at the beginning. */
  readonly skip?: number;
  /** Called before each line, including lines that are read again, and within long lines. */
  readonly pause?: (() => Promise<void> | undefined) | undefined;
}

/** Reads the rows of a CSV file; skips blank lines. */
export async function* readCsv(
  lines: AsyncIterable<string>,
  dialect: CsvDialect,
  { mostCells = Number.POSITIVE_INFINITY, skip = 0, pause }: CsvOptions = {},
): AsyncGenerator<CsvRow> {
  const source = lines[Symbol.asyncIterator]();
  /** Lines that were read ahead for a row that turned out to be invalid, the next one last. */
  const ahead: string[] = [];
  let line = 0;
  /**
   * Up to this line, quotes inside cells are errors: the line may be in the middle of a cell with
   * unbalanced quotes.
   */
  let strictUntil = 0;
  const next = async (): Promise<string | undefined> => {
    const waits = pause?.();
    if (waits) await waits;
    if (ahead.length > 0) return ahead.pop();
    const { value, done } = await source.next();
    return done ? undefined : value;
  };
  const parse = async (row: RowParser, text: string): Promise<Parsed> => {
    const work = row.add(text);
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      await pause?.();
    }
  };
  try {
    for (;;) {
      const first = await next();
      if (first === undefined) return;
      line++;
      if (line <= skip || first.trim() === '') continue;
      const taken = [first];
      const row = new RowParser(dialect, mostCells, line <= strictUntil);
      let parsed = await parse(row, first);
      let length = first.length;
      while ('open' in parsed) {
        const more = taken.length < MAX_ROW_LINES && length < MAX_ROW_LENGTH ? await next() : undefined;
        if (more === undefined) {
          parsed = { reason: `a cell begins with ${dialect.quote} and no ${dialect.quote} ends it` };
          break;
        }
        taken.push(more);
        length += more.length + 1;
        parsed = await parse(row, more);
      }
      if ('cells' in parsed) {
        yield { line, lastLine: line + taken.length - 1, cells: parsed.cells };
        line += taken.length - 1;
        continue;
      }
      yield { line, lastLine: line, error: { reason: parsed.reason, text: first } };
      // After an invalid row that may be the middle of a cell, the next may be so too.
      strictUntil = Math.max(strictUntil, line + (line <= strictUntil ? 1 : taken.length - 1));
      for (let index = taken.length - 1; index > 0; index--) ahead.push(taken[index]!);
    }
  } finally {
    await source.return?.();
  }
}

/**
 * Parses a row line by line and keeps its state, so that each character is read once. Yields after
 * parts of long lines.
 */
class RowParser {
  readonly #dialect: CsvDialect;
  readonly #mostCells: number;
  readonly #strict: boolean;
  readonly #cells: string[] = [];
  /** Pieces of the quoted cell that is open. */
  #open: string[] | undefined;

  constructor(dialect: CsvDialect, mostCells: number, strict: boolean) {
    this.#dialect = dialect;
    this.#mostCells = mostCells;
    this.#strict = strict;
  }

  *add(line: string): Generator<void, Parsed> {
    const { delimiter, quote } = this.#dialect;
    let at = 0;
    this.#open?.push('\n');
    for (;;) {
      if (this.#open === undefined) at = this.#skipSpace(line, at);
      const quoted = this.#open !== undefined || line.startsWith(quote, at);
      const after = quoted ? yield* this.#readQuoted(line, at) : this.#readPlain(line, at);
      if (typeof after !== 'number') return after;
      const end = this.#skipSpace(line, after);
      if (this.#cells.length > this.#mostCells) return { reason: `a row has at most ${this.#mostCells} cells` };
      if (end === line.length) return { cells: this.#cells };
      if (!line.startsWith(delimiter, end)) {
        return {
          reason: `cell ${this.#cells.length} continues after its closing ${quote}; write ${quote}${quote} for a quote inside`,
        };
      }
      at = end + delimiter.length;
    }
  }

  /** @returns the index after the closing quote */
  *#readQuoted(line: string, at: number): Generator<void, number | Parsed> {
    const { quote } = this.#dialect;
    const unescaped = (text: string) => text.replaceAll(quote + quote, () => quote);
    let start = this.#open ? at : at + quote.length;
    this.#open ??= [];
    let from = start;
    for (let quotes = 1; ; quotes++) {
      const end = line.indexOf(quote, from);
      if (end >= 0 && line.startsWith(quote, end + quote.length)) {
        from = end + 2 * quote.length;
        if (quotes % QUOTES_AT_ONCE > 0) continue;
        this.#open.push(unescaped(line.slice(start, from)));
        start = from;
        yield;
        continue;
      }
      this.#open.push(unescaped(line.slice(start, end < 0 ? undefined : end)));
      if (end < 0) return { open: true };
      this.#cells.push(this.#open.join(''));
      this.#open = undefined;
      return end + quote.length;
    }
  }

  /** @returns the index after the cell */
  #readPlain(line: string, at: number): number | Parsed {
    const { delimiter, quote } = this.#dialect;
    const found = line.indexOf(delimiter, at);
    const end = found < 0 ? line.length : found;
    const cell = line.slice(at, end);
    if (this.#strict && cell.includes(quote))
      return { reason: `cell ${this.#cells.length + 1} holds a ${quote} that opens nothing` };
    this.#cells.push(this.#dialect.trim ? cell.trimEnd() : cell);
    return end;
  }

  #skipSpace(line: string, at: number): number {
    let from = at;
    if (this.#dialect.trim) while (from < line.length && line[from]!.trim() === '') from += 1;
    return from;
  }
}
