/** Opening the database that the configuration names: embedded or external, migrated, as the role that serves. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresConnection,
  openEmbeddedPostgres,
  startEmbeddedPostgres,
} from '@portico/embedded-postgres';
import { requireOneNode } from '@portico/platform/db/citus';
import { MigrationError } from '@portico/platform/db/migration-error';
import { isConnectionFailure, READ_ONLY } from '@portico/platform/db/pg-errors';
import { requireNoPooler } from '@portico/platform/db/pooler';
import pg from 'pg';
import type { Log } from '../kernel/scope.ts';
import { tables } from '../modules/tables.ts';
import { listMigrations, migrate, requireHarmlessRole, requireWritable } from '../schema/migrate.ts';
import type { Config } from './config/config.ts';

/** A database that cannot be used as it is; the message is one sentence for the operator, without the password. */
export class DatabaseError extends Error {
  override name = 'DatabaseError';
}

/** Default connection timeout at start. Milliseconds. */
const CONNECT_MS = 10_000;
/** Intervals of connection attempts and of log lines while waiting for a database. Milliseconds. */
const RETRY_MS = 500;
const TELL_MS = 10_000;

/** An open database. */
export interface OpenDatabase {
  /** Connection of the owner: migrations and operator commands. */
  owner: pg.ClientConfig;
  /** Connection of the service's role: everything else. */
  service: pg.ClientConfig;
  embedded: boolean;
  /** How other processes of the node use it. */
  handed: HandedDatabase;
  close(): Promise<void>;
}

/**
 * Data that another process of the node needs to use an open database; the rest is in the
 * configuration.
 */
export interface HandedDatabase {
  /** The owner's connection; undefined for an external database. */
  readonly embedded?: EmbeddedPostgresConnection;
  /** The role that queries run as. */
  readonly login: { readonly user: string; readonly password: string };
  /** Version of the schema. */
  readonly schema: number;
}

/**
 * Opens the database, migrates it and checks the role that queries will run as.
 * @param purpose `serve` holds an embedded database for this process; `command` shares it with a running server, or
 *   starts it for the time of the command; only `serve` waits for an external one
 * @param options.signal ends the start of an embedded database, and the wait for an external one
 * @param options.address where the address of an external one is from, for what failures say; default DATABASE_URL
 * @param options.upTo the last migration to apply; default all
 * @param options.onLost called when an embedded database ended and could not be restarted
 * @throws EmbeddedPostgresError, MigrationError, DatabaseError: one sentence for the operator
 */
export async function openDatabase(
  config: Config,
  log: Log,
  purpose: 'serve' | 'command',
  options: { signal?: AbortSignal; onLost?: (error: Error) => void; address?: string; upTo?: number } = {},
): Promise<OpenDatabase> {
  if (config.database) {
    const owner = { connectionTimeoutMillis: CONNECT_MS, ...config.database };
    const waitMs = purpose === 'serve' ? config.databaseWaitMs : 0;
    return waitFor(
      () => prepare(config, owner, log, options),
      (error) => describeFailure(error, owner, options.address ?? 'DATABASE_URL'),
      { log, waitMs, ...options },
    );
  }
  const open = purpose === 'serve' ? startEmbeddedPostgres : openEmbeddedPostgres;
  const embedded = await open({
    dataDir: config.dataDir,
    startCopy: config.startCopy,
    archiveLog: config.backup.log,
    log: ({ level, msg, ...details }) => log[level](details, msg),
    settings: {
      max_connections: String(Math.max(100, config.databasePoolSize + 40)),
      // Imports fill tables quickly; plans follow their statistics.
      autovacuum_naptime: '10s',
    },
    ...options,
  });
  return prepare(config, { ...embedded.connection }, log, { ...options, embedded }).catch(async (error) => {
    await embedded.stop();
    throw error;
  });
}

/**
 * Tries again while a database cannot be reached, is starting or takes no writes. Everything else ends it at once.
 * @throws MigrationError, DatabaseError; the reason of `signal`
 */
async function waitFor<T>(
  work: () => Promise<T>,
  describe: (error: unknown) => DatabaseError | undefined,
  { log, waitMs, signal }: { log: Log; waitMs: number; signal?: AbortSignal },
): Promise<T> {
  const deadline = performance.now() + waitMs;
  let told = { sentence: '', at: 0 };
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      const failure = error instanceof MigrationError ? error : (describe(error) ?? error);
      if (!mayPass(error) || performance.now() + RETRY_MS > deadline) throw failure;
      const sentence = (failure as Error).message;
      if (sentence !== told.sentence || performance.now() - told.at >= TELL_MS) {
        log.warn({}, `waiting for the database: ${sentence}`);
        told = { sentence, at: performance.now() };
      }
      await sleep(RETRY_MS, undefined, signal && { signal });
    }
  }
}

