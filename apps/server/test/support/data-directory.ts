/**
 * Data directories as a first start leaves them, with or without the demo tenant: made by one start per run of the tests,
 * when the first test asks, and copied for each test that is not about the first start itself.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { openEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts';
import { Running, START } from './running.ts';
import { PREPARED } from './work-directory.ts';

const PATIENCE_MS = 280_000;
const FILES_MS = 30_000;

/**
 * Fills a data directory that no server has used yet. Does nothing outside of a run of the tests, and where the server
 * keeps its database outside of the data directory: the first start then makes everything.
 * @param demo whether it holds the demo tenant
 */
export async function fillDataDirectory(dataDir: string, demo: boolean): Promise<void> {
  const root = process.env[PREPARED];
  if (root === undefined) return;
  const prepared = join(root, demo ? 'demo' : 'empty');
  await mkdir(root, { recursive: true });
  const deadline = performance.now() + PATIENCE_MS;
  while (!existsSync(prepared)) {
    if (await lock(`${prepared}.lock`)) await prepare(prepared, demo);
    else if (performance.now() > deadline) throw new Error(`another process did not prepare ${prepared} in time`);
    else await sleep(50);
  }
  // The pointer to a database that is kept elsewhere must not be copied.
  if (existsSync(join(prepared, 'postgres-location.json'))) return;
  await promisify(execFile)('cp', ['-a', `${prepared}/.`, dataDir]);
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

async function prepare(prepared: string, demo: boolean): Promise<void> {
  const draft = `${prepared}.draft`;
  try {
    const server = new Running(process.execPath, [START], {
      PORT: '0',
      HOST: '127.0.0.1',
      PORTICO_DATA_DIR: draft,
      PORTICO_DEMO: String(demo),
      PORTICO_DRAIN_MS: '0',
    });
    try {
      await server.ready();
      if (demo) await filesRead(draft);
    } finally {
      await server.end();
    }
    await rm(join(draft, 'postgres.log'), { force: true });
    await rename(draft, prepared);
  } catch (error) {
    // The next one that asks tries again, and fails with an error of its own.
    await rm(draft, { recursive: true, force: true });
    await rm(`${prepared}.lock`, { recursive: true, force: true });
    throw error;
  }
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
