/**
 * Indexes around a bulk load: an index built at the end, sorted, takes a fraction of the time and
 * is denser than an index that grew with twenty million rows. They are restored exactly as the
 * migrations created them.
 */
import pg from 'pg';

/** A dropped index or key, with the statements that create it again. */
interface Dropped {
  readonly name: string;
  readonly statements: readonly string[];
  /** Order of creation: higher weights take longer. */
  readonly weight: number;
}

const HEAVY = ['post_search__doc', 'post_texts__norm', 'post_search__description', 'post_values_pkey', 'post_values__'];

function weightOf(name: string): number {
  const index = HEAVY.findIndex((prefix) => name.startsWith(prefix));
  return index < 0 ? 0 : HEAVY.length - index;
}

/**
 * Drops the secondary indexes of tables, and the primary keys that no foreign key needs. Autovacuum
 * skips the tables until {@link allowVacuum}.
 * @param owner a superuser's connection
 */
export async function dropIndexes(owner: pg.Client, tables: readonly string[]): Promise<Dropped[]> {
  const { rows: keys } = await owner.query<{ table: string; name: string; definition: string }>(
    `SELECT k.conrelid::regclass::text AS table, k.conname AS name, pg_get_indexdef(k.conindid) AS definition
       FROM pg_constraint k
      WHERE k.contype = 'p' AND k.conrelid::regclass::text = ANY ($1::text[])
        AND NOT EXISTS (SELECT FROM pg_constraint f WHERE f.contype = 'f' AND f.confrelid = k.conrelid)
      ORDER BY k.conname`,
    [tables],
  );
  const { rows: indexes } = await owner.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
       FROM pg_index i
      WHERE i.indrelid::regclass::text = ANY ($1::text[])
        AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
      ORDER BY 1`,
    [tables],
  );
  const dropped: Dropped[] = [];
  // Autovacuum would start on half-filled tables; everything is vacuumed at the end.
  for (const table of tables) await owner.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  for (const { table, name, definition } of keys) {
    await owner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    // In two steps, because adding a key in one step would lock the table against the creation of
    // its other indexes.
    const attach = `ALTER TABLE ${table} ADD CONSTRAINT ${name} PRIMARY KEY USING INDEX ${name}`;
    dropped.push({ name, statements: [definition, attach], weight: weightOf(name) });
  }
  for (const { name, definition } of indexes) {
    await owner.query(`DROP INDEX ${name}`);
    dropped.push({ name, statements: [definition], weight: weightOf(name) });
  }
  return dropped;
}

/**
 * Creates dropped indexes again, the long ones first, several at once: sorting and the trigram
 * indexes, which a single process builds on older servers, then share the cores.
 */
export async function restoreIndexes(
  connection: pg.ClientConfig,
  dropped: readonly Dropped[],
  options: { connections: number; memory: string; log: (line: string) => void },
): Promise<void> {
  const waiting = [...dropped].sort((a, b) => b.weight - a.weight);
  const work = async () => {
    const client = new pg.Client(connection);
    await client.connect();
    try {
      await client.query(`SET maintenance_work_mem = '${options.memory}'; SET max_parallel_maintenance_workers = 1`);
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const started = performance.now();
        for (const statement of next.statements) await client.query(statement);
        const seconds = (performance.now() - started) / 1000;
        if (seconds > 5) options.log(`  ${next.name} ${seconds.toFixed(0)} s`);
      }
    } finally {
      await client.end();
    }
  };
  await Promise.all(Array.from({ length: options.connections }, work));
}

/** Lets autovacuum process the tables again after {@link dropIndexes}. */
export async function allowVacuum(owner: pg.Client, tables: readonly string[]): Promise<void> {
  for (const table of tables) await owner.query(`ALTER TABLE ${table} RESET (autovacuum_enabled)`);
}
