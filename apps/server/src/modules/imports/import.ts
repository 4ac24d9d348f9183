/**
 * Imports a file into a community: reads it once to survey it, creates missing objects, reads it
 * again to write posts, then references that had to wait, then history. All writes go through the
 * write verbs of the modules, in transactions of fewer than 500 rows; a dry run does the same in
 * one transaction that is rolled back.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { decodeFile, undecodedReason } from '@portico/contract/encodings';
import { Turns } from '@portico/platform/turns';
import type { Scope } from '../../kernel/scope.ts';
import { countThings } from './count-things.ts';
import { type ConvertedRows, convertDocument } from './documents/convert.ts';
import { claimFile } from './import-files.ts';
import { readMapping } from './mapping/mapping.ts';
import { composed } from './mapping/values.ts';
import { type ImportTarget, prepare } from './prepare.ts';
import { completePending } from './references.ts';
import { type ImportReport, type Made, Reporter } from './report.ts';
import { readRow } from './rows.ts';
import { readChanges, type Survey, surveyChanges, surveyRows } from './scan.ts';
import { ImportError } from './source/errors.ts';
import { type InputFile, openInput } from './source/input-lines.ts';
import type { DocumentOptions, InputFormat, Mapping, Source } from './source/mapping-types.ts';
import { formatOf, type InputRecord, readRecords } from './source/records.ts';
import { Undecoded } from './source/undecoded.ts';
import { ChangeWriter } from './write-changes.ts';
import { type Progress, type Row, RowWriter } from './write-rows.ts';

export type ImportPhase = 'reading' | 'preparing' | 'writing' | 'references' | 'history';

/** An import of files on this machine: the command line. */
export interface ImportOptions {
  readonly file: string;
  /** Path of the mapping. */
  readonly mapping: string;
  readonly workspace: string;
  readonly community: string;
  /**
   * Ids of accounts that become managers of the community; default: the tenant's first
   * administrator.
   */
  readonly managerIds?: readonly number[] | undefined;
  /** Path of the file of changes. */
  readonly changes?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** Refreshes the planner's statistics (`OperatorSession.refreshStatistics`): called as the tables grow. */
  readonly refreshStatistics?: () => Promise<void>;
  /** Called with the progress of a phase: from 0 to 1, or undefined where that is not known. */
  readonly onProgress?: (phase: ImportPhase, part: number | undefined) => void;
}

/** Input, target and options of an import. */
interface ImportWork extends Pick<ImportOptions, 'dryRun' | 'refreshStatistics' | 'onProgress'> {
  readonly mapping: Mapping;
  readonly rows: InputFile;
  readonly changes?: InputFile | undefined;
  readonly target: ImportTarget;
  /** Name under which the import remembers its rows. */
  readonly source: string;
  /** Id of an import over the API. */
  readonly importId?: number;
  /** Maximum of rows per file, and of stored refusals; default: no limit. */
  readonly mostRows?: number;
  readonly mostRefusals?: number;
  /** Maximum of columns of the file of rows; default: no limit. */
  readonly mostColumns?: number;
  /** A dry run writes no more than so many rows; the others are checked as if they were written. */
  readonly mostTriedRows?: number;
  /** Called now and then before anything is written. When it returns false, the import stops. */
  readonly mayGoOn?: () => Promise<boolean>;
  /** Called with the results so far when an error ends the import. */
  readonly onFailure?: (report: ImportReport) => void;
  /**
   * Called before each batch with the progress so far. When it returns false, the import stops, and
   * written rows stay.
   */
  readonly goesOn?: (progress: Progress, written: number, rows: number) => Promise<boolean>;
}

/**
 * Imports files of this machine.
 * @param scope the tenant's system account (`OperatorSession.systemScope`)
 * @throws MappingError; ImportError when the input cannot be read
 */
export async function runImport(scope: Scope, options: ImportOptions): Promise<ImportReport> {
  const mapping = await readMapping(basename(options.mapping), await readText(options.mapping));
  const rows = await openInput(options.file);
  const changes = options.changes === undefined ? undefined : await openInput(options.changes);
  if (changes && !mapping.changes) {
    throw new ImportError(
      `${basename(options.mapping)} says nothing about changes; add "changes: {externalId: …, at: …}".`,
    );
  }
  const { workspace, community, managerIds, dryRun, refreshStatistics, onProgress } = options;
  return importRows(scope, {
    mapping,
    rows,
    changes,
    target: { workspace, community, managerIds },
    source: mapping.name ?? `${workspace}/${community}`,
    dryRun,
    refreshStatistics,
    onProgress,
  });
}

