/** Imports as clients see them (operations listImports, getImport, listImportRefusals, cancelImport). */
import type {
  Import,
  ListImportRefusalsRequest,
  ListImportRefusalsResponse,
  ListImportsRequest,
  ListImportsResponse,
} from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { writeTransaction } from '../../kernel/access/index.ts';
import { invalid, notFound } from '../../kernel/errors.ts';
import { readPaging, type SortKey } from '../../kernel/paging/index.ts';
import type { Actor, Context, Scope } from '../../kernel/scope.ts';
import { usersOf } from '../people/index.ts';
import { requireImporter } from './imports.policy.ts';
import { cancel, findImport, type ImportRow, importsOf, refusalsOf, undosOf } from './imports.repository.ts';
import { recordUndoEnd } from './undo-entries.ts';

/** An import that the actor may see. @throws PorticoError NOT_FOUND, also in a community that they do not see; FORBIDDEN */
export async function requireImport(db: TenantExecutor, actor: Actor, id: number, lock = false): Promise<ImportRow> {
  const found = await findImport(db, id, lock);
  if (!found) throw notFound();
  requireImporter(actor, found.communityId);
  return found;
}

/** Imports of one community as clients get them. @param known their undos, by the id of the import */
export async function presentImports(
  scope: Context,
  db: TenantExecutor,
  rows: readonly ImportRow[],
  known?: ReadonlyMap<number, number>,
): Promise<Import[]> {
  const users = await usersOf(
    scope,
    db,
    rows.map(({ creatorId }) => creatorId),
  );
  const undos = known ?? (await undosOf(db, rows));
  return rows.map((row) => ({
    id: row.id,
    communityId: row.communityId,
    fileName: row.fileName,
    changesFileName: row.changesFileName ?? undefined,
    mapping: row.mapping,
    ...(row.archivedPeople && { archive: true }),
    trial: row.trial,
    undoesImportId: row.undoes ?? undefined,
    undoneByImportId: undos.get(row.id),
    state: row.state,
    phase: row.phase ?? undefined,
    readRows: row.rowsRead,
    rows: row.rowsTotal ?? undefined,
    report: row.report || undefined,
    notes: row.notes,
    problem: row.problem ?? undefined,
    creatorUser: users.get(row.creatorId),
    creationTimestamp: row.createdAt,
    startTimestamp: row.startedAt ?? undefined,
    endTimestamp: row.finishedAt ?? undefined,
  }));
}

/** @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError */
export async function listImports(
  scope: Scope,
  communityId: number,
  input: ListImportsRequest,
): Promise<ListImportsResponse> {
  requireImporter(scope.actor, communityId);
  const page = readPaging<SortKey>(scope, 'listImports', input, [communityId]);
  const { rows, ...paging } = await importsOf(scope.db, communityId, page);
  return { items: await presentImports(scope, scope.db, rows), ...paging };
}

/** @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function getImport(scope: Scope, importId: number): Promise<Import> {
  const [shown] = await presentImports(scope, scope.db, [await requireImport(scope.db, scope.actor, importId)]);
  return shown!;
}

/** @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError */
export async function listImportRefusals(
  scope: Scope,
  importId: number,
  input: ListImportRefusalsRequest,
): Promise<ListImportRefusalsResponse> {
  await requireImport(scope.db, scope.actor, importId);
  const page = readPaging<SortKey>(scope, 'listImportRefusals', input, [importId]);
  const { rows, ...paging } = await refusalsOf(scope.db, importId, page);
  return {
    items: rows.map(({ line, file, column, value, reason, lost }) => ({
      line,
      file,
      column: column ?? undefined,
      value: value ?? undefined,
      reason,
      lost,
    })),
    ...paging,
  };
}

/** @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError for an import that has ended */
export async function cancelImport(scope: Scope, importId: number): Promise<Import> {
  return writeTransaction(scope, 'none', async (write) => {
    const found = await requireImport(write.tx, write.actor, importId, true);
    if (found.finishedAt !== null) throw invalid('importId', 'INVALID_VALUE', `This import has ended: ${found.state}.`);
    await cancel(write, found);
    const row = (await findImport(write.tx, importId))!;
    // An undo that a node works on is recorded by that node when it stops.
    if (row.finishedAt !== null && found.phase !== null)
      await recordUndoEnd(write.tx, { ...row, creatorId: write.actor.userId }, { state: 'cancelled' });
    // Only an import that has ended has an undo, and this one ran until now.
    const [shown] = await presentImports(write, write.tx, [row], new Map());
    return shown!;
  });
}
