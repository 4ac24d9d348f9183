/** Opening the database that the configuration names: embedded or external, migrated, as the role that serves. */
import pg from 'pg';
import type { Config } from './config/config.ts';
import { MigrationError, migrate, requireHarmlessRole } from './platform/db/migrate.ts';
import { requireNoPooler } from './platform/db/pooler.ts';
import { openEmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded-postgres/index.ts';
import type { Log } from './platform/scope.ts';

/** A database that cannot be used as it is; the message is one sentence for the operator, without the password. */
export class DatabaseError extends Error {
  override name = 'DatabaseError';
}

/** How long a connection may take to come about at start. Milliseconds. */
const CONNECT_MS = 10_000;

/** An open database. */
export interface OpenDatabase {
  /** Connection of the owner: migrations and operator commands. */
  owner: pg.ClientConfig;
  /** Connection of the service's role: everything else. */
  service: pg.ClientConfig;
  embedded: boolean;
  close(): Promise<void>;
}

/**
 * Opens the database, migrates it and checks the role that queries will run as.
 * @param purpose `serve` holds an embedded database for this process; `command` shares it with a running server, or
 *   starts it for the time of the command
 * @param options.signal ends the start of an embedded database
 * @param options.onLost told when an embedded database ended and could not be brought back
 * @throws EmbeddedPostgresError, MigrationError, DatabaseError: one sentence for the operator
 */
export async function openDatabase(
  config: Config,
  log: Log,
  purpose: 'serve' | 'command',
  options: { signal?: AbortSignal; onLost?: (error: Error) => void } = {},
): Promise<OpenDatabase> {
  const { databaseUrl } = config;
  if (databaseUrl !== undefined) {
    const owner = parseUrl(databaseUrl);
    try {
      return await prepare(config, owner, log, false, async () => undefined);
    } catch (error) {
      throw error instanceof MigrationError ? error : (describeFailure(error, owner) ?? error);
    }
  }
  const open = purpose === 'serve' ? startEmbeddedPostgres : openEmbeddedPostgres;
  const embedded = await open({
    dataDir: config.dataDir,
    log: ({ level, msg, ...details }) => log[level](details, msg),
    settings: {
      max_connections: String(Math.max(100, config.databasePoolSize + 40)),
      // Imports fill tables quickly; plans follow their statistics.
      autovacuum_naptime: '10s',
    },
    ...options,
  });
  return prepare(config, { ...embedded.connection }, log, true, () => embedded.stop()).catch(async (error) => {
    await embedded.stop();
    throw error;
  });
}

async function prepare(
  config: Config,
  owner: pg.ClientConfig,
  log: Log,
  embedded: boolean,
  close: () => Promise<void>,
): Promise<OpenDatabase> {
  const login = await migrate({
    owner,
    ...(config.databaseRole && { role: config.databaseRole }),
    log: (message) => log.info({}, message),
  });
  const service: pg.ClientConfig = { ...owner, user: login.user, password: login.password };
  await requireHarmlessRole(service);
  if (config.databaseScope === 'connection' && !embedded) await requireNoPooler(service);
  return { owner, service, embedded, close };
}

/**
 * A connection string in parts, so that user and password can be exchanged; query parameters such as sslmode are kept.
 * @throws DatabaseError when it cannot be understood; the message does not repeat it, since it may hold a password
 */
function parseUrl(url: string): pg.ClientConfig {
  let parsed: pg.Client & { ssl: pg.ClientConfig['ssl'] };
  try {
    parsed = new pg.Client({ connectionString: url }) as typeof parsed;
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not a valid address' : (error as Error).message;
    throw new DatabaseError(
      `DATABASE_URL cannot be used: ${reason}; it looks like postgres://owner:password@host:5432/portico, with special characters of the password percent-encoded.`,
    );
  }
  const { host, port, user, password, database, ssl } = parsed;
  return {
    host,
    port,
    connectionTimeoutMillis: CONNECT_MS,
    ...(user && { user }),
    ...(password && { password }),
    ...(database && { database }),
    ...(ssl && { ssl }),
  };
}

/** @returns the sentence for what an operator can mend about an external database, undefined for faults of ours */
function describeFailure(error: unknown, owner: pg.ClientConfig): DatabaseError | undefined {
  const where = `the database "${owner.database}" at ${owner.host}:${owner.port}`;
  const failure = error instanceof AggregateError ? error.errors[0] : error;
  if (!(failure instanceof Error)) return undefined;
  const { code, message } = failure as Error & { code?: string };
  const sentence = (text: string) => new DatabaseError(text, { cause: error });
  if (failure instanceof pg.DatabaseError) {
    const advice =
      code === '42501'
        ? ' (DATABASE_URL must name the owner of the database, with CREATEROLE)'
        : code?.startsWith('28') || code === '3D000'
          ? ' (check DATABASE_URL)'
          : '';
    return sentence(`PostgreSQL refused for ${where}: ${message}${advice}.`);
  }
  const fromTheWire =
    code !== undefined || /timeout|timed out|terminated|SSL|SASL|password/i.test(message) || message === '';
  if (!fromTheWire || /^ERR_(?!TLS|SSL)/.test(code ?? '')) return undefined;
  return sentence(
    `${where} cannot be reached: ${message || code}; check DATABASE_URL and whether PostgreSQL runs there.`,
  );
}
