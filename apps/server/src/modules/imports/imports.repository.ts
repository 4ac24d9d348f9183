/** SQL of imports over the API and of their refusals. */

import type { ImportReport as ImportFigures, ImportPhase, ImportState } from '@portico/contract';
import { importLimits } from '@portico/contract';
import { countRows } from '@portico/platform/db/count-rows';
import type { TenantDb, TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { storableText } from '@portico/platform/text';
import { Parameters, type WriteScope } from '../../kernel/access/index.ts';
import type { DueWork } from '../../kernel/due-work.ts';
import { type PageRequest, readPage, type SortKey } from '../../kernel/paging/index.ts';
import type { Refusal } from './report.ts';

/** Columns of a new import. */
interface NewImport {
  communityId: number;
  contentRef: string;
  fileName: string;
  changesContentRef: string | null;
  changesFileName: string | null;
  mapping: string;
  trial: boolean;
  /** Whether authors, times and histories may come from the file. */
  withHistory: boolean;
  /** Whether missing people may be created. */
  withPeople: boolean;
  /** Import that this undo reverts. */
  undoes: number | null;
  /** Of an archive: users by the keys of its people, as far as they are known; null for another import. */
  archivedPeople?: Readonly<Record<string, number>> | null;
}

/** An import. Times are epoch milliseconds. */
export interface ImportRow extends NewImport {
  id: number;
  creatorId: number;
  createdAt: number;
  state: ImportState;
  phase: ImportPhase | null;
  rowsRead: number;
  rowsTotal: number | null;
  report: ImportFigures | null;
  notes: string[];
  problem: string | null;
  attempts: number;
  cancelledBy: number | null;
  startedAt: number | null;
  finishedAt: number | null;
}

const COLUMNS = `id, community_id AS "communityId", creator_id AS "creatorId", created_at AS "createdAt",
  content_ref AS "contentRef", file_name AS "fileName", changes_content_ref AS "changesContentRef",
  changes_file_name AS "changesFileName", archived_people AS "archivedPeople", mapping, trial, undoes, with_history AS "withHistory", with_people AS "withPeople", state,
  phase, rows_read AS "rowsRead", rows_total AS "rowsTotal", report, notes, problem, attempts, cancelled_by AS "cancelledBy",
  started_at AS "startedAt", finished_at AS "finishedAt"`;

/**
 * @param lock held until the write ends
 * @returns undefined if the tenant has no import with this id
 */
export async function findImport(db: TenantExecutor, id: number, lock = false): Promise<ImportRow | undefined> {
  const [row] = await db.query<ImportRow>(
    `SELECT ${COLUMNS} FROM imports WHERE tenant_id = $1 AND id = $2${lock ? ' FOR UPDATE' : ''}`,
    [db.tenantId, id],
  );
  return row;
}

/** Imports of a community, the newest first. */
export async function importsOf(db: TenantExecutor, communityId: number, page: PageRequest<SortKey>) {
  const where = ['tenant_id = $1', 'community_id = $2'];
  const order = [{ sql: 'id', desc: true, type: 'bigint' }] as const;
  const parameters = new Parameters([db.tenantId, communityId]);
  return readPage<ImportRow>(db, page, { select: COLUMNS, from: 'imports', where, order }, parameters);
}

/**
 * Counts the open imports of a community. Locks: concurrent starts in one community wait for each
 * other.
 */
export async function countWaiting(tx: TenantTx, communityId: number): Promise<number> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('portico.imports.' || $1 || '.' || $2, 0))`, [
    tx.tenantId,
    communityId,
  ]);
  return countRows(tx, 'imports WHERE tenant_id = $1 AND community_id = $2 AND finished_at IS NULL', [
    tx.tenantId,
    communityId,
  ]);
}

export async function insertImport({ tx, actor, now }: WriteScope, made: NewImport): Promise<number> {
  const [row] = await tx.create<{ id: number }>(
    'imports',
    `INSERT INTO imports (tenant_id, community_id, creator_id, created_at, content_ref, file_name, changes_content_ref,
        changes_file_name, mapping, trial, with_history, with_people, undoes, archived_people, state)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::jsonb, 'waiting') RETURNING id`,
    [
      tx.tenantId,
      made.communityId,
      actor.userId,
      new Date(now),
      made.contentRef,
      made.fileName,
      made.changesContentRef,
      made.changesFileName,
      made.mapping,
      made.trial,
      made.withHistory,
      made.withPeople,
      made.undoes,
      made.archivedPeople ? JSON.stringify(made.archivedPeople) : null,
    ],
  );
  return row!.id;
}

/** Adds users by keys of an archive, with which an interrupted import goes on. */
export async function addArchivedPeople(
  tx: TenantTx,
  importId: number,
  people: Readonly<Record<string, number>>,
): Promise<void> {
  await tx.send('UPDATE imports SET archived_people = archived_people || $3::jsonb WHERE tenant_id = $1 AND id = $2', [
    tx.tenantId,
    importId,
    JSON.stringify(people),
  ]);
}

/**
 * Returns the undo that waits, runs or is done, by the id of the import. A trial of an undo does not
 * count.
 * @param rows of one community
 */
export async function undosOf(db: TenantExecutor, rows: readonly ImportRow[]): Promise<Map<number, number>> {
  const undoable = rows.filter(({ trial, undoes, finishedAt }) => !trial && undoes === null && finishedAt !== null);
  const ids = undoable.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  // An undo is younger than its import: the index passes over the older ones.
  const found = await db.query<{ id: number; undoes: number }>(
    `SELECT id, undoes FROM imports
      WHERE tenant_id = $1 AND community_id = $2 AND id > $3 AND undoes = ANY ($4::bigint[]) AND NOT trial
        AND state IN ('waiting', 'running', 'done')`,
    [db.tenantId, undoable[0]!.communityId, Math.min(...ids), ids],
  );
  return new Map(found.map(({ id, undoes }) => [undoes, id]));
}

/** A node renews its claim every ten seconds: after this time it works on the import no more, as after an outage of the database. Milliseconds. */
const ABANDONED_MS = 30_000;

/** Cancels an import: at once where no node works on it, else its node stops. */
export async function cancel({ tx, actor, now }: WriteScope, { id }: ImportRow): Promise<void> {
  await tx.sendChange(
    'imports',
    [id],
    `UPDATE imports i SET cancelled_by = $3, phase = NULL, state = CASE WHEN idle THEN 'cancelled' ELSE state END,
        finished_at = CASE WHEN idle THEN $4::timestamptz END
       FROM (SELECT claimed_at IS NULL OR claimed_at < $5 AS idle FROM imports WHERE tenant_id = $1 AND id = $2) AS claim
      WHERE i.tenant_id = $1 AND i.id = $2`,
    [tx.tenantId, id, actor.userId, new Date(now), new Date(now - ABANDONED_MS)],
  );
}

/** Imports that have not ended. */
export const importsDue: DueWork = { waiting: 'SELECT FROM imports WHERE tenant_id = $1 AND finished_at IS NULL' };

/**
 * Condition of imports that wait for a node: nobody claimed them, or the claim is of a node that has died.
 * @param lost parameter, before which such a claim was renewed last
 */
const isDue = (alias: string, lost: string) =>
  `${alias}.finished_at IS NULL AND (${alias}.claimed_at IS NULL OR ${alias}.claimed_at < ${lost})`;

/**
 * Returns whether an import of the tenant waits for a node.
 * @param lost epoch milliseconds: see {@link isDue}
 */
export async function isAnyDue(db: TenantExecutor, lost: number): Promise<boolean> {
  const rows = await db.query(`SELECT FROM imports i WHERE i.tenant_id = $1 AND ${isDue('i', '$2')} LIMIT 1`, [
    db.tenantId,
    new Date(lost),
  ]);
  return rows.length > 0;
}

/**
 * Claims the import that has waited longest. Imports of one community run one after the other, also
 * on several nodes: a later file may add to the posts of an earlier one. The number of the attempt
 * distinguishes the claim from claims of other nodes.
 * @param now epoch milliseconds
 */
export async function claimImport(db: TenantExecutor, now: number, lost: number): Promise<ImportRow | undefined> {
  const [row] = await db.query<ImportRow>(
    // As a subquery of the WHERE clause, it may run once per row, and each run would claim another import.
    `WITH due AS MATERIALIZED (
       SELECT i.id FROM imports i
        WHERE i.tenant_id = $1 AND ${isDue('i', '$3')}
          AND NOT EXISTS (SELECT FROM imports e WHERE e.tenant_id = $1 AND e.community_id = i.community_id
                 AND e.finished_at IS NULL AND e.id < i.id)
        ORDER BY i.id LIMIT 1 FOR UPDATE OF i SKIP LOCKED)
     UPDATE imports SET claimed_at = $2, attempts = attempts + 1, state = 'running', started_at = coalesce(started_at, $2)
      WHERE tenant_id = $1 AND id IN (SELECT due.id FROM due)
     RETURNING ${COLUMNS}`,
    [db.tenantId, new Date(now), new Date(lost)],
  );
  return row;
}

/**
 * Import as claimed by a node. Once another node has claimed it, because this one seemed dead, this
 * one's writes to it have no effect.
 */
type ClaimedImport = Pick<ImportRow, 'id' | 'attempts'>;

/** The progress of an import. */
interface SavedProgress {
  readonly phase: ImportPhase;
  readonly rowsRead: number;
  readonly rowsTotal: number | null;
  readonly report: ImportFigures | null;
}

/**
 * Renews the claim and saves the progress.
 * @returns whether the import continues here: it was not cancelled, and no other node has claimed
 * it
 */
export async function saveProgress(
  db: TenantExecutor,
  { id, attempts }: ClaimedImport,
  now: number,
  { phase, rowsRead, rowsTotal, report }: SavedProgress,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE imports SET claimed_at = $3, phase = $4, rows_read = $5, rows_total = coalesce($6, rows_total),
        report = coalesce($7::jsonb, report)
      WHERE tenant_id = $1 AND id = $2 AND attempts = $8 AND finished_at IS NULL AND cancelled_by IS NULL RETURNING 1`,
    [db.tenantId, id, new Date(now), phase, rowsRead, rowsTotal, report && JSON.stringify(report), attempts],
  );
  return rows.length > 0;
}