/** Reads the text of a mapping. @throws ImportError where it cannot be read or decoded */
async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new ImportError(`${path} cannot be read: ${error.message}.`);
  });
  const { text, encoding } = decodeFile(bytes);
  if (text !== undefined) return text;
  const { analyse } = await import('chardet');
  throw new ImportError(`${path} ${undecodedReason(analyse, bytes, encoding)}.`);
}

/**
 * Imports rows, for the command line and for the interface.
 * @param scope of who imports
 * @throws ImportError when the input cannot be read; when a file has too many rows
 */
export async function importRows(scope: Scope, work: ImportWork): Promise<ImportReport> {
  const started = performance.now();
  const run = new ImportRun(work);
  const report =
    work.dryRun === true
      ? await scope.db.transaction((tx) => run.run({ ...scope, db: tx }), { rollback: true })
      : await run.run(scope);
  return { ...report, seconds: (performance.now() - started) / 1000 };
}

/** Place of the rows in a file of changes. */
const PLAIN_DOCUMENT: DocumentOptions = { path: [], sheet: 1, skip: 0 };

/** Maximum of columns named in a message. */
const NAMED_COLUMNS = 100;

class ImportRun {
  #mapping: Mapping;
  readonly #work: ImportWork;
  readonly #reporter: Reporter;
  /** Columns that the file of rows itself names (CSV, workbooks). */
  #columns: readonly string[] = [];
  /** Files converted to lines, by the original file. */
  readonly #converted = new Map<InputFile, ConvertedRows>();
  #stopped = false;
  /** Results so far, once writing has begun. */
  #progress: Progress | undefined;

  constructor(work: ImportWork) {
    this.#mapping = work.mapping;
    this.#work = work;
    this.#reporter = new Reporter(work.mostRefusals);
  }

  async run(scope: Scope): Promise<ImportReport> {
    const report: ImportReport = {
      dryRun: this.#work.dryRun === true,
      rows: 0,
      created: 0,
      edited: 0,
      unchanged: 0,
      refused: 0,
      comments: 0,
      made: { workspaces: 0, communities: 0, people: 0, catalogs: 0, entries: 0, fields: 0, states: 0, hashtags: 0 },
      refusals: [],
      notes: [],
      seconds: 0,
    };
    try {
      await this.#readAndWrite(scope, report);
    } catch (error) {
      if (!(error instanceof Stopped)) {
        this.#fill(report);
        this.#work.onFailure?.(report);
        throw error;
      }
      report.stopped = true;
    } finally {
      for (const { remove } of this.#converted.values()) await remove();
    }
    this.#fill(report);
    return report;
  }

  #fill(report: ImportReport): void {
    if (this.#progress) {
      const { created, edited, unchanged, comments } = this.#progress;
      Object.assign(report, { created, edited, unchanged, comments });
    }
    report.refused = this.#reporter.refusedRows;
    report.refusals = this.#reporter.sorted();
    report.notes = [...this.#reporter.notes];
  }

  async #readAndWrite(scope: Scope, report: ImportReport): Promise<void> {
    const { rows, changes } = this.#work;
    const survey = await this.#readText(rows, (read) => surveyRows(this.#mapping, read, this.#reporter));
    report.rows = survey.rows;
    this.#checkColumns(survey);
    const changesRead = changes
      ? await this.#readText(changes, (read) => surveyChanges(this.#mapping, read, survey, this.#reporter))
      : 0;
    // Without rows the community is created nevertheless; if every row is refused, most likely the
    // mapping is wrong.
    if (survey.lines.size > 0 || survey.rows === 0) await this.#write(scope, survey, report, changesRead);
  }

