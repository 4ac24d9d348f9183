import type { TenantTx } from '@portico/platform/db/tenant-db';
import { belongsToSql, type RegisteredTable, type Tables } from './registry.ts';

/**
 * Removes rows of a table that belong to objects of another one, at most so many.
 * @param root table of the objects: the table itself, its parent, or a parent of that
 * @returns how many rows, and the stored files that they referred to
 */
export async function eraseRows(
  tx: TenantTx,
  tables: Tables,
  table: RegisteredTable,
  root: string,
  ids: readonly number[],
  limit: number,
): Promise<{ count: number; contentRefs: string[] }> {
  const gone = await tx.query<{ contentRefs: string[] }>(
    `DELETE FROM ${table.name} WHERE tenant_id = $1 AND ctid = ANY (ARRAY(
       SELECT t.ctid FROM ${table.name} t WHERE t.tenant_id = $1 AND ${belongsToSql(tables, table, root, '$2::bigint[]')}
        ${table.eraseOrder ? `ORDER BY ${table.eraseOrder}` : ''} LIMIT $3))
     RETURNING array_remove(ARRAY[${(table.files ?? []).join(', ')}]::text[], NULL) AS "contentRefs"`,
    [tx.tenantId, ids, limit],
  );
  return { count: gone.length, contentRefs: gone.flatMap((row) => row.contentRefs) };
}

/** Removes rows of a table whose column names a person, at most so many. @returns how many */
export function eraseRowsOfPerson(
  tx: TenantTx,
  table: RegisteredTable,
  column: string,
  userId: number,
  limit: number,
): Promise<number> {
  return tx.execute(
    `DELETE FROM ${table.name} WHERE tenant_id = $1 AND ctid = ANY (ARRAY(
       SELECT t.ctid FROM ${table.name} t WHERE t.tenant_id = $1 AND t.${column} = $2 LIMIT $3))`,
    [tx.tenantId, userId, limit],
  );
}
