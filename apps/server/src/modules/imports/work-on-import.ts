/** Works on imports over the API, in the background. */
import { tmpdir } from 'node:os';
import { type ImportReport as ImportFigures, importLimits } from '@portico/contract';
import { isRetryable } from '@portico/platform/db/pg-errors';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import { type FileStorage, StorageUnavailableError } from '@portico/platform/files';
import { holds, loadActor } from '../../kernel/access/index.ts';
import { fromPostgresError } from '../../kernel/database-errors.ts';
import { PorticoError } from '../../kernel/errors.ts';
import type { Actor, Log, Scope } from '../../kernel/scope.ts';
import { getDefinition, refuseArchived } from '../communities/index.ts';
import { withStoredFile } from '../files/index.ts';
import type { ImportArchive } from './archive-work.ts';
import { type ImportPhase, importRows } from './import.ts';
import { mayImport, mayImportArchives } from './imports.policy.ts';
import {
  claimImport,
  endImport,
  findImport,
  type ImportEnd,
  type ImportRow,
  isAnyDue,
  releaseImport,
  saveProgress,
} from './imports.repository.ts';
import { readMapping } from './mapping/mapping.ts';
import { MappingError } from './mapping/mapping-error.ts';
import type { ImportReport } from './report.ts';
import { ImportError } from './source/errors.ts';
import { type InputFile, openInput } from './source/input-lines.ts';
import { undoRows } from './undo.ts';
import { recordUndoBegin, recordUndoEnd } from './undo-entries.ts';
import type { Progress } from './write-rows.ts';

/** A node that claimed an import and has not renewed its claim for so long has died. Milliseconds. */
const LOST_MS = 60_000;
/** Interval at which a claim is renewed. Milliseconds. */
const RENEW_MS = 10_000;
/** Shortest interval between saves of the progress. Milliseconds. */
const SAVE_MS = 1_000;
/** Number of attempts after which an import is given up: something in it ends the process. */
const MOST_ATTEMPTS = 5;

/** Dependencies of the job. */
interface ImportWorker {
  readonly db: TenantDb;
  readonly storage: FileStorage;
  readonly log: Log;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /**
   * Returns the scope of work as a person.
   * @throws PorticoError NOT_FOUND for a blocked or deleted person
   */
  readonly scopeOf: (userId: number) => Promise<Scope>;
  readonly importArchive: ImportArchive;
  /** Aborted when the process is about to end: the import is released. */
  readonly stop: AbortSignal;
}

/** Works on the next import of a tenant. @returns whether there was one: call again until false */
export async function workOnImport(worker: ImportWorker): Promise<boolean> {
  const { db, now } = worker;
  if (!(await isAnyDue(db, now() - LOST_MS))) return false;
  const row = await claimImport(db, now(), now() - LOST_MS);
  if (!row) return false;
  const end = await run(worker, row);
  if (end) await keepEnd(worker, row, end);
  else await releaseImport(db, row);
  return true;
}

/** Ends the import. Omits a report that cannot be stored, so that the import ends nevertheless. */
async function keepEnd({ db, now, log }: ImportWorker, row: ImportRow, end: ImportEnd): Promise<void> {
  try {
    await endImport(db, row, now(), end, (tx) => recordUndoEnd(tx, row, end));
  } catch (error) {
    if (isOutage(error)) throw error;
    log.error({ err: error, import: row.id }, 'the report of an import could not be stored');
    const { report, rows, rowsRead } = end;
    const kept = { ...failed('Its report could not be stored.'), report, rows, rowsRead };
    await endImport(db, row, now(), kept, (tx) => recordUndoEnd(tx, row, kept));
  }
}

/** @returns undefined if the import is to be resumed */
async function run(worker: ImportWorker, row: ImportRow): Promise<ImportEnd | undefined> {
  if (row.cancelledBy !== null) return { state: 'cancelled' };
  if (row.attempts > MOST_ATTEMPTS) return failed(`The server could not end it in ${MOST_ATTEMPTS} attempts.`);
  /** Results so far, if an error ends the import. */
  let done: Omit<ImportEnd, 'state'> = {};
  const onFailure = (report: ImportReport) => {
    done = ended(report);
  };
  try {
    const scope = await worker.scopeOf(row.creatorId);
    if (row.undoes !== null) return await runUndo(worker, scope, row, row.undoes);
    if (row.archivedPeople) return await runArchive({ ...worker, onFailure }, scope, row);
    const read = await withStoredFile(scope.db, worker.storage, row.contentRef, tmpdir(), async (path) => {
      const rows = await openFile(path, row.fileName);
      if (row.changesContentRef === null) return runRows({ ...worker, onFailure }, scope, row, rows);
      return withStoredFile(scope.db, worker.storage, row.changesContentRef, tmpdir(), async (changes) =>
        runRows({ ...worker, onFailure }, scope, row, rows, await openFile(changes, row.changesFileName!)),
      );
    });
    if (read && 'lost' in read) return failed('Its file is not there any more.');
    return read;
  } catch (error) {
    if (error instanceof ImportError || error instanceof MappingError) return { ...done, ...failed(error.message) };
    if (error instanceof PorticoError && error.status < 500) {
      const gone = error.code === 'NOT_FOUND' || error.code === 'INVALID_AUTH_TOKEN';
      const problem = gone ? 'Who started it is blocked or deleted, or the community is gone.' : error.message;
      return { ...done, ...failed(problem) };
    }
    const { log } = worker;
    const about = { err: error, import: row.id, attempt: row.attempts };
    if (isOutage(error)) {
      log.error(about, 'an import was broken off; it is tried again');
      throw error;
    }
    log.error(about, 'an import ended by an error');
    return { ...done, ...failed(UNEXPECTED) };
  }
}