/** Releases an import, so that it can be resumed. */
export async function releaseImport(db: TenantExecutor, { id, attempts }: ClaimedImport): Promise<void> {
  await db.execute(
    `UPDATE imports SET claimed_at = NULL, attempts = attempts - 1
      WHERE tenant_id = $1 AND id = $2 AND attempts = $3 AND finished_at IS NULL`,
    [db.tenantId, id, attempts],
  );
}

/** Outcome of an import. */
export interface ImportEnd {
  readonly state: 'done' | 'cancelled' | 'failed';
  readonly report?: ImportFigures;
  readonly rows?: number;
  readonly rowsRead?: number;
  readonly notes?: readonly string[];
  readonly problem?: string;
  readonly refusals?: readonly Refusal[];
}

const REFUSALS_AT_ONCE = 400;

/** A text of the input as it can be stored, with a sign in place of each NUL. */
const shownText = (text: string) => storableText(text.replaceAll('\0', '\u2400'));

/**
 * Ends an import. Makes the quoted input in its texts storable.
 * @param note called in the transaction that ends it
 */
export async function endImport(
  db: TenantDb,
  { id, attempts }: ClaimedImport,
  now: number,
  end: ImportEnd,
  note?: (tx: TenantTx) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await tx.execute(
      `UPDATE imports SET state = $3, finished_at = $4, phase = NULL, report = coalesce($5::jsonb, report),
          rows_total = coalesce($6, rows_total), rows_read = coalesce($7, rows_read), notes = $8, problem = $9
        WHERE tenant_id = $1 AND id = $2 AND attempts = $10 AND finished_at IS NULL`,
      [
        tx.tenantId,
        id,
        end.state,
        new Date(now),
        end.report ? JSON.stringify(end.report) : null,
        end.rows ?? null,
        end.rowsRead ?? null,
        (end.notes ?? []).map(shownText),
        end.problem === undefined ? null : shownText(end.problem),
        attempts,
      ],
    );
    if (ended === 0) return;
    await note?.(tx);
    await tx.send('DELETE FROM import_refusals WHERE tenant_id = $1 AND import_id = $2', [tx.tenantId, id]);
    const refusals = end.refusals ?? [];
    for (let at = 0; at < refusals.length; at += REFUSALS_AT_ONCE) {
      const batch = refusals.slice(at, at + REFUSALS_AT_ONCE);
      await tx.send(
        `INSERT INTO import_refusals (tenant_id, import_id, position, file, line, column_name, value, reason, lost)
         SELECT a.tenant_id, $2, r.*
           FROM tenant_versions a, unnest($3::integer[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::text[])
                  AS r (position, file, line, column_name, value, reason, lost)
          WHERE a.tenant_id = $1`,
        [
          tx.tenantId,
          id,
          batch.map((_, index) => at + index),
          batch.map(({ file }) => file),
          batch.map(({ line }) => line),
          batch.map(({ column }) => (column === undefined ? null : shownText(column))),
          batch.map(({ value }) => (value === undefined ? null : shownText(value))),
          batch.map(({ reason }) => shownText(reason)),
          batch.map(({ lost }) => lost),
        ],
      );
    }
  });
}

/** A refusal of an import. */
interface RefusalRow {
  position: number;
  file: Refusal['file'];
  line: number;
  column: string | null;
  value: string | null;
  reason: string;
  lost: Refusal['lost'];
}

export async function refusalsOf(db: TenantExecutor, importId: number, page: PageRequest<SortKey>) {
  return readPage<RefusalRow>(
    db,
    page,
    {
      select: 'position, file, line, column_name AS column, value, reason, lost',
      from: 'import_refusals',
      where: ['tenant_id = $1', 'import_id = $2'],
      order: [{ sql: 'position', desc: false, type: 'integer' }],
    },
    new Parameters([db.tenantId, importId]),
  );
}

/** Due time of the removal of ended imports. */
export const endedImportsDue: DueWork = {
  earliest: 'SELECT min(finished_at) FROM imports WHERE tenant_id = $1',
  afterMs: () => importLimits.days * 86_400_000,
};

/** Removes imports that ended before. Their files are removed as unused ones. */
export async function forgetImports(db: TenantExecutor, before: number): Promise<void> {
  await db.execute('DELETE FROM imports WHERE tenant_id = $1 AND finished_at < $2', [db.tenantId, new Date(before)]);
}
