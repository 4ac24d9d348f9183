import type { TenantExecutor } from './tenant-db.ts';

/** How many rows there are. @param from SQL that follows FROM */
export async function countRows(db: TenantExecutor, from: string, values: readonly unknown[]): Promise<number> {
  const [row] = await db.query<{ count: number }>(`SELECT count(*) AS count FROM ${from}`, values);
  return row!.count;
}
