/** Encrypted columns of all tables, of one tenant at a time: encrypted anew with the newest key, and counted by key. */
import type { TenantDb, TenantExecutor } from '../../platform/db/tenant-db.ts';
import { type Sealer, sealingKeyIdSql } from '../../platform/sealing/index.ts';
import type { Table } from './define-tables.ts';

/** Values that one transaction changes at most. */
const BATCH = 500;

interface SealedColumn {
  table: string;
  row: string;
  column: string;
  /** SQL of the bytes that an earlier version stored without encryption. */
  plainBytes: string;
  /** The assignment that empties it. */
  emptyPlain: string;
}

/**
 * Values to encrypt: `plain` values that an earlier version stored without encryption, `outdated`
 * values that need the newest key.
 */
type SealingTask = 'plain' | 'outdated';

function plainBytesSql(plain: string | undefined, form: string | undefined): string {
  if (plain === undefined) return 'NULL::bytea';
  return form === 'json' ? `convert_to(t.${plain}::text, 'UTF8')` : `t.${plain}`;
}

function sealedColumns(tables: Iterable<readonly [string, Pick<Table, 'sealed'>]>): SealedColumn[] {
  return [...tables].flatMap(([table, { sealed }]) =>
    Object.entries(sealed?.columns ?? {}).map(([column, { plain, form }]) => ({
      table,
      row: sealed!.row,
      column,
      plainBytes: plainBytesSql(plain, form),
      emptyPlain: plain === undefined ? '' : `, ${plain} = NULL`,
    })),
  );
}

/**
 * Encrypts values of a tenant with the newest key, at most {@link BATCH} in one transaction.
 * @returns how many
 * @throws SealingError for a value that no key opens
 */
export async function sealRows(
  db: TenantDb,
  tables: Iterable<readonly [string, Pick<Table, 'sealed'>]>,
  sealer: Sealer,
  task: SealingTask,
): Promise<number> {
  let count = 0;
  for (const column of sealedColumns(tables)) {
    for (;;) {
      const done = await db.transaction((tx) => sealBatch(tx, column, sealer, task));
      count += done;
      if (done < BATCH) break;
    }
  }
  return count;
}

async function sealBatch(tx: TenantExecutor, of: SealedColumn, sealer: Sealer, task: SealingTask): Promise<number> {
  const { table, row, column, plainBytes, emptyPlain } = of;
  const chosen = task === 'plain' ? `${plainBytes} IS NOT NULL` : `${sealingKeyIdSql(`t.${column}`)} <> $2`;
  const found = await tx.query<{ row: string; plain: Buffer | null; sealed: Buffer | null }>(
    `SELECT t.${row}::text AS row, ${plainBytes} AS plain, t.${column} AS sealed FROM ${table} t
      WHERE t.tenant_id = $1 AND ${chosen} ORDER BY t.${row} LIMIT ${BATCH} FOR UPDATE`,
    task === 'plain' ? [tx.tenantId] : [tx.tenantId, sealer.keyIds[0]],
  );
  if (found.length === 0) return 0;
  const sealed = found.map((value) => {
    const place = { tenantId: tx.tenantId, table, column, row: value.row };
    return sealer.seal(value.plain ?? sealer.open(value.sealed!, place), place);
  });
  await tx.execute(
    `UPDATE ${table} t SET ${column} = v.sealed${emptyPlain} FROM unnest($2::text[], $3::bytea[]) AS v (row, sealed)
      WHERE t.tenant_id = $1 AND t.${row}::text = v.row`,
    [tx.tenantId, found.map((value) => value.row), sealed],
  );
  return found.length;
}

/** How many values of a table need a key; a key of null: without encryption. */
export interface SealedCount {
  table: string;
  keyId: string | null;
  count: number;
}

/** The secrets of a tenant, by table and key. */
export async function countSealed(
  db: TenantExecutor,
  tables: Iterable<readonly [string, Pick<Table, 'sealed'>]>,
): Promise<SealedCount[]> {
  const counts = sealedColumns(tables).map(
    ({ table, column, plainBytes }) =>
      `SELECT '${table}' AS "table", ${sealingKeyIdSql(`t.${column}`)} AS "keyId", count(*) AS count FROM ${table} t
        WHERE t.tenant_id = $1 AND (t.${column} IS NOT NULL OR ${plainBytes} IS NOT NULL) GROUP BY 2`,
  );
  return counts.length === 0 ? [] : db.query<SealedCount>(counts.join(' UNION ALL '), [db.tenantId]);
}
