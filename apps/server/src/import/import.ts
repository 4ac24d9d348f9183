/**
 * Imports a file into a community: reads it once to see what there is, makes what is missing, reads it again to write
 * posts, then references that had to wait, then history. All writes go through the write verbs of the modules, in
 * transactions of fewer than 500 rows; a dry run does the same in one transaction that is rolled back.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Scope } from '../kernel/scope.ts';
import { ImportError } from './errors.ts';
import { type InputFile, openInput } from './input-lines.ts';
import { readMapping } from './mapping.ts';
import type { Mapping, Source } from './mapping-types.ts';
import { countThings, prepare } from './prepare.ts';
import { formatOf, type InputRecord, readRecords } from './records.ts';
import { completePending } from './references.ts';
import { type ImportReport, type Made, Reporter } from './report.ts';
import { readRow } from './rows.ts';
import { readChanges, type Survey, surveyChanges, surveyRows } from './scan.ts';
import { ChangeWriter } from './write-changes.ts';
import { type Row, RowWriter } from './write-rows.ts';

export type ImportPhase = 'reading' | 'preparing' | 'writing' | 'references' | 'history';

export interface ImportOptions {
  readonly file: string;
  /** Path of the mapping. */
  readonly mapping: string;
  readonly workspace: string;
  readonly community: string;
  /** Ids of accounts that become managers of the community; left out: the tenant's first administrator. */
  readonly managerIds?: readonly number[] | undefined;
  /** Path of the file of changes. */
  readonly changes?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** Refreshes the planner's statistics (`OperatorSession.refreshStatistics`): called as the tables grow. */
  readonly refreshStatistics?: () => Promise<void>;
  /** Called with the progress of a phase: from 0 to 1, or undefined where that is not known. */
  readonly onProgress?: (phase: ImportPhase, part: number | undefined) => void;
}

/**
 * @param scope the tenant's system account (`OperatorSession.systemScope`)
 * @throws MappingError; ImportError when the input cannot be read
 */
