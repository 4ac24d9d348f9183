/**
 * Brings a database to the schema of this version, as the owner, and makes the role that the service works as.
 * Migrations are plain SQL files, forward only, each in a transaction, all under one advisory lock, so that several
 * nodes may start at once.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Distributions,
  distributeTables,
  hasCitus,
  prepareSession,
  setRoleOnNodes,
} from '@portico/platform/db/citus';
import { MigrationError } from '@portico/platform/db/migration-error';
import { openClient } from '@portico/platform/db/open-client';
import { isPostgresError, isRetryable, LOCK_NOT_AVAILABLE, READ_ONLY } from '@portico/platform/db/pg-errors';
import { splitStatements } from '@portico/platform/db/split-statements';
import type pg from 'pg';
import { type AppliedMigration, TAKE_OVER_SQL, takeOver } from './baseline.ts';

const MIGRATIONS_DIR = new URL('../../migrations/', import.meta.url);
/** Name of a file, or of a folder of files. */
const MIGRATION = /^\d{4}-[a-z0-9-]+(?:\.sql)?$/;
/** Any number will do as long as every version uses the same one. */
const LOCK_KEY = 5_402_361_190;
/**
 * Limit on waiting for a lock of a table. Milliseconds. All writers of the table wait behind the
 * migration meanwhile.
 */
const LOCK_MS = 2_000;
/** Longest pause between two attempts, in which writers go on. Milliseconds. */
const PAUSE_MS = 2_000;
const MOST_ATTEMPTS = 60;

interface Migration extends AppliedMigration {
  sql: string;
}

/** The migrations of this version, in order: a file each, or a folder whose files run in order. */
export async function listMigrations(): Promise<Migration[]> {
  const entries = (await readdir(MIGRATIONS_DIR)).filter((entry) => MIGRATION.test(entry)).sort();
  return Promise.all(
    entries.map(async (entry) => {
      const sql = await readSql(entry);
      return {
        version: Number(entry.slice(0, 4)),
        name: entry.slice(5).replace('.sql', ''),
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      };
    }),
  );
}

async function readSql(entry: string): Promise<string> {
  const url = new URL(entry, MIGRATIONS_DIR);
  if (entry.endsWith('.sql')) return readFile(url, 'utf8');
  const files = (await readdir(url)).sort();
  return (await Promise.all(files.map((file) => readFile(new URL(`${entry}/${file}`, MIGRATIONS_DIR), 'utf8')))).join(
    '',
  );
}

interface MigrateOptions {
  /** The owner's connection. It must be able to create tables, extensions and a role. */
  owner: pg.ClientConfig;
  /** Name of the service's role in the cluster. Default: the database's name followed by `_service`. */
  role?: string;
  /** Where the rows of each table are kept when the database has Citus. */
  tables: Distributions;
  log?: (message: string) => void;
  /** The last migration to apply; default all. For a backup of an earlier version. */
  upTo?: number;
}

/** How to connect as the service's role. */
export interface ServiceLogin {
  user: string;
  password: string;
}

/**
 * Migrates and returns the login of the service's role, which every node that can reach the database as its owner finds.
 * @throws MigrationError when the database is older than PostgreSQL 15 or holds a newer schema.
 */
export async function migrate(options: MigrateOptions): Promise<ServiceLogin> {
  const client = await openClient(options.owner);
  const role = options.role ?? serviceRoleName(client.database ?? 'portico');
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(role)) {
    throw new MigrationError(
      `The role name "${role}" (PORTICO_DATABASE_ROLE) must be lower-case letters, digits and underscores, at most 63, the first no digit.`,
    );
  }
  try {
    await requireSupportedServer(client);
    if (options.role !== undefined) await requireNobodysRole(client, role);
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    try {
      const citus = await hasCitus(client);
      if (citus) await prepareSession(client);
      await applyMigrations(client, options);
      const login = { user: role, password: await servicePassword(client) };
      if (citus) await distributeTables(client, options.tables, options.log);
      await ensureRole(client, login, options.tables);
      if (citus) await setRoleOnNodes(client, client.escapeIdentifier(role));
      return login;
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [LOCK_KEY]);
    }
  } finally {
    await client.end();
  }
}

/** @throws an error with the SQLSTATE {@link READ_ONLY} for a database that takes no writes */
export async function requireWritable(connection: pg.ClientConfig): Promise<void> {
  const client = await openClient(connection);
  try {
    const { rows } = await client.query<{ readOnly: boolean }>(
      `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "readOnly"`,
    );
    if (rows[0]?.readOnly) throw Object.assign(new Error('the database takes no writes'), { code: READ_ONLY });
  } finally {
    await client.end();
  }
}

/** Roles belong to the cluster, so two databases of one cluster need two names. */
function serviceRoleName(database: string): string {
  return `${database
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]/g, '_')
    .replace(/^\d/, '_$&')
    .slice(0, 50)}_service`;
}

