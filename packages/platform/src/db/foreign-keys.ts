/** The order in which tables are filled or distributed. */
import type pg from 'pg';

/** A foreign key between two tables. */
interface ForeignKey {
  readonly child: string;
  readonly parent: string;
}

/** Returns the foreign keys of the schema `public`, without references of a table to itself. */
export async function readForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT c.relname AS child, p.relname AS parent FROM pg_constraint k
       JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid
      WHERE k.contype = 'f' AND k.conrelid <> k.confrelid AND k.connamespace = 'public'::regnamespace`,
  );
  return rows;
}

/**
 * Orders tables so that each comes after the tables that it refers to. @throws Error for a circle
 */
export function parentsFirst(names: readonly string[], keys: readonly ForeignKey[]): string[] {
  const ordered: string[] = [];
  const pending = new Set(names);
  while (pending.size > 0) {
    const free = [...pending].filter((name) => !keys.some((key) => key.child === name && pending.has(key.parent)));
    if (free.length === 0) throw new Error(`foreign keys form a circle among ${[...pending].join(', ')}`);
    for (const name of free) {
      pending.delete(name);
      ordered.push(name);
    }
  }
  return ordered;
}
