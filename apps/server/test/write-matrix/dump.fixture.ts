/** The rows of a tenant before and after a write, to be compared. */
import { expect } from 'vitest';
import type { TestWorld } from './recipes.fixture.ts';

/** Rows of every table of a tenant. Most dumps are compared as texts alone, so a table is parsed when its rows are read. */
export class Dump {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #lines = new Map<string, readonly string[]>();

  /** @param texts JSON arrays of lines, by table */
  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  get tables(): string[] {
    return [...this.#texts.keys()];
  }

  /** Rows of a table as lines of JSON, sorted. */
  lines(table: string): readonly string[] {
    let lines = this.#lines.get(table);
    if (!lines) {
      lines = (JSON.parse(this.#texts.get(table) as string) as string[]).sort();
      this.#lines.set(table, lines);
    }
    return lines;
  }

  /** Tables whose rows are not those of another dump of the same tenant. */
  changedSince(before: Dump): string[] {
    return this.tables.filter((table) => {
      if (this.#texts.get(table) === before.#texts.get(table)) return false;
      const [then, now] = [before.lines(table), this.lines(table)];
      return then.length !== now.length || then.some((line, index) => line !== now[index]);
    });
  }
}

/** The statements of {@link dump} and {@link mark}: all databases of a run have the same tables. */
let statements: { readonly dump: string; readonly mark: string } | undefined;

/**
 * Reads every row of every table of the tenant, but times of access, and wrong passwords and codes, which are counted
 * whatever becomes of a write.
 */
export async function dump(world: TestWorld): Promise<Dump> {
  const rows = await ofEveryTable<{ name: string; lines: string | null }>(world, 'dump');
  return new Dump(new Map(rows.map(({ name, lines }) => [name, lines ?? '[]'])));
}

/** Numbers of rows of each table of a tenant, and a hash of them, at a moment. */
interface Marks {
  readonly tables: ReadonlyMap<string, string>;
  /** `pg_current_snapshot()`. */
  readonly snapshot: string;
}

/** Marks the rows of a tenant, of which a {@link dump} would be compared only as a whole. */
export async function mark(world: TestWorld): Promise<Marks> {
  const rows = await ofEveryTable<{ name: string; rows: string; hash: string; snapshot: string }>(world, 'mark');
  return {
    tables: new Map(rows.map(({ name, rows: count, hash }) => [name, `${count} rows, hash ${hash}`])),
    snapshot: rows[0]!.snapshot,
  };
}

/** Fails, with the present rows that are new or changed, where a write that was refused or tried changed a row. */
export async function expectUnchanged(world: TestWorld, before: Marks): Promise<void> {
  const after = await mark(world);
  for (const [table, marked] of after.tables) {
    if (marked === before.tables.get(table)) continue;
    const { rows } = await world.portal.owner.query(
      `SELECT to_jsonb(t) AS row FROM ${table} t
        WHERE tenant_id = $1 AND NOT pg_visible_in_snapshot(t.xmin::text::xid8, $2::pg_snapshot)`,
      [world.tenant.tenant.id, before.snapshot],
    );
    expect({ marked, rows: rows.map(({ row }) => row) }, table).toEqual({ marked: before.tables.get(table), rows: [] });
  }
}

async function ofEveryTable<Row extends object>(world: TestWorld, name: 'dump' | 'mark'): Promise<Row[]> {
  const { owner } = world.portal;
  const tenantId = world.tenant.tenant.id;
  await owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(tenantId)]);
  statements ??= await makeStatements(owner);
  // Prepared, and rows as one text: tests ask a thousand times, and planning and parsing would cost the most.
  const { rows } = await owner.query<Row>({ name, text: statements[name], values: [tenantId] });
  return rows;
}

async function makeStatements(owner: TestWorld['portal']['owner']): Promise<NonNullable<typeof statements>> {
  const { rows: tables } = await owner.query<{ name: string; accessed: boolean }>(
    `SELECT c.relname AS name, EXISTS (SELECT FROM pg_attribute l WHERE l.attrelid = c.oid AND l.attname = 'last_access_at'
              AND NOT l.attisdropped) AS accessed
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
      WHERE c.relkind = 'r' AND c.relname <> 'sign_in_failures' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const ofTables = (select: (table: { name: string; accessed: boolean }) => string) =>
    tables.map((table) => `SELECT ${select(table)} FROM ${table.name} t WHERE tenant_id = $1`).join(' UNION ALL ');
  return {
    dump: ofTables(({ name }) => `'${name}' AS name, json_agg((to_jsonb(t) - 'last_access_at')::text)::text AS lines`),
    mark: ofTables(
      ({ name, accessed }) => `'${name}' AS name, count(*)::text AS rows, pg_current_snapshot()::text AS snapshot,
        coalesce(sum(hashtextextended(${accessed ? "(to_jsonb(t) - 'last_access_at')" : 't'}::text, 0)), 0)::text AS hash`,
    ),
  };
}