/** The log has the error; its text may name tables and files of the server. */
const UNEXPECTED = 'An unexpected error ended it; the log of the server has the details. Rows that were written stay.';

/**
 * Returns whether an error comes from the database, the file storage or the disk, which may work
 * again a minute later.
 */
function isOutage(error: unknown): boolean {
  if (error instanceof StorageUnavailableError || isRetryable(error)) return true;
  if (['ENOSPC', 'EMFILE', 'ENFILE'].includes((error as { code?: string } | null)?.code ?? '')) return true;
  const known = error instanceof PorticoError ? error : fromPostgresError(error);
  return known?.code === 'UNAVAILABLE' || known?.code === 'STORAGE_FULL' || known?.code === 'CONFLICT';
}

const failed = (problem: string): ImportEnd => ({ state: 'failed', problem });

const openFile = (path: string, name: string) =>
  openInput(path, { name, mostBytes: importLimits.decompressedBytes, longestLine: importLimits.line });

async function runRows(
  worker: ImportWorker & { readonly onFailure: (report: ImportReport) => void },
  scope: Scope,
  row: ImportRow,
  rows: InputFile,
  changes?: InputFile,
): Promise<ImportEnd | undefined> {
  const definition = mayImport(scope.actor, row.communityId) ? await getDefinition(scope, row.communityId) : undefined;
  if (!definition) return failed('Who started it does not manage the community any more.');
  refuseArchived(definition.community);
  const keeper = new ProgressKeeper(worker, row);
  try {
    const report = await importRows(scope, {
      mapping: await readMapping('mapping', row.mapping, definition, row.withHistory),
      rows,
      changes,
      target: { definition, makesPeople: row.withPeople && holds(scope.actor, 'manageUsers') },
      source: sourceOf(row),
      importId: row.id,
      dryRun: row.trial,
      mostRows: importLimits.rows,
      mostColumns: importLimits.columns,
      mostTriedRows: importLimits.triedRows,
      mostRefusals: importLimits.refusals,
      onFailure: worker.onFailure,
      onProgress: (phase) => keeper.enter(phase),
      mayGoOn: () => keeper.mayGoOn(),
      goesOn: (progress, written, total) => keeper.goesOn(progress, written, total),
    });
    if (report.stopped && keeper.reason === 'released') return undefined;
    if (report.stopped && keeper.reason === 'rights')
      return { ...ended(report), ...failed('Who started it does not manage the community any more.') };
    return { ...ended(report), state: report.stopped ? 'cancelled' : 'done' };
  } finally {
    keeper.close();
  }
}

/** Writes the posts of an archive into the community that was created from it. */
async function runArchive(
  worker: ImportWorker & { readonly onFailure: (report: ImportReport) => void },
  scope: Scope,
  row: ImportRow,
): Promise<ImportEnd | undefined> {
  if (!mayImportArchives(scope.actor)) return failed(NO_RIGHTS);
  const keeper = new ProgressKeeper(worker, row, mayImportArchives);
  try {
    const report = await worker.importArchive(scope, {
      row,
      storage: worker.storage,
      mostRefusals: importLimits.refusals,
      onFailure: worker.onFailure,
      onProgress: (phase) => keeper.enter(phase),
      goesOn: (progress, written, total) => keeper.goesOn(progress, written, total),
    });
    if (!report) return failed('Its file is not there any more.');
    if (report.stopped && keeper.reason === 'released') return undefined;
    if (report.stopped && keeper.reason === 'rights') return { ...ended(report), ...failed(NO_RIGHTS) };
    return { ...ended(report), state: report.stopped ? 'cancelled' : 'done' };
  } finally {
    keeper.close();
  }
}

const NO_RIGHTS = 'Who started it does not have both administrative rights any more.';

