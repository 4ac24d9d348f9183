import type { TenantExecutor } from './tenant-db.ts';

/**
 * Takes ids for rows that one INSERT … SELECT makes. They are given in the statement, since a default would be worked out on
 * another node of a cluster. A single row that is inserted by VALUES takes its id from the default.
 * @returns so many, growing
 */
export async function takeIds(tx: Pick<TenantExecutor, 'query'>, table: string, count: number): Promise<number[]> {
  return (await takeIdsOf(tx, { [table]: count }))[table] as number[];
}

/** The same for rows of several tables, in one statement. @param counts by table @returns ids by table */
export async function takeIdsOf<T extends string>(
  tx: Pick<TenantExecutor, 'query'>,
  counts: Readonly<Record<T, number>>,
): Promise<Record<T, number[]>> {
  const tables = Object.keys(counts) as T[];
  const taken = Object.fromEntries(tables.map((table) => [table, []])) as unknown as Record<T, number[]>;
  if (tables.every((table) => counts[table] === 0)) return taken;
  const rows = await tx.query<{ table: T; id: number }>(
    `SELECT t.name AS table, nextval(pg_get_serial_sequence(t.name, 'id')) AS id
       FROM unnest($1::text[], $2::integer[]) AS t (name, count), generate_series(1, t.count)`,
    [tables, tables.map((table) => counts[table])],
  );
  for (const { table, id } of rows) taken[table].push(id);
  return taken;
}
