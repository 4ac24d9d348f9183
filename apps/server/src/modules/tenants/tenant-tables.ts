import type pg from 'pg';

/** A table with rows of tenants. */
export interface TenantTable {
  readonly name: string;
  /** A foreign key to the table itself: the referring column and the referenced one, beside the tenant. */
  readonly selfReference: { readonly column: string; readonly key: string } | undefined;
}

/**
 * The tables with rows of tenants as the database has them, referring tables before the tables that
 * they refer to.
 */
export async function tenantTablesInOrder(client: pg.ClientBase): Promise<TenantTable[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY c.relname`,
  );
  const { rows: edges } = await client.query<{ child: string; parent: string; column: string; key: string }>(
    `SELECT k.conrelid::regclass::text AS child, k.confrelid::regclass::text AS parent,
            (SELECT attname FROM pg_attribute WHERE attrelid = k.conrelid AND attnum = k.conkey[array_upper(k.conkey, 1)]) AS column,
            (SELECT attname FROM pg_attribute WHERE attrelid = k.confrelid AND attnum = k.confkey[array_upper(k.confkey, 1)]) AS key
       FROM pg_constraint k WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace`,
  );
  const remaining = new Set(tables.map((table) => table.name));
  const ordered: TenantTable[] = [];
  while (remaining.size > 0) {
    const free = [...remaining].filter(
      (name) => !edges.some((edge) => edge.parent === name && edge.child !== name && remaining.has(edge.child)),
    );
    if (free.length === 0) throw new Error(`foreign keys form a circle among ${[...remaining].join(', ')}`);
    for (const name of free) {
      const own = edges.find((edge) => edge.parent === name && edge.child === name);
      ordered.push({ name, selfReference: own && { column: own.column, key: own.key } });
      remaining.delete(name);
    }
  }
  return ordered;
}
