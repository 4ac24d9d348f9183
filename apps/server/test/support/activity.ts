/** Running statements of a database. */
import pg from 'pg';

/** How many statements wait for a lock. Any role of the database may ask. */
export async function countWaitingStatements(config: pg.ClientConfig): Promise<number> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(DISTINCT pid)::int AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE NOT granted AND pg_stat_activity.datname = current_database()`,
    );
    return rows[0]!.count;
  } finally {
    await client.end();
  }
}
