/** Encrypted columns of all tables, of one tenant at a time: encrypted anew with the newest key, and counted by key. */
import type { TenantDb, TenantExecutor } from '@portico/platform/db/tenant-db';
import { type SealedPlace, type Sealer, SealingError, sealingKeyIdSql } from '@portico/platform/sealing';
import type { Table } from './define-tables.ts';

/** Values that one transaction changes at most. */
const BATCH = 500;

type Tables = Iterable<readonly [string, Pick<Table, 'sealed'>]>;

interface SealedColumn {
  table: string;
  row: string;
  column: string;
  words: string;
}

function sealedColumns(tables: Tables): SealedColumn[] {
  return [...tables].flatMap(([table, { sealed }]) => (sealed ? [{ table, ...sealed }] : []));
}

/**
 * Encrypts the values of a tenant that need an older key with the newest key, at most {@link BATCH}
 * in one transaction.
 * @returns number of encrypted values
 * @throws SealingError for a value that no key opens
 */
export async function sealRows(db: TenantDb, tables: Tables, sealer: Sealer): Promise<number> {
  let count = 0;
  for (const column of sealedColumns(tables)) {
    for (;;) {
      const done = await db.transaction((tx) => sealBatch(tx, column, sealer));
      count += done;
      if (done < BATCH) break;
    }
  }
  return count;
}

async function sealBatch(tx: TenantExecutor, of: SealedColumn, sealer: Sealer): Promise<number> {
  const { table, row, column } = of;
  const found = await tx.query<{ row: string; sealed: Buffer }>(
    `SELECT t.${row}::text AS row, t.${column} AS sealed FROM ${table} t
      WHERE t.tenant_id = $1 AND ${sealingKeyIdSql(`t.${column}`)} <> $2 ORDER BY t.${row} LIMIT ${BATCH} FOR UPDATE`,
    [tx.tenantId, sealer.keyIds[0]],
  );
  await updateSealed(tx, of, found, (value) => {
    const place = { tenantId: tx.tenantId, table, column, row: value.row };
    return sealer.seal(openNamed(sealer, value, place, of.words), place);
  });
  return found.length;
}

/**
 * Encrypts the values of a tenant that came with another id, for their present place and with the
 * newest key.
 * @param tx a transaction @param from the id for which they are encrypted
 * @throws SealingError for a value that no key opens
 */
export async function resealRows(
  tx: Pick<TenantExecutor, 'tenantId' | 'query' | 'execute'>,
  tables: Tables,
  sealer: Sealer,
  from: number,
): Promise<void> {
  for (const of of sealedColumns(tables)) {
    const { table, row, column } = of;
    let after = '';
    for (;;) {
      const found = await tx.query<{ row: string; sealed: Buffer }>(
        `SELECT t.${row}::text AS row, t.${column} AS sealed FROM ${table} t
          WHERE t.tenant_id = $1 AND t.${column} IS NOT NULL AND t.${row}::text COLLATE "C" > $2
          ORDER BY t.${row}::text COLLATE "C" LIMIT ${BATCH}`,
        [tx.tenantId, after],
      );
      const place = { table, column };
      await updateSealed(tx, of, found, (value) =>
        sealer.seal(openNamed(sealer, value, { ...place, tenantId: from, row: value.row }, of.words), {
          ...place,
          tenantId: tx.tenantId,
          row: value.row,
        }),
      );
      if (found.length < BATCH) break;
      after = found.at(-1)!.row;
    }
  }
}

interface SealedValue {
  readonly row: string;
  readonly sealed: Buffer;
}

/** Decrypts a value. @throws SealingError whose message names the value */
function openNamed(sealer: Sealer, { sealed }: SealedValue, place: SealedPlace, words: string): Buffer {
  try {
    return sealer.open(sealed, place);
  } catch (error) {
    if (!(error instanceof SealingError)) throw error;
    const { reason, keyId } = error;
    const at = `${words} (${place.table}.${place.column}, row ${place.row})`;
    const message =
      keyId === undefined
        ? `${at} is damaged: it was changed outside of the service, or belongs to another row`
        : `${at} is encrypted with the key ${keyId}, which is not configured`;
    throw new SealingError(reason, message, { cause: error, ...(keyId !== undefined && { keyId }) });
  }
}

async function updateSealed(
  tx: Pick<TenantExecutor, 'tenantId' | 'execute'>,
  { table, row, column }: SealedColumn,
  found: readonly SealedValue[],
  seal: (value: SealedValue) => Buffer,
): Promise<void> {
  if (found.length === 0) return;
  await tx.execute(
    `UPDATE ${table} t SET ${column} = v.sealed FROM unnest($2::text[], $3::bytea[]) AS v (row, sealed)
      WHERE t.tenant_id = $1 AND t.${row}::text = v.row`,
    [tx.tenantId, found.map((value) => value.row), found.map(seal)],
  );
}

/** Number of values of a table that need a key. */
export interface SealedCount {
  table: string;
  keyId: string;
  count: number;
}

/** Counts the secrets of a tenant by table and key. */
export async function countSealed(
  db: Pick<TenantExecutor, 'tenantId' | 'query'>,
  tables: Tables,
): Promise<SealedCount[]> {
  const counts = sealedColumns(tables).map(
    ({ table, column }) =>
      `SELECT '${table}' AS "table", ${sealingKeyIdSql(`t.${column}`)} AS "keyId", count(*) AS count FROM ${table} t
        WHERE t.tenant_id = $1 AND t.${column} IS NOT NULL GROUP BY 2`,
  );
  return counts.length === 0 ? [] : db.query<SealedCount>(counts.join(' UNION ALL '), [db.tenantId]);
}
