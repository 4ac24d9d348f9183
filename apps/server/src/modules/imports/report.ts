/** Result of an import, with every refused row and value. */

/** A refused row, value or change. */
export interface Refusal {
  /** Line of the file on which the row begins. */
  readonly line: number;
  readonly file: 'rows' | 'changes';
  /** Column, or its replacement; absent if the whole row cannot be read. */
  readonly column?: string;
  readonly value?: string;
  readonly reason: string;
  /** Whether the whole row was lost or only the value. */
  readonly lost: 'row' | 'value';
}

/** Numbers of objects that an import created because they were missing. */
export interface Made {
  workspaces: number;
  communities: number;
  people: number;
  catalogs: number;
  entries: number;
  fields: number;
  states: number;
  hashtags: number;
}

export interface ImportReport {
  readonly dryRun: boolean;
  /** Set if the import was stopped before its end. */
  stopped?: boolean;
  rows: number;
  created: number;
  edited: number;
  unchanged: number;
  /** Rows that were refused. */
  refused: number;
  comments: number;
  changes?: { read: number; written: number; known: number };
  made: Made;
  /** In the order of the file. */
  refusals: Refusal[];
  /** Notices that do not affect the result. */
  notes: string[];
  seconds: number;
}

/** Collects refusals and builds the report. */
export class Reporter {
  readonly refusals: Refusal[] = [];
  readonly notes = new Set<string>();
  readonly #lostRows = new Set<number>();
  readonly #most: number;

  /** @param most maximum of stored refusals; lost rows are counted beyond it */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  get refusedRows(): number {
    return this.#lostRows.size;
  }

  /** Refuses a row of the first file; several errors of one row count as one row. */
  row(line: number, reason: string, column?: string, value?: unknown): void {
    this.#lostRows.add(line);
    this.#add('rows', 'row', line, reason, column, value);
  }

  /** Reports a row that was imported without one of its values. */
  value(line: number, reason: string, column: string, value: unknown): void {
    this.#add('rows', 'value', line, reason, column, value);
  }

  /** Refuses a change. */
  change(line: number, reason: string, column: string | undefined, value: unknown): void {
    this.#add('changes', 'row', line, reason, column, value);
  }

  #add(file: Refusal['file'], lost: Refusal['lost'], line: number, reason: string, column?: string, value?: unknown) {
    if (this.refusals.length >= this.#most) {
      this.notes.add(`only the first ${this.#most} refusals are listed`);
      return;
    }
    this.refusals.push({
      line,
      file,
      lost,
      reason,
      ...(column !== undefined && { column }),
      ...(value !== undefined && value !== null && { value: shown(value) }),
    });
  }

  /** Returns all refusals, in the order of the files. */
  sorted(): Refusal[] {
    return this.refusals.toSorted((a, b) => {
      if (a.file === b.file) return a.line - b.line;
      return a.file === 'rows' ? -1 : 1;
    });
  }
}

const MAX_SHOWN = 80;

function shown(value: unknown): string {
  return shortened((typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))).replace(/\s+/g, ' '));
}

/** Shortens a text to fit into a sentence. */
export function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text;
}

const count = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** Returns the report as readable text. */
export function describeReport(report: ImportReport): string {
  const lines: string[] = [];
  for (const refusal of report.refusals) {
    const where = `${refusal.file === 'rows' ? 'row' : 'change'} at line ${refusal.line}`;
    const what = [refusal.column && `column ${refusal.column}`, refusal.value !== undefined && `"${refusal.value}"`];
    const loss = refusal.lost === 'row' ? 'not taken' : 'taken without this value';
    lines.push(`${[where, ...what.filter(Boolean)].join(', ')}: ${refusal.reason} (${loss})`);
  }
  lines.push(...report.notes.map((note) => `note: ${note}`));
  const made = [
    count(report.made.workspaces, 'workspace'),
    count(report.made.communities, 'community', 'communities'),
    count(report.made.people, 'person', 'people'),
    count(report.made.catalogs, 'catalog'),
    count(report.made.entries, 'value'),
    count(report.made.fields, 'field'),
    count(report.made.states, 'state'),
    count(report.made.hashtags, 'hashtag'),
  ].filter((text) => !text.startsWith('0 '));
  if (lines.length > 0) lines.push('');
  lines.push(
    `${count(report.rows, 'row')}: ${report.created} created, ${report.edited} edited, ${report.unchanged} unchanged, ${report.refused} not taken.`,
  );
  if (report.comments > 0) lines.push(`${count(report.comments, 'comment')} added.`);
  if (report.changes) {
    const { read, written, known } = report.changes;
    lines.push(
      `${count(read, 'change')}: ${written} written to histories, ${known} known already, ${read - written - known} not taken.`,
    );
  }
  if (made.length > 0) lines.push(`Created: ${made.join(', ')}.`);
  if (report.dryRun) lines.push('Dry run: no changes were saved.');
  lines.push(`Duration: ${report.seconds.toFixed(1)} s.`);
  return `${lines.join('\n')}\n`;
}