/** Whether a failure is transient. */
function mayPass(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && /^(ERR_TLS|ERR_SSL|EPROTO)/.test(code)) return false;
  return isConnectionFailure(error) || code === '53300';
}

async function prepare(
  config: Config,
  owner: pg.ClientConfig,
  log: Log,
  { embedded, upTo }: { embedded?: EmbeddedPostgres; upTo?: number },
): Promise<OpenDatabase> {
  if (!embedded) await requireWritable(owner);
  const login = await migrate({
    owner,
    tables,
    ...(config.databaseRole && { role: config.databaseRole }),
    log: (message) => log.info({}, message),
    ...(upTo !== undefined && { upTo }),
  });
  const schema = await schemaVersion();
  const service = serviceOf(config, owner, login, schema);
  await requireHarmlessRole(service);
  if (config.databaseScope === 'connection' && !embedded) {
    await requireOneNode(service);
    await requireNoPooler(service);
  }
  return {
    owner,
    service,
    embedded: embedded !== undefined,
    handed: { ...(embedded && { embedded: embedded.connection }), login, schema },
    close: async () => embedded?.stop(),
  };
}

/**
 * Uses a database that another process of the node has opened, and will close.
 * @throws DatabaseError where the code on disk is of another version than that process
 */
export async function attachDatabase(config: Config, handed: HandedDatabase): Promise<OpenDatabase> {
  const schema = await schemaVersion();
  if (schema !== handed.schema) {
    throw new DatabaseError(
      'the program on disk is of another version than the one that runs; stop the service and start it again.',
    );
  }
  const owner: pg.ClientConfig = { connectionTimeoutMillis: CONNECT_MS, ...config.database, ...handed.embedded };
  return {
    owner,
    service: serviceOf(config, owner, handed.login, schema),
    embedded: handed.embedded !== undefined,
    handed,
    close: async () => undefined,
  };
}

async function schemaVersion(): Promise<number> {
  return (await listMigrations()).at(-1)!.version;
}

/** How the service's role connects. */
function serviceOf(
  config: Config,
  owner: pg.ClientConfig,
  login: HandedDatabase['login'],
  schema: number,
): pg.ClientConfig {
  // The limit of the start is not that of requests.
  const { connectionTimeoutMillis: _start, ...address } = owner;
  return {
    ...address,
    ...config.database,
    user: login.user,
    password: login.password,
    application_name: sessionName(config.database?.application_name, schema),
  };
}

/**
 * The name of the service's sessions (`application_name`). It ends with the version of their schema, so that a node can see whether nodes
 * of an earlier version are connected.
 */
function sessionName(configured = 'portico', schema: number): string {
  // PostgreSQL keeps 63 bytes, ASCII.
  return `${configured.slice(0, 40)} schema ${schema}`;
}

/** Returns the words in brackets that follow a message of PostgreSQL. */
function adviceFor(code: string | undefined, address: string): string {
  if (code === '42501') return ` (${address} must name the owner of the database, with CREATEROLE)`;
  return code?.startsWith('28') || code === '3D000' ? ` (check ${address})` : '';
}

/**
 * @returns a sentence for a failure of an external database that an operator can fix, undefined for
 *   a bug
 */
export function describeFailure(error: unknown, owner: pg.ClientConfig, address: string): DatabaseError | undefined {
  const where = `the database "${owner.database}" at ${owner.host}:${owner.port}`;
  const failure = error instanceof AggregateError ? error.errors[0] : error;
  if (!(failure instanceof Error)) return undefined;
  const { code, message } = failure as Error & { code?: string };
  // A limit of this process, not of the database.
  if (code === 'EMFILE' || code === 'ENFILE') return undefined;
  const sentence = (text: string) => new DatabaseError(text, { cause: error });
  if (code === READ_ONLY) return sentence(`${where} takes no writes: it is a standby, or set to be read only.`);
  if (failure instanceof pg.DatabaseError) {
    return sentence(`PostgreSQL refused for ${where}: ${message}${adviceFor(code, address)}.`);
  }
  const fromTheWire =
    code !== undefined || /timeout|timed out|terminated|SSL|SASL|password/i.test(message) || message === '';
  if (!fromTheWire || /^ERR_(?!TLS|SSL)/.test(code ?? '')) return undefined;
  return sentence(
    `${where} cannot be reached: ${message || code}; check ${address} and whether PostgreSQL runs there.`,
  );
}
