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

/** The statement of {@link dump}: all databases of a run have the same tables. */
let dumpStatement: string | undefined;

/**
 * Reads every row of every table of the tenant, but times of access, and wrong passwords and codes, which are counted
 * whatever becomes of a write.
 */
export async function dump(world: TestWorld): Promise<Dump> {
  const { owner } = world.portal;
  const tenantId = world.tenant.tenant.id;
  await owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(tenantId)]);
  dumpStatement ??= await makeDumpStatement(owner);
  // Prepared, and rows as one text: tests ask a thousand times, and planning and parsing would cost the most.
  const { rows } = await owner.query<{ name: string; lines: string | null }>({
    name: 'dump',
    text: dumpStatement,
    values: [tenantId],
  });
  return new Dump(new Map(rows.map(({ name, lines }) => [name, lines ?? '[]'])));
}

/** Fails, with the rows that differ, where a write that was refused or tried changed a row. */
export async function expectUnchanged(world: TestWorld, before: Dump): Promise<void> {
  const after = await dump(world);
  for (const table of after.changedSince(before)) expect(after.lines(table), table).toEqual(before.lines(table));
}

async function makeDumpStatement(owner: TestWorld['portal']['owner']): Promise<string> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
      WHERE c.relkind = 'r' AND c.relname <> 'sign_in_failures' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return tables
    .map(
      ({ name }) => `SELECT '${name}' AS name, json_agg((to_jsonb(t) - 'last_access_at')::text)::text AS lines
        FROM ${name} t WHERE tenant_id = $1`,
    )
    .join(' UNION ALL ');
}
