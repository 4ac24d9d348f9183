/**
 * Entries of the audit log about undone imports: one at the beginning of an undo, one at its end.
 */
import type { ImportReport } from '@portico/contract';
import type { TenantDb, TenantTx } from '@portico/platform/db/tenant-db';
import { insertEntries } from '../../kernel/audit/index.ts';
import type { ImportEnd, ImportRow } from './imports.repository.ts';

/** Undo: an import that reverts another one. */
type UndoRow = Pick<ImportRow, 'id' | 'communityId' | 'creatorId' | 'undoes' | 'trial'>;

/** Records the beginning of an undo, once: a resumed undo has a phase already. */
export async function recordUndoBegin(db: TenantDb, row: UndoRow): Promise<void> {
  if (row.undoes === null || row.trial) return;
  await db.transaction(async (tx) => {
    const begun = await tx.execute(
      `UPDATE imports SET phase = 'writing' WHERE tenant_id = $1 AND id = $2 AND phase IS NULL AND finished_at IS NULL`,
      [tx.tenantId, row.id],
    );
    if (begun > 0) await insertEntry(tx, row, 'running');
  });
}

/** Records the end of an undo that had begun, in the transaction that ends it. */
export async function recordUndoEnd(tx: TenantTx, row: UndoRow, { state, report }: ImportEnd): Promise<void> {
  if (row.undoes !== null && !row.trial) await insertEntry(tx, row, state, report);
}

async function insertEntry(
  tx: TenantTx,
  { id, communityId, creatorId, undoes }: UndoRow,
  state: ImportEnd['state'] | 'running',
  report: ImportReport = {},
): Promise<void> {
  const after = { undoImportId: id, communityId, state, ...report };
  await insertEntries(tx, { userId: creatorId }, [{ action: 'modified', object: 'import', objectId: undoes, after }]);
}
