import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DATABASE, OWNER_ROLE } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { SOCKET_PORT } from './placement.ts';
import type { EmbeddedPostgresConnection } from './types.ts';

/** The connection of the owner to `portico` through the socket in `socketDir`. */
export function ownerConnection(socketDir: string, password: string): EmbeddedPostgresConnection {
  return { host: socketDir, port: SOCKET_PORT, user: OWNER_ROLE, password, database: DATABASE };
}

/** The same as a connection string that `pg` reads; any character may occur in the directory's name. */
export function connectionString(connection: EmbeddedPostgresConnection): string {
  const { host, port, user, password, database } = connection;
  return `postgresql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@/${encodeURIComponent(database)}?host=${encodeURIComponent(host)}&port=${port}`;
}

/** A server that just starts or stops answers with this. */
const CANNOT_CONNECT_NOW = '57P03';
const INVALID_CATALOG_NAME = '3D000';
const DUPLICATE_DATABASE = '42P04';
const INVALID_PASSWORD = '28P01';

/**
 * Connects as the owner, makes the database if it is not there (a start may have been killed before it came to that),
 * and asks for the version.
 *
 * @param fresh true for a cluster just made: the database is made without asking for it first, which would leave an
 *   alarming line in the log of every new installation.
 * @returns the server's version, such as `18.4`.
 * @throws EmbeddedPostgresError `password_mismatch`; otherwise the error of `pg`.
 */
export async function openDatabase(connection: EmbeddedPostgresConnection, fresh = false): Promise<string> {
  if (fresh) await createDatabase(connection);
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask(connection, `SELECT split_part(current_setting('server_version'), ' ', 1) AS answer`);
    } catch (error) {
      const state = sqlState(error);
      if (state === INVALID_PASSWORD) {
        throw new EmbeddedPostgresError(
          'password_mismatch',
          'The embedded database does not accept the password in the data directory (postgres-password): bring back the file that belongs to this database, or remove it to have a new one made at the next start.',
        );
      }
      if (attempt >= 20 || (state !== INVALID_CATALOG_NAME && state !== CANNOT_CONNECT_NOW)) throw error;
      if (state === INVALID_CATALOG_NAME) await createDatabase(connection);
      else await sleep(50);
    }
  }
}

async function createDatabase(connection: EmbeddedPostgresConnection): Promise<void> {
  try {
    await ask({ ...connection, database: 'postgres' }, `CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    if (sqlState(error) !== DUPLICATE_DATABASE) throw error;
  }
}

/** How many connections of clients the server has besides the one that asks. */
export async function otherClients(connection: EmbeddedPostgresConnection): Promise<number> {
  const count = await ask(
    connection,
    `SELECT count(*) AS answer FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  return Number(count);
}

async function ask(connection: EmbeddedPostgresConnection, sql: string): Promise<string> {
  const client = new pg.Client({
    ...connection,
    application_name: 'portico-supervisor',
    connectionTimeoutMillis: 30_000,
  });
  // An error between statements (the server is stopped under us) also fails the statement that follows.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const result = await client.query<{ answer: string }>(sql);
    return result.rows[0]?.answer ?? '';
  } finally {
    await client.end();
  }
}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
