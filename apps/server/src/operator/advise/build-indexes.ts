/**
 * Builds and drops advised indexes while the service runs: CREATE INDEX CONCURRENTLY and DROP INDEX
 * CONCURRENTLY, outside transactions, one at a time. An INVALID index of an interrupted build is
 * dropped and built anew.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { OperatorError } from '../operator-error.ts';
import { commentOf } from './index-catalog.ts';
import { ADVISED, definitionOf, type IndexSpec, nameOf } from './index-spec.ts';

/** Key of the advisory lock; every version must use the same number. */
const LOCK_KEY = 5_402_361_191;
const PROGRESS_MS = 300;

export interface BuildOptions {
  /** Longest wait for other transactions and other maintenance of the table. Milliseconds. */
  readonly lockTimeoutMs: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Told how far a build is. @param part from 0 to 1; undefined when that is not known */
  readonly onProgress?: (name: string, phase: string, part: number | undefined) => void;
}

/** A connection of the owner's of its own, on which nothing else is built meanwhile. */
async function alone<T>(
  config: pg.ClientConfig,
  lockTimeoutMs: number,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`SET statement_timeout = 0`);
    await client.query(`SET lock_timeout = ${Math.trunc(lockTimeoutMs)}`);
    const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [LOCK_KEY]);
    if (!rows[0]?.free)
      throw new OperatorError(
        'Another "portico db advise" is building or dropping indexes of this database; only one can run at a time.',
      );
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Whether there is an index of the name, and whether it can be used. */
async function stateOf(client: pg.Client, name: string): Promise<'valid' | 'invalid' | 'absent'> {
  const { rows } = await client.query<{ valid: boolean }>(
    `SELECT i.indisvalid AND i.indisready AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE c.relname = $1 AND c.relnamespace = 'public'::regnamespace`,
    [name],
  );
  return rows[0] ? (rows[0].valid ? 'valid' : 'invalid') : 'absent';
}

/**
 * Removes the remains of a failed build, which would cost every write and serve nothing. @returns
 * false when that has to wait too
 */
async function removed(client: pg.Client, name: string): Promise<boolean> {
  try {
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === '55P03') return false;
    throw error;
  }
}

function leftBehind(name: string, cause: unknown): OperatorError {
  return new OperatorError(
    `Building ${name} timed out waiting for another transaction; the invalid index remains until it is built or dropped later.`,
    { cause },
  );
}

/** Adds the remedy to a failure, for the operator. */
function told(error: unknown, doing: string): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  if (code === '55P03')
    return new OperatorError(
      `${doing} waited too long for another transaction or maintenance of the table; try it later.`,
      {
        cause: error,
      },
    );
  return typeof code === 'string' ? new OperatorError(`${doing} failed: ${message}.`, { cause: error }) : error;
}

/**
 * Builds indexes, one after the other; existing indexes are left alone. Afterwards the tables are
 * vacuumed: an index avoids reading a row only where the page of the row is known to be visible to
 * all.
 * @param config connection of the tables' owner
 * @returns the names of the built indexes
 * @throws OperatorError when another command builds, a wait takes too long, or PostgreSQL rejects
 *   the index; an unfinished index is dropped, unless dropping would have to wait as well: the next
 *   build begins with it
 */
export async function buildIndexes(
  config: pg.ClientConfig,
  specs: readonly IndexSpec[],
  options: BuildOptions,
): Promise<string[]> {
  const built: string[] = [];
  if (specs.length === 0) return built;
  await alone(config, options.lockTimeoutMs, async (client) => {
    for (const spec of specs) {
      const name = nameOf(spec);
      const state = await stateOf(client, name);
      if (state === 'valid') continue;
      if (state === 'invalid') await dropOne(client, name);
      await watching(config, client, name, options.onProgress, async () => {
        try {
          await client.query(`CREATE INDEX CONCURRENTLY ${name} ON ${definitionOf(spec)}`);
        } catch (error) {
          throw (await removed(client, name)) ? told(error, `Building ${name}`) : leftBehind(name, error);
        }
      });
      await client.query(`COMMENT ON INDEX ${name} IS '${commentOf(options.now)}'`);
      built.push(name);
    }
    for (const table of new Set(specs.filter((spec) => built.includes(nameOf(spec))).map((spec) => spec.table))) {
      options.onProgress?.(table, 'vacuuming', undefined);
      await client.query(`VACUUM ${table}`);
    }
  });
  return built;
}

async function dropOne(client: pg.Client, name: string): Promise<void> {
  try {
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  } catch (error) {
    throw told(error, `Dropping ${name}`);
  }
}

/** Runs a build and reports its progress, by a second connection: the first one is busy. */
async function watching(
  config: pg.ClientConfig,
  builder: pg.Client,
  name: string,
  onProgress: BuildOptions['onProgress'],
  build: () => Promise<void>,
): Promise<void> {
  if (!onProgress) return build();
  const { rows } = await builder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const ended = new AbortController();
  const watcher = watch(config, rows[0]!.pid, ended.signal, (phase, part) => onProgress(name, phase, part));
  try {
    await build();
  } finally {
    ended.abort();
    await watcher;
  }
}

async function watch(
  config: pg.ClientConfig,
  pid: number,
  ended: AbortSignal,
  tell: (phase: string, part: number | undefined) => void,
): Promise<void> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  await client.connect();
  try {
    while (!ended.aborted) {
      const { rows } = await client.query<{ phase: string; done: number; total: number }>(
        `SELECT phase, greatest(blocks_done, tuples_done)::float8 AS done, greatest(blocks_total, tuples_total)::float8 AS total
           FROM pg_stat_progress_create_index WHERE pid = $1`,
        [pid],
      );
      const [now] = rows;
      if (now) tell(now.phase, now.total > 0 ? Math.min(now.done / now.total, 1) : undefined);
      await sleep(PROGRESS_MS, undefined, { signal: ended }).catch(() => undefined); // woken by the end
    }
  } finally {
    await client.end();
  }
}

/**
 * Drops advised indexes.
 * @throws OperatorError for a name that no advised index has; then none is dropped
 */
export async function dropIndexes(
  config: pg.ClientConfig,
  names: readonly string[],
  lockTimeoutMs: number,
): Promise<void> {
  if (names.length === 0) return;
  await alone(config, lockTimeoutMs, async (client) => {
    for (const name of names) {
      if (!new RegExp(`^${ADVISED}[a-z0-9_]+$`).test(name))
        throw new OperatorError(
          `${name} is not an advised index: those are called ${ADVISED}…, and only they are dropped.`,
        );
      if ((await stateOf(client, name)) === 'absent') throw new OperatorError(`There is no index ${name}.`);
    }
    for (const name of names) await dropOne(client, name);
  });
}