  /** Reads a file for the first time. @throws ImportError also where it has another encoding than it is read in */
  async #readText<T>(file: InputFile, survey: (records: AsyncIterable<InputRecord>) => Promise<T>): Promise<T> {
    const undecoded = new Undecoded(this.#formatOf(file) === 'csv');
    const surveyed = await survey(this.#read(file, 'reading', undecoded));
    await undecoded.refuseOtherEncoding(file.name);
    return surveyed;
  }

  async #write(scope: Scope, survey: Survey, report: ImportReport, changesRead: number): Promise<void> {
    this.#tell('preparing', undefined);
    await claimFile(scope, this.#work.source, this.#work.rows, this.#mapping);
    const before = await countThings(scope);
    const { source, target, importId } = this.#work;
    const portalIds = await prepare(scope, this.#mapping, survey, target, this.#reporter.notes, importId);
    const after = await countThings(scope);
    for (const name of Object.keys(before) as (keyof Made)[]) report.made[name] = after[name] - before[name];

    const mapping = this.#mapping;
    const reporter = this.#reporter;
    const job = { scope, mapping, survey, portalIds, source, reporter, importId, onlyVisible: 'definition' in target };
    const writer = new RowWriter(job);
    this.#progress = writer.progress;
    await this.#writeRows(writer, survey);
    const { postIds } = writer.progress;
    if (this.#stopped) {
      report.stopped = true;
      return;
    }
    this.#tell('references', undefined);
    await completePending(job, writer.progress);
    if (!this.#work.changes) return;
    const changes = new ChangeWriter(job, postIds);
    for await (const { line, change } of readChanges(mapping, this.#read(this.#work.changes, 'history'), undefined)) {
      if (change) await changes.add(line, change);
    }
    await changes.flush();
    report.changes = { read: changesRead, ...changes.result };
  }

  /**
   * Reads the rows again and writes them in batches that fill a transaction, while the next batch
   * is read. Writes one batch at a time: posts of a community are numbered one after the other
   * anyway, and so their numbers follow the file.
   */
  async #writeRows(writer: RowWriter, survey: Survey): Promise<void> {
    let running = Promise.resolve();
    let batch: Row[] = [];
    let weight = 0;
    let written = 0;
    let refreshAt = 1;
    const mostRows = (this.#work.dryRun && this.#work.mostTriedRows) || Number.POSITIVE_INFINITY;
    const start = async () => {
      await running;
      // A dry run commits nothing, and statistics count committed rows only.
      if (written >= refreshAt && this.#work.dryRun !== true) {
        await this.#work.refreshStatistics?.();
        refreshAt = written * 10;
      }
      if ((await this.#work.goesOn?.(writer.progress, written, survey.rows)) === false) {
        this.#stopped = true;
        return;
      }
      // The rows of one batch are all written, or all checked.
      running = written >= mostRows ? writer.check(batch) : writer.write(batch);
      written += batch.length;
      // The failure is handled where the batch is awaited; this avoids an unhandled rejection before that.
      running.catch(() => undefined);
      batch = [];
      weight = 0;
    };
    try {
      for await (const record of this.#read(this.#work.rows, 'writing')) {
        const data = record.values && readRow(this.#mapping, record.values, record.line).data;
        if (!data || survey.lines.get(data.externalId) !== record.line) continue;
        if (written + batch.length === mostRows) {
          this.#reporter.notes.add(`the first ${mostRows} rows were written and undone; the others were only checked`);
          if (batch.length > 0) await start();
        }
        const row: Row = { line: record.line, data };
        const heavy = writer.weight(row);
        if (weight + heavy > 1 && batch.length > 0) await start();
        if (this.#stopped) return;
        batch.push(row);
        weight += heavy;
      }
      await start();
    } finally {
      // After a failure, wait for running writes before the connections are closed.
      await running;
    }
  }

  #tell(phase: ImportPhase, part: number | undefined): void {
    this.#work.onProgress?.(phase, part);
  }

  /** The mapping's format is that of the rows; that of the changes follows from the file name, else it is the same. */
  #formatOf(file: InputFile): InputFormat {
    const named = formatOf(file.name);
    const format = file === this.#work.rows ? (this.#mapping.format ?? named) : (named ?? this.#mapping.format);
    if (format) return format;
    throw new ImportError(
      `${file.name}: its name does not say what it is; add "format: csv" or another format to the mapping.`,
    );
  }

  /** A document as lines, which it is turned into once. */
  async #lines(file: InputFile, format: 'json' | 'xlsx'): Promise<InputFile> {
    const known = this.#converted.get(file);
    if (known) return known.file;
    const { document } = this.#mapping;
    const converted = await convertDocument(file, format, file === this.#work.rows ? document : PLAIN_DOCUMENT);
    this.#converted.set(file, converted);
    if (file === this.#work.rows) this.#columns = converted.columns ?? [];
    return converted.file;
  }

  async *#read(given: InputFile, phase: ImportPhase, undecoded?: Undecoded): AsyncGenerator<InputRecord> {
    const format = this.#formatOf(given);
    const converts = format === 'json' || format === 'xlsx';
    const file = converts ? await this.#lines(given, format) : given;
    let read = 0;
    const turns = new Turns();
    const records = readRecords(file, {
      format: converts ? 'converted' : format,
      csv: this.#mapping.csv,
      ...(undecoded && { undecoded }),
      mostColumns: this.#work.mostColumns,
      pause: () => (turns.isOver ? this.#pause(turns, phase) : undefined),
      onColumns: (names) => {
        if (given === this.#work.rows) this.#columns = names;
      },
      onBytes: (bytes) => this.#tell(phase, file.size === 0 ? 1 : Math.min(1, bytes / file.size)),
    });
    const { mostRows = Number.POSITIVE_INFINITY } = this.#work;
    for await (const record of records) {
      if (++read > mostRows) throw new ImportError(`${file.name} has more than ${mostRows} rows.`);
      yield record;
    }
  }

  /** Others get their turn. While the files are read for the first time, nothing has been written that could stay. */
  async #pause(turns: Turns, phase: ImportPhase): Promise<void> {
    await turns.next();
    if (phase === 'reading' && (await this.#work.mayGoOn?.()) === false) throw new Stopped();
  }

  /** Omits optional fields without a column in the file. */
  #leaveOutFields(has: (column: string) => boolean): void {
    const fields = this.#mapping.fields.filter(({ source }) => !source.optional || source.columns.some(has));
    this.#mapping = { ...this.#mapping, fields };
  }

  /** A column that no row has is an error in the mapping, unless its values are optional (NDJSON). */
  #checkColumns(survey: Survey): void {
    const mapping = this.#mapping;
    const sources: (Source | undefined)[] = [
      mapping.externalId,
      mapping.title,
      mapping.body?.source,
      mapping.author?.name,
      mapping.author?.email,
      mapping.created,
      mapping.modified,
      mapping.modifier?.name,
      mapping.visibility,
      mapping.draft,
      mapping.pinned,
      mapping.announcement,
      mapping.watchers,
      mapping.hashtags,
      mapping.state,
      ...mapping.fields.map((field) => field.source),
    ];
    for (const column of this.#columns) survey.columns.add(column);
    const names = new Set([...survey.columns].map(composed));
    // A file of JSON lines without rows names no columns.
    if (survey.columns.size === 0) return;
    const has = (column: string) => names.has(composed(column)) || names.has(composed(column.split('.')[0]!));
    this.#leaveOutFields(has);
    const named = sources.flatMap((source) => {
      if (source?.from !== 'row' || source.optional) return [];
      const { columns } = source;
      return (source.pick && columns.some(has) ? [] : columns).filter((column) => !has(column));
    });
    const missing = [...new Set([...named, ...columnsOfTemplates(sources).filter((column) => !has(column))])];
    if (missing.length === 0) return;
    const columns = [...survey.columns].sort();
    const more = columns.length > NAMED_COLUMNS ? ` and ${columns.length - NAMED_COLUMNS} more` : '';
    const text = `no row has ${missing.map((column) => `"${column}"`).join(', ')}; there are: ${columns.slice(0, NAMED_COLUMNS).join(', ')}${more}`;
    if (this.#columns.length > 0) throw new ImportError(`${this.#work.rows.name}: ${text}.`);
    this.#reporter.notes.add(text);
  }
}

/** Columns that templates name. */
function columnsOfTemplates(sources: readonly (Source | undefined)[]): string[] {
  return sources.flatMap((source) =>
    source?.from === 'row' && !source.optional
      ? [...(source.template ?? '').matchAll(/\{([^{}]+)\}/g)].map((found) => found[1]!)
      : [],
  );
}

/** The import was stopped before it wrote anything. */
class Stopped extends Error {
  override name = 'Stopped';
}