export async function runImport(scope: Scope, options: ImportOptions): Promise<ImportReport> {
  const started = performance.now();
  const mapping = readMapping(basename(options.mapping), await readText(options.mapping));
  const rows = await openInput(options.file);
  const changes = options.changes === undefined ? undefined : await openInput(options.changes);
  if (changes && !mapping.changes) {
    throw new ImportError(
      `${basename(options.mapping)} says nothing about changes; add "changes: {externalId: …, at: …}".`,
    );
  }
  const run = new ImportRun(mapping, options, rows, changes);
  const report =
    options.dryRun === true
      ? await scope.db.transaction((tx) => run.run({ ...scope, joined: tx }), { rollback: true })
      : await run.run(scope);
  return { ...report, seconds: (performance.now() - started) / 1000 };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ImportError(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

class ImportRun {
  readonly #mapping: Mapping;
  readonly #options: ImportOptions;
  readonly #rows: InputFile;
  readonly #changes: InputFile | undefined;
  readonly #reporter = new Reporter();
  /** Columns that the file of rows names itself (CSV). */
  #columns: readonly string[] = [];

  constructor(mapping: Mapping, options: ImportOptions, rows: InputFile, changes: InputFile | undefined) {
    this.#mapping = mapping;
    this.#options = options;
    this.#rows = rows;
    this.#changes = changes;
  }

  async run(scope: Scope): Promise<ImportReport> {
    const { workspace, community } = this.#options;
    const source = this.#mapping.name ?? `${workspace}/${community}`;
    const survey = await surveyRows(this.#mapping, this.#records('reading'), this.#reporter);
    this.#checkColumns(survey);
    let changesRead = 0;
    if (this.#changes) {
      changesRead = await surveyChanges(this.#mapping, this.#changeRecords('reading'), survey, this.#reporter);
    }
    const report: ImportReport = {
      dryRun: this.#options.dryRun === true,
      rows: survey.rows,
      created: 0,
      edited: 0,
      unchanged: 0,
      refused: 0,
      comments: 0,
      made: nothingMade(),
      refusals: [],
      notes: [],
      seconds: 0,
    };
    // Without rows the community is made nevertheless; when every row is refused, most likely the mapping is wrong.
    if (survey.lines.size > 0 || survey.rows === 0) await this.#write(scope, survey, source, report, changesRead);
    report.refused = this.#reporter.refusedRows;
    report.refusals = this.#reporter.sorted();
    report.notes = [...this.#reporter.notes];
    return report;
  }

  async #write(scope: Scope, survey: Survey, source: string, report: ImportReport, changesRead: number): Promise<void> {
    this.#tell('preparing', undefined);
    const before = await countThings(scope);
    const world = await prepare(scope, this.#mapping, survey, this.#options, this.#reporter.notes);
    const after = await countThings(scope);
    for (const name of Object.keys(before) as (keyof Made)[]) report.made[name] = after[name] - before[name];

    const writer = new RowWriter(scope, this.#mapping, world, survey, source, this.#reporter);
    await this.#writeRows(writer, survey);
    const { progress } = writer;
    this.#tell('references', undefined);
    await completePending(
      scope,
      this.#mapping,
      world,
      source,
      progress.pending,
      progress.postIds,
      this.#reporter,
      survey.lines,
    );
    const { created, edited, unchanged, comments } = progress;
    Object.assign(report, { created, edited, unchanged, comments });
    if (!this.#changes) return;
    const changes = new ChangeWriter(scope, world, survey, source, progress.postIds, this.#reporter);
    for await (const { line, change } of readChanges(this.#mapping, this.#changeRecords('history'), undefined)) {
      if (change) await changes.add(line, change);
    }
    await changes.flush();
    report.changes = { read: changesRead, ...changes.result };
  }

  /**
   * Reads the rows again and writes them in batches that fill a transaction; the next batch is read meanwhile. One at a
   * time: posts of a community are numbered one after the other anyway, and so their numbers follow the file.
   */
  async #writeRows(writer: RowWriter, survey: Survey): Promise<void> {
    let running = Promise.resolve();
    let batch: Row[] = [];
    let weight = 0;
    let written = 0;
    let refreshAt = 1;
    const start = async () => {
      await running;
      // A dry run commits nothing, and statistics count committed rows only.
      if (written >= refreshAt && this.#options.dryRun !== true) {
        await this.#options.refreshStatistics?.();
        refreshAt = written * 10;
      }
      running = writer.write(batch);
      written += batch.length;
      // The failure is handled where the batch is awaited; this avoids an unhandled rejection before that.
      running.catch(() => undefined);
      batch = [];
      weight = 0;
    };
    try {
      for await (const record of this.#records('writing')) {
        const data = record.values && readRow(this.#mapping, record.values).data;
        if (!data || survey.lines.get(data.externalId) !== record.line) continue;
        const row: Row = { line: record.line, data };
        const heavy = writer.weight(row);
        if (weight + heavy > 1 && batch.length > 0) await start();
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
    this.#options.onProgress?.(phase, part);
  }

  #records(phase: ImportPhase): AsyncGenerator<InputRecord> {
    return this.#read(this.#rows, phase);
  }

  #changeRecords(phase: ImportPhase): AsyncGenerator<InputRecord> {
    return this.#read(this.#changes!, phase);
  }

  #read(file: InputFile, phase: ImportPhase): AsyncGenerator<InputRecord> {
    // The mapping's format is that of the rows; that of the changes follows from the file name, else it is the same.
    const named = formatOf(file.path);
    const format = file === this.#rows ? (this.#mapping.format ?? named) : (named ?? this.#mapping.format);
    if (!format) {
      throw new ImportError(
        `${file.path}: its name does not say what it is; add "format: csv" or "format: ndjson" to the mapping.`,
      );
    }
    return readRecords(file, {
      format,
      csv: this.#mapping.csv,
      onColumns: (names) => {
        if (file === this.#rows) this.#columns = names;
      },
      onBytes: (bytes) => this.#tell(phase, file.size === 0 ? 1 : Math.min(1, bytes / file.size)),
    });
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
    // A file of JSON lines without rows names no columns.
    if (survey.columns.size === 0) return;
    const named = sources.flatMap((source) => (source?.from === 'row' ? source.columns : []));
    const missing = [...new Set(named)].filter(
      (column) => !survey.columns.has(column) && !survey.columns.has(column.split('.')[0]!),
    );
    if (missing.length === 0) return;
    const columns = [...survey.columns].sort().join(', ');
    const text = `no row has ${missing.map((column) => `"${column}"`).join(', ')}; there are: ${columns}`;
    if ((mapping.format ?? formatOf(this.#rows.path)) === 'csv') throw new ImportError(`${this.#rows.path}: ${text}.`);
    this.#reporter.notes.add(text);
  }
}

function nothingMade(): Made {
  return { workspaces: 0, communities: 0, people: 0, catalogs: 0, entries: 0, fields: 0, states: 0, hashtags: 0 };
}
