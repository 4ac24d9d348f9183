/** Opening the database that the configuration names: embedded or external, migrated, as the role that serves. */
import pg from 'pg';
import type { Config } from './config/config.ts';
import { migrate, requireHarmlessRole } from './platform/db/migrate.ts';
import { requireNoPooler } from './platform/db/pooler.ts';
import { openEmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded-postgres/index.ts';
import type { Log } from './platform/scope.ts';

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
 * @throws EmbeddedPostgresError, MigrationError: one sentence for the operator
 */
export async function openDatabase(
  config: Config,
  log: Log,
  purpose: 'serve' | 'command',
  onLost?: (error: Error) => void,
): Promise<OpenDatabase> {
  const { databaseUrl } = config;
  if (databaseUrl !== undefined) {
    return prepare(config, parseUrl(databaseUrl), log, false, async () => undefined);
  }
  const open = purpose === 'serve' ? startEmbeddedPostgres : openEmbeddedPostgres;
  const embedded = await open({
    dataDir: config.dataDir,
    log: ({ level, msg, ...details }) => log[level](details, msg),
    settings: { max_connections: String(Math.max(100, config.databasePoolSize + 40)) },
    ...(onLost && { onLost }),
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

/** A connection string in parts, so that user and password can be exchanged; query parameters such as sslmode are kept. */
function parseUrl(url: string): pg.ClientConfig {
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString: url }) as pg.Client & {
    ssl: pg.ClientConfig['ssl'];
  };
  return {
    host,
    port,
    ...(user && { user }),
    ...(password && { password }),
    ...(database && { database }),
    ...(ssl && { ssl }),
  };
}
