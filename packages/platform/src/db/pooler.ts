/**
 * Refusing to keep a session setting behind a pooler that hands sessions around: with PgBouncer in transaction mode the
 * next statement may run in another session, which names another tenant.
 */
import type pg from 'pg';
import { MigrationError } from './migration-error.ts';
import { openClient } from './open-client.ts';

/**
 * Sets a setting on one connection, occupies the session it was set in through a second connection, and looks whether
 * the first still has it.
 * @throws MigrationError when sessions are not kept
 */
export async function requireNoPooler(connection: pg.ClientConfig): Promise<void> {
  const [first, second] = await Promise.all([openClient(connection), openClient(connection)]);
  try {
    const session = async (client: pg.Client) =>
      (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;
    await first.query(`SELECT set_config('app.session_probe', 'kept', false)`);
    const before = await session(first);
    await second.query('BEGIN');
    const other = await session(second);
    const after = await session(first);
    const { rows } = await first.query<{ value: string | null }>(
      `SELECT current_setting('app.session_probe', true) AS value`,
    );
    await second.query('ROLLBACK');
    if (other === before || after !== before || rows[0]!.value !== 'kept') {
      throw new MigrationError(
        'The database is behind a pooler that hands sessions around: set PORTICO_DATABASE_SCOPE=transaction, or connect to PostgreSQL directly.',
      );
    }
    await first.query('RESET app.session_probe');
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}