async function requireSupportedServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: string; shown: string; encoding: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS shown,
            current_setting('server_encoding') AS encoding`,
  );
  const server = rows[0]!;
  if (Number(server.number) < 150_000) {
    throw new MigrationError(`PostgreSQL ${server.shown} is too old: Portico needs version 15 or newer.`);
  }
  if (server.encoding !== 'UTF8') {
    throw new MigrationError(`The database is encoded as ${server.encoding}: create it with ENCODING 'UTF8'.`);
  }
}

async function applyMigrations(client: pg.Client, { log, upTo }: Pick<MigrateOptions, 'log' | 'upTo'>): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS portico_migrations (
    version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  const { rows } = await client.query<AppliedMigration>(
    'SELECT version, name, checksum FROM portico_migrations ORDER BY version',
  );
  const known = await listMigrations();
  const newest = known.at(-1)!.version;
  const ahead = rows.findLast((row) => row.version > newest);
  if (ahead) {
    throw new MigrationError(
      `The database has schema ${ahead.version} (${ahead.name}), newer than this version of Portico knows (${newest}): start the newer version, or restore a backup made before the upgrade.`,
    );
  }
  const [baseline] = known;
  if (rows[0] && rows[0].version < baseline!.version) {
    await takeOver(rows, () => applyMigration(client, { ...baseline!, sql: TAKE_OVER_SQL }, log));
    log?.(`took the database over at schema ${rows.at(-1)!.version}`);
    rows.splice(0, rows.length, baseline!);
  }
  const applied: Migration[] = [];
  try {
    for (const migration of known) {
      const present = rows.find((row) => row.version === migration.version);
      if (present) {
        if (present.checksum !== migration.checksum) {
          throw new MigrationError(
            `Migration ${migration.version} (${migration.name}) differs from the one this database was made with: this is not the version it belongs to.`,
          );
        }
        continue;
      }
      if (migration.version > (upTo ?? newest)) break;
      await applyMigration(client, migration, log);
      applied.push(migration);
    }
  } finally {
    tellApplied(applied, rows.length === 0, log);
  }
}

/**
 * Applies a migration. One that waits too long for a lock of writers, or loses a deadlock against
 * them, is rolled back and applied again after a pause.
 * @throws MigrationError after it was rolled back
 */
async function applyMigration(client: pg.Client, migration: Migration, log: MigrateOptions['log']): Promise<void> {
  const title = `Migration ${migration.version} (${migration.name})`;
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryMigration(client, migration, log);
    } catch (error) {
      const { message } = error as Error;
      if (attempt === MOST_ATTEMPTS || !lostToWriters(error))
        throw new MigrationError(`${title} failed and was rolled back: ${message}`, { cause: error });
      log?.(`${title} gave way to other transactions (${message}) and is applied again`);
      await sleep(randomInt(PAUSE_MS / 2, PAUSE_MS));
    }
  }
}

const lostToWriters = (error: unknown) =>
  isRetryable(error) || (isPostgresError(error) && error.code === LOCK_NOT_AVAILABLE);

async function tryMigration(client: pg.Client, migration: Migration, log: MigrateOptions['log']): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_MS}ms'`);
    // Row security binds an owner that is no superuser too, and its policies ask for a tenant: one that does not exist.
    await client.query(`SET LOCAL app.tenant_id = '0'`);
    await tellingNotices(client, log, async () => {
      // Each statement is sent alone: Citus passes a statement on to other nodes unchanged.
      for (const statement of splitStatements(migration.sql)) await client.query(statement);
    });
    await client.query('INSERT INTO portico_migrations (version, name, checksum) VALUES ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.checksum,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** Says in one line which migrations were applied. @param isNew whether the database had none before */
function tellApplied(applied: readonly Migration[], isNew: boolean, log: MigrateOptions['log']): void {
  const [first, last] = [applied[0], applied.at(-1)];
  if (!first || !last) return;
  if (isNew) log?.(`created the database (schema ${last.version})`);
  else if (first === last) log?.(`applied migration ${first.version} (${first.name})`);
  else log?.(`applied migrations ${first.version} (${first.name}) to ${last.version} (${last.name})`);
}

/**
 * Logs the notices that a migration raises (`RAISE NOTICE`), for example the number of rows it
 * removed.
 */
async function tellingNotices(client: pg.Client, log: MigrateOptions['log'], work: () => Promise<unknown>) {
  // PostgreSQL's own notices ("already exists, skipping") have a code that says which they are.
  const tell = ({ code, message }: { code?: string | undefined; message?: string | undefined }) => {
    if (code === '00000' && message) log?.(message);
  };
  client.on('notice', tell);
  try {
    await work();
  } finally {
    client.off('notice', tell);
  }
}

/** The service role's password, kept in a table that only the owner can read, so that every node finds the same. */
async function servicePassword(client: pg.Client): Promise<string> {
  await client.query(`CREATE TABLE IF NOT EXISTS portico_owner_secrets (name text PRIMARY KEY, value text NOT NULL)`);
  await client.query(
    `INSERT INTO portico_owner_secrets VALUES ('service_password', $1) ON CONFLICT (name) DO NOTHING`,
    [randomBytes(24).toString('base64url')],
  );
  const { rows } = await client.query<{ value: string }>(
    `SELECT value FROM portico_owner_secrets WHERE name = 'service_password'`,
  );
  return rows[0]!.value;
}

/**
 * The role gets a password and loses its rights: not the owner, who could not sign in any more, nor a superuser.
 * @throws MigrationError
 */
async function requireNobodysRole(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ owner: boolean; superuser: boolean }>(
    `SELECT rolname IN (current_user, session_user) AS owner, rolsuper AS superuser FROM pg_roles WHERE rolname = $1`,
    [role],
  );
  const [named] = rows;
  if (!named?.owner && !named?.superuser) return;
  const who = named.owner ? 'the owner that DATABASE_URL names' : 'a superuser';
  throw new MigrationError(
    `PORTICO_DATABASE_ROLE names "${role}", which is ${who}: choose a name that no role has; Portico makes the role itself.`,
  );
}