async function runUndo(
  worker: ImportWorker,
  scope: Scope,
  row: ImportRow,
  undoes: number,
): Promise<ImportEnd | undefined> {
  const definition = mayImport(scope.actor, row.communityId) ? await getDefinition(scope, row.communityId) : undefined;
  if (!definition) return failed('Who started it does not manage the community any more.');
  refuseArchived(definition.community);
  const undone = await findImport(scope.db, undoes);
  if (!undone?.finishedAt) return failed('The import that it takes back is not there any more.');
  await recordUndoBegin(scope.db, row);
  const keeper = new ProgressKeeper(worker, row);
  try {
    const report = await undoRows(
      scope,
      {
        importId: undoes,
        communityId: row.communityId,
        endedAt: undone.finishedAt,
        mapping: undone.archivedPeople
          ? undefined
          : await readMapping('mapping', row.mapping, definition, row.withHistory),
        source: sourceOf(row),
        mostKept: importLimits.refusals,
        goesOn: (posts) => keeper.mayGoOn(posts),
      },
      row.trial,
    );
    if (report.stopped && keeper.reason === 'released') return undefined;
    const { posts, people, fields, values, states, kept, refusals } = report;
    const end = {
      refusals,
      report: {
        deletedPostsCount: posts,
        deletedPeopleCount: people,
        deletedFieldsCount: fields,
        deletedValuesCount: values,
        deletedStatesCount: states,
        keptCount: kept,
      },
    };
    if (report.stopped && keeper.reason === 'rights')
      return { ...end, ...failed('Who started it does not manage the community any more.') };
    return { ...end, state: report.stopped ? 'cancelled' : 'done' };
  } finally {
    keeper.close();
  }
}

/** Name under which an import remembers its rows: records of one community never find posts of another. */
const sourceOf = ({ communityId }: ImportRow) => `community ${communityId}`;

function ended(report: ImportReport): Omit<ImportEnd, 'state'> {
  return {
    report: figuresOf(report),
    rows: report.rows,
    rowsRead: report.created + report.edited + report.unchanged,
    notes: report.notes,
    refusals: report.refusals,
  };
}

function figuresOf({ created, edited, unchanged, refused, comments, made, changes }: ImportReport): ImportFigures {
  return {
    createdCount: created,
    editedCount: edited,
    unchangedCount: unchanged,
    refusedCount: refused,
    commentsCount: comments,
    peopleCount: made.people,
    valuesCount: made.entries,
    fieldsCount: made.fields,
    statesCount: made.states,
    hashtagsCount: made.hashtags,
    changesCount: changes?.written ?? 0,
  };
}

/** Renews the claim, saves the progress, and tells when the import has to stop. */
class ProgressKeeper {
  /** Reason for a stop. */
  reason: 'cancelled' | 'released' | 'rights' | undefined;
  readonly #worker: ImportWorker;
  readonly #row: ImportRow;
  readonly #may: (actor: Actor) => boolean;
  readonly #timer: NodeJS.Timeout;
  #phase: ImportPhase = 'reading';
  #written = 0;
  #rows: number | null = null;
  #figures: ImportFigures | null = null;
  #savedAt = 0;
  #askedAt = performance.now();

  /** @param may whether the person who started the import may go on */
  constructor(worker: ImportWorker, row: ImportRow, may = (actor: Actor) => mayImport(actor, row.communityId)) {
    this.#worker = worker;
    this.#row = row;
    this.#may = may;
    this.#timer = setInterval(() => void this.#save().catch(() => undefined), RENEW_MS);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  enter(phase: ImportPhase): void {
    this.#phase = phase;
  }

  /** Called before each batch. */
  async goesOn(progress: Progress, written: number, rows: number): Promise<boolean> {
    const { created, edited, unchanged, comments } = progress;
    this.#written = written;
    this.#rows = rows;
    this.#figures = {
      createdCount: created,
      editedCount: edited,
      unchangedCount: unchanged,
      commentsCount: comments,
    };
    return this.#check();
  }

  /** Called often while nothing is written. */
  async mayGoOn(written?: number): Promise<boolean> {
    if (written !== undefined) this.#written = written;
    if (performance.now() - this.#askedAt < SAVE_MS) return true;
    this.#askedAt = performance.now();
    return this.#check();
  }

  async #check(): Promise<boolean> {
    if (this.#worker.stop.aborted) this.reason = 'released';
    else if (performance.now() - this.#savedAt >= SAVE_MS) {
      this.#savedAt = performance.now();
      const { db } = this.#worker;
      const actor = await loadActor(db, this.#row.creatorId);
      if (!actor || !this.#may(actor)) this.reason = 'rights';
      else if (!(await this.#save())) this.reason = 'cancelled';
    }
    return this.reason === undefined;
  }

  #save(): Promise<boolean> {
    return saveProgress(this.#worker.db, this.#row, this.#worker.now(), {
      phase: this.#phase,
      rowsRead: this.#written,
      rowsTotal: this.#rows,
      report: this.#figures,
    });
  }
}
