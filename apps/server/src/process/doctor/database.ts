/** Checks of the database: versions, schema, keys, indexes, tenants, backups. */
import { listSealingKeyIds } from '@portico/platform/db/sealing-keys';
import type pg from 'pg';
import { expectedIndexes } from '../../schema/expected-indexes.ts';
import { listMigrations } from '../../schema/migrate.ts';
import type { Config } from '../config/config.ts';
import { count, type Finding, findingsOf } from './finding.ts';

const MIB = 1024 ** 2;

interface Server {
  readonly version: string;
  readonly number: number;
  readonly encoding: string;
  readonly bytes: number;
  readonly connections: number;
  readonly readOnly: boolean;
  /** The least that its clock differs from this machine's, however long the answer took. Milliseconds. */
  readonly clockMs: number;
}

/** Reads the properties of the server. */
export async function readServer(client: pg.Client): Promise<Server> {
  type Row = Record<Exclude<keyof Server, 'readOnly' | 'clockMs'> | 'now', string> & { readOnly: boolean };
  const asked = Date.now();
  const { rows } = await client.query<Row>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number,
            current_setting('server_encoding') AS encoding, pg_database_size(current_database()) AS bytes,
            current_setting('max_connections') AS connections,
            pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "readOnly",
            extract(epoch FROM clock_timestamp()) * 1000 AS now`,
  );
  const answered = Date.now();
  const { version, encoding, readOnly, number, bytes, connections, now } = rows[0]!;
  // Its clock was read at some time between the question and the answer.
  const clockMs = Math.max(0, Number(now) - answered) + Math.min(0, Number(now) - asked);
  return {
    ...{ version, encoding, readOnly },
    ...{ number: Number(number), bytes: Number(bytes), connections: Number(connections), clockMs },
  };
}

/** Checks the server. */
export function* checkServer(server: Server, config: Config): Generator<Finding> {
  const { ok, warning, problem } = findingsOf('database');
  if (server.number < 150_000)
    yield problem(`PostgreSQL ${server.version} is too old.`, 'Upgrade it to version 15 or newer.');
  if (server.encoding !== 'UTF8')
    yield problem(`The encoding of the database is ${server.encoding}.`, 'Create a database with ENCODING UTF8.');
  if (server.readOnly)
    yield problem('The database takes no writes.', 'Name the server that takes writes in DATABASE_URL.');
  const needed = config.databasePoolSize + config.processes + 11;
  if (server.connections < needed)
    yield warning(
      `The server allows ${server.connections} connections; one node may use ${needed}.`,
      'Raise max_connections of PostgreSQL, or lower PORTICO_DATABASE_POOL.',
    );
  const where = config.database ? `at ${config.database.host}:${config.database.port}` : 'embedded';
  yield ok(`PostgreSQL ${server.version}, ${where}, ${Math.ceil(server.bytes / MIB)} MiB.`);
}

/** Whether a schema is there, and how it relates to this version. */
interface SchemaState {
  /** The last applied migration; undefined: none. */
  readonly applied: number | undefined;
  readonly known: number;
}

/** Reads the state of the schema. */
export async function readSchema(client: pg.Client): Promise<SchemaState> {
  const known = (await listMigrations()).at(-1)!.version;
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('portico_migrations') IS NOT NULL AS there`,
  );
  if (!rows[0]!.there) return { applied: undefined, known };
  const newest = await client.query<{ version: number | null }>(
    'SELECT max(version)::int AS version FROM portico_migrations',
  );
  return { applied: newest.rows[0]!.version ?? undefined, known };
}

/** Checks the versions of program, runtime and schema. @param program version of Portico */
export function* checkVersions({ applied, known }: SchemaState, program: string): Generator<Finding> {
  const { ok, warning, problem } = findingsOf('versions');
  const versions = `Portico ${program}, Node.js ${process.versions.node}`;
  if (applied === undefined) yield ok(`${versions}; the first start creates the schema ${known}.`);
  else if (applied > known)
    yield problem(
      `The schema ${applied} is of a newer version than ${versions} (${known}).`,
      'Install that version, or restore a backup of this one.',
    );
  else if (applied < known)
    yield warning(
      `The schema is ${applied}; ${versions} brings ${known}.`,
      'Make a backup; the next start migrates the database.',
    );
  else yield ok(`${versions}, schema ${applied}.`);
}

/** Checks that the configured keys open the secrets in the database. @param present ids of the configured keys */
export async function* checkKeys(client: pg.Client, present: readonly string[]): AsyncGenerator<Finding> {
  const missing = (await listSealingKeyIds(client)).filter((id) => !present.includes(id));
  if (missing.length > 0)
    yield findingsOf('configuration').problem(
      `Secrets in the database need the encryption key ${missing.join(', ')}, which is not configured.`,
      'Add it after the newest key; if it is lost, run "portico admin encryption replace-lost".',
    );
}

/** Checks that all indexes exist and are complete. */
export async function* checkIndexes(client: pg.Client): AsyncGenerator<Finding> {
  const { ok, problem } = findingsOf('indexes');
  const { rows } = await client.query<{ name: string; valid: boolean }>(
    `SELECT c.relname AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE c.relnamespace = current_schema()::regnamespace`,
  );
  const names = new Set(rows.map(({ name }) => name));
  const missing = [...expectedIndexes(await listMigrations())].filter((name) => !names.has(name));
  const broken = rows.filter(({ valid }) => !valid).map(({ name }) => name);
  if (missing.length > 0)
    yield problem(
      `Indexes are missing: ${missing.join(', ')}.`,
      'Run their CREATE INDEX statements in apps/server/migrations again, with CONCURRENTLY.',
    );
  if (broken.length > 0)
    yield problem(
      `Indexes are incomplete, so that no read uses them: ${broken.join(', ')}.`,
      `Build them again: ${broken.map((name) => `REINDEX INDEX CONCURRENTLY ${name};`).join(' ')}`,
    );
  if (missing.length === 0 && broken.length === 0) yield ok(`${rows.length} indexes.`);
}

/** Checks that each tenant has a host, once there are several. */
export async function* checkTenants(client: pg.Client): AsyncGenerator<Finding> {
  const { ok, warning } = findingsOf('tenants');
  const { rows } = await client.query<{ name: string; hosts: string; disabled: boolean }>(
    `SELECT t.name, count(h.host) AS hosts, t.disabled_at IS NOT NULL AS disabled
       FROM tenants t LEFT JOIN tenant_hosts h ON h.tenant_id = t.id GROUP BY t.id ORDER BY t.id`,
  );
  if (rows.length === 0)
    yield warning(
      'There is no tenant.',
      'Create one: portico admin tenant create NAME --host HOST --admin-email ADDRESS',
    );
  const homeless = rows.length > 1 ? rows.filter(({ hosts, disabled }) => Number(hosts) === 0 && !disabled) : [];
  for (const { name } of homeless)
    yield warning(
      `The tenant ${name} has no host, and answers nowhere.`,
      `portico admin tenant hosts ${name} --add HOST`,
    );
  const disabled = rows.filter((row) => row.disabled).length;
  if (rows.length > 0)
    yield ok(`${count(rows.length, 'tenant', 'tenants')}${disabled > 0 ? `, ${disabled} of them disabled` : ''}.`);
}