async function ensureRole(client: pg.Client, login: ServiceLogin, tables: Distributions): Promise<void> {
  const role = client.escapeIdentifier(login.user);
  const password = `PASSWORD ${client.escapeLiteral(login.password)}`;
  const { rows } = await client.query<{ strong: boolean }>(
    `SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls OR NOT rolcanlogin AS strong
       FROM pg_roles WHERE rolname = $1`,
    [login.user],
  );
  const attributes = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';
  if (!rows[0]) await client.query(`CREATE ROLE ${role} ${attributes} ${password}`);
  // Only a superuser may name these attributes in ALTER ROLE, even where they would not change.
  else if (rows[0].strong) await client.query(`ALTER ROLE ${role} ${attributes} ${password}`);
  else await client.query(`ALTER ROLE ${role} ${password}`);
  const database = client.escapeIdentifier(client.database ?? 'portico');
  await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${role}`);
  await client.query(`GRANT USAGE ON SCHEMA public TO ${role}`);
  await client.query(`REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
  await grantRelations(client, role, tables);
  await client.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
}

/**
 * Tables that the service only reads, as it does views: the registry and the records of backups
 * and migrations.
 */
const READ_ONLY_TABLES = [
  'tenants',
  'tenant_hosts',
  'portico_backups',
  'portico_deleted_tenants',
  'portico_migrations',
];
/** Tables that only the owner reads. */
const HIDDEN_TABLES = ['portico_owner_secrets'];

/**
 * Grants the role the privileges that it needs on each relation, and revokes all others. A view is
 * read only: writing through one is done with its owner's rights, which row security does not bind.
 */
async function grantRelations(client: pg.Client, role: string, tables: Distributions): Promise<void> {
  const { rows } = await client.query<{ name: string; view: boolean }>(
    `SELECT relname AS name, relkind IN ('v', 'm') AS view FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') ORDER BY relname`,
  );
  const named = (chosen: typeof rows) => chosen.map(({ name }) => client.escapeIdentifier(name)).join(', ');
  const readOnly = rows.filter(({ name, view }) => view || READ_ONLY_TABLES.includes(name));
  const written = rows.filter((row) => !readOnly.includes(row) && !HIDDEN_TABLES.includes(row.name));
  const appended = written.filter(({ name }) => tables.get(name)?.appendOnly);
  const changed = written.filter((row) => !appended.includes(row));
  await client.query('BEGIN');
  try {
    // Taken and given in one transaction: nodes that serve meanwhile never see the role without its rights.
    await client.query(`REVOKE ALL ON ${named(rows)} FROM ${role}`);
    await client.query(`GRANT SELECT ON ${named(readOnly)} TO ${role}`);
    await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${named(changed)} TO ${role}`);
    if (appended.length > 0) await client.query(`GRANT SELECT, INSERT ON ${named(appended)} TO ${role}`);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/**
 * Refuses to work as a role that row security does not bind: a superuser, one with BYPASSRLS, an owner of tables, or a
 * member of such a role.
 */
export async function requireHarmlessRole(connection: pg.ClientConfig): Promise<void> {
  const client = await openClient(connection);
  try {
    const { rows } = await client.query<{ name: string; strong: boolean; owns: boolean }>(
      `SELECT current_user AS name,
              EXISTS (SELECT FROM pg_roles r WHERE (r.rolsuper OR r.rolbypassrls) AND pg_has_role(current_user, r.oid, 'MEMBER')) AS strong,
              EXISTS (SELECT FROM pg_class c WHERE c.relkind IN ('r', 'p', 'v') AND c.relnamespace = 'public'::regnamespace
                       AND pg_has_role(current_user, c.relowner, 'MEMBER')) AS owns`,
    );
    const role = rows[0]!;
    if (role.strong || role.owns) {
      throw new MigrationError(
        `Refusing to serve as the database role "${role.name}": it ${role.strong ? 'can bypass row security' : 'owns tables'}, so one tenant could see another's rows.`,
      );
    }
  } finally {
    await client.end();
  }
}
