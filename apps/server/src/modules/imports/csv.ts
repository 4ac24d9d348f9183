/**
 * CSV (RFC 4180) and what files have beside it: other delimiters, quotes inside cells, line breaks inside quoted cells. A row whose
 * quotes do not match loses only itself: reading continues with the line after the one on which it began. A parser that
 * reads on to the next quote would swallow good rows, in the worst case all that follow.
 */
interface CsvDialect {
  readonly delimiter: string;
  readonly quote: string;
}

export interface CsvRow {
  /** Line of the file on which the row begins; the first is 1. */
  readonly line: number;
  readonly cells?: string[];
  /** Why there are no cells, and the text of the line. */
  readonly error?: { readonly reason: string; readonly text: string };
}

/** Maximum lines and characters of a cell; a quote open for longer is taken as a stray quote. */
const MAX_ROW_LINES = 5_000;
const MAX_ROW_LENGTH = 4 * 1024 * 1024;

type Parsed = { cells: string[] } | { open: true } | { reason: string };

/** The rows of a CSV file, blank lines left out. */
export async function* readCsv(lines: AsyncIterable<string>, dialect: CsvDialect): AsyncGenerator<CsvRow> {
  const source = lines[Symbol.asyncIterator]();
  /** Lines that were read ahead for a row that turned out to be invalid. */
  let ahead: string[] = [];
  let line = 0;
  /** Up to this line quotes inside cells are errors: the line may be the middle of a cell whose quotes went wrong. */
  let strictUntil = 0;
  const next = async (): Promise<string | undefined> => {
    if (ahead.length > 0) return ahead.shift();
    const { value, done } = await source.next();
    return done ? undefined : value;
  };
  try {
    for (;;) {
      const first = await next();
      if (first === undefined) return;
      line++;
      if (first.trim() === '') continue;
      const taken = [first];
      let parsed = parse(first, dialect, line <= strictUntil);
      let length = first.length;
      let text = first;
      while ('open' in parsed) {
        const more = taken.length < MAX_ROW_LINES && length < MAX_ROW_LENGTH ? await next() : undefined;
        if (more === undefined) {
          parsed = { reason: `a cell begins with ${dialect.quote} and no ${dialect.quote} ends it` };
          break;
        }
        taken.push(more);
        length += more.length + 1;
        text += `\n${more}`;
        // Only a line with a quote can end the cell; parsing anew at each line would take quadratic time.
        if (more.includes(dialect.quote)) parsed = parse(text, dialect, line <= strictUntil);
      }
      if ('cells' in parsed) {
        yield { line, cells: parsed.cells };
        line += taken.length - 1;
        continue;
      }
      yield { line, error: { reason: (parsed as { reason: string }).reason, text: first } };
      // After an invalid row that may be the middle of a cell, the next may be so too.
      strictUntil = Math.max(strictUntil, line + (line <= strictUntil ? 1 : taken.length - 1));
      ahead = [...taken.slice(1), ...ahead];
    }
  } finally {
    await source.return?.();
  }
}

function parse(text: string, { delimiter, quote }: CsvDialect, strict: boolean): Parsed {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (text.startsWith(quote, at)) {
      let cell = '';
      let from = at + quote.length;
      for (;;) {
        const end = text.indexOf(quote, from);
        if (end < 0) return { open: true };
        cell += text.slice(from, end);
        if (!text.startsWith(quote, end + quote.length)) {
          at = end + quote.length;
          break;
        }
        cell += quote;
        from = end + 2 * quote.length;
      }
      cells.push(cell);
      if (at === text.length) return { cells };
      if (!text.startsWith(delimiter, at)) {
        return {
          reason: `cell ${cells.length} continues after its closing ${quote}; write ${quote}${quote} for a quote inside`,
        };
      }
    } else {
      const end = text.indexOf(delimiter, at);
      const cell = text.slice(at, end < 0 ? undefined : end);
      if (strict && cell.includes(quote))
        return { reason: `cell ${cells.length + 1} holds a ${quote} that opens nothing` };
      cells.push(cell);
      if (end < 0) return { cells };
      at = end;
    }
    at += delimiter.length;
  }
}
