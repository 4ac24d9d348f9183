/**
 * Data directories as a first start leaves them, with or without the demo tenant: filled once per run of the tests, when
 * the first test asks, and copied for each test. The demo is made as carefully as an operator may make it: its first start
 * is stopped meanwhile, and the next one makes it. Tests of that read what the two printed.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openEmbeddedPostgres } from '@portico/embedded-postgres';
import { clusterDirOf, findHome } from '@portico/embedded-postgres/placement';
import pg from 'pg';
import { type Outcome, Running, START } from './running.ts';
import { PREPARED } from './work-directory.ts';

const PATIENCE_MS = 280_000;
const FILES_MS = 30_000;
/** Name of the file, beside the directory with the demo, that holds its {@link FirstStarts}. */
const FIRST_STARTS = 'demo-starts.json';

/** A start that has ended. */
interface EndedStart extends Outcome {
  stdout: string;
  stderr: string;
  /** Whether its PostgreSQL left the file of a running one. */
  postgresLeft: boolean;
}

/** The starts that made the demo. */
interface FirstStarts {
  /** Their data directory, which has been moved since. */
  dataDir: string;
  /** The first one, which SIGINT ended while it made the demo. */
  stopped: EndedStart;
  /** The second one, which made it. Its log tells everything. */
  made: EndedStart;
  /** What PostgreSQL logged. */
  postgresLog: string;
}

/** Returns what the starts printed that made the demo of this run, and makes it if no test has asked for it yet. */
export async function firstStarts(): Promise<FirstStarts> {
  const root = process.env[PREPARED];
  if (root === undefined) throw new Error('no prepared directory: run the tests through vitest');
  await prepared(root, true);
  return JSON.parse(await readFile(join(root, FIRST_STARTS), 'utf8')) as FirstStarts;
}

/**
 * Fills a data directory that no server has used yet. Does nothing outside of a run of the tests, and where the server
 * keeps its database outside of the data directory: the first start then makes everything.
 * @param demo whether it holds the demo tenant
 */
export async function fillDataDirectory(dataDir: string, demo: boolean): Promise<void> {
  const root = process.env[PREPARED];
  if (root === undefined) return;
  const source = await prepared(root, demo);
  // The pointer to a database that is kept elsewhere must not be copied.
  if (existsSync(join(source, 'postgres-location.json'))) return;
  await promisify(execFile)('cp', ['-a', `${source}/.`, dataDir]);
}

/** Waits until the directory is filled. @returns its path */
async function prepared(root: string, demo: boolean): Promise<string> {
  const directory = join(root, demo ? 'demo' : 'empty');
  await mkdir(root, { recursive: true });
  const deadline = performance.now() + PATIENCE_MS;
  while (!existsSync(directory)) {
    if (await lock(`${directory}.lock`)) await prepare(directory, demo);
    else if (performance.now() > deadline) throw new Error(`another process did not prepare ${directory} in time`);
    else await sleep(50);
  }
  return directory;
}

async function lock(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function prepare(directory: string, demo: boolean): Promise<void> {
  const draft = `${directory}.draft`;
  try {
    if (demo) {
      const starts = await makeDemo(draft);
      await writeFile(join(directory, '..', FIRST_STARTS), JSON.stringify(starts));
    } else {
      const server = start(draft, { PORTICO_DEMO: 'false' });
      await server.ready().finally(() => server.end());
    }
    await rm(join(draft, 'postgres.log'), { force: true });
    await rename(draft, directory);
  } catch (error) {
    // The next one that asks tries again, and fails with an error of its own.
    await rm(draft, { recursive: true, force: true });
    await rm(`${directory}.lock`, { recursive: true, force: true });
    throw error;
  }
}

const start = (dataDir: string, env: Record<string, string | undefined>) =>
  new Running(process.execPath, [START], { PORT: '0', PORTICO_DATA_DIR: dataDir, PORTICO_DRAIN_MS: '0', ...env });

async function makeDemo(dataDir: string): Promise<FirstStarts> {
  const ended = async (server: Running, signal: NodeJS.Signals): Promise<EndedStart> => {
    const outcome = await server.end(signal);
    const postgresLeft = existsSync(join(clusterDirOf(findHome(dataDir)), 'postmaster.pid'));
    return { ...outcome, stdout: server.stdout, stderr: server.stderr, postgresLeft };
  };
  const first = start(dataDir, { PORTICO_DEMO: undefined });
  await first.prints('Making the demo tenant');
  const stopped = await ended(first, 'SIGINT');
  const second = start(dataDir, { PORTICO_DEMO: undefined, PORTICO_LOG_LEVEL: 'debug' });
  try {
    await second.ready();
    await filesRead(dataDir);
  } catch (error) {
    await second.end();
    throw error;
  }
  const made = await ended(second, 'SIGTERM');
  const postgresLog = await readFile(join(dataDir, 'postgres.log'), 'utf8');
  return { dataDir, stopped, made, postgresLog };
}

/**
 * Waits until the background jobs have read all files: otherwise the server of each copy would
 * begin with that work. If this takes too long, the server reads the remaining files.
 */
async function filesRead(dataDir: string): Promise<void> {
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined });
  const client = new pg.Client({ ...postgres.connection });
  await client.connect();
  try {
    const waiting = 'SELECT FROM file_contents WHERE state = 1 AND (previews IS NULL OR text_state IS NULL) LIMIT 1';
    const deadline = performance.now() + FILES_MS;
    while (performance.now() < deadline && (await client.query(waiting)).rowCount !== 0) await sleep(200);
  } finally {
    await client.end();
    await postgres.stop();
  }
}
