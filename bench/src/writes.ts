/**
 * Creating posts with ten custom fields at 32 connections, beside the limit: a bare driver that runs the very statements
 * of one such write, on the same database, with a pool of the same size and nothing around it. Asked in turn; the ratio
 * is the claim (at least 40%), the absolute figures are this machine's.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { prepareWriteBench } from '@portico/server/testing';
import autocannon from 'autocannon';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CONNECTIONS = 32;
const ROUNDS = 5;
const SECONDS = 4;
/** What creating a post must reach of the bare driver's rate. */
const CLAIM = 0.4;

/** The lines that a process prints, one at a time. */
function linesOf(child: ChildProcess): () => Promise<string> {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the process ended before it said what it should');
    return value as string;
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill('SIGTERM');
  await promise;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

export async function measureWrites(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const env = {
    ...process.env,
    PORTICO_DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    PORTICO_DEMO: 'false',
    PORTICO_LOG_LEVEL: 'error',
  };
  const place = await prepareWriteBench(env);
  const server = spawn(process.execPath, [join(ROOT, 'apps/server/start.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let bare: ChildProcess | undefined;
  try {
    const serverLine = linesOf(server);
    let port: string | undefined;
    while (!port) port = /ready at https?:\/\/\S+?:(\d+)/.exec(await serverLine())?.[1];
    server.stdout!.resume();
    bare = spawn(
      process.execPath,
      [
        fileURLToPath(new URL('bare-writer.ts', import.meta.url)),
        JSON.stringify({ ...place, connections: CONNECTIONS }),
      ],
      { env, stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const bareLine = linesOf(bare);
    const { statements } = JSON.parse(await bareLine()) as { statements: number };
    process.stdout.write(
      `creating a post with ten custom fields, ${CONNECTIONS} connections, ${statements} statements a post\n`,
    );
    const portico = async () => {
      const result = await autocannon({
        url: `http://127.0.0.1:${port}${place.path}`,
        method: 'POST',
        headers: { authorization: `Bearer ${place.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(place.body),
        connections: CONNECTIONS,
        duration: SECONDS,
      });
      if (result.errors > 0 || result.non2xx > 0) throw new Error(`${result.errors} errors, ${result.non2xx} refusals`);
      return result.requests.average;
    };
    const driver = async () => {
      bare!.stdin!.write(`${SECONDS}\n`);
      return (JSON.parse(await bareLine()) as { perSecond: number }).perSecond;
    };
    const rates = { portico: [] as number[], driver: [] as number[] };
    // The first round warms both up.
    for (let round = 0; round <= ROUNDS; round++) {
      const [ours, theirs] = [await portico(), await driver()];
      if (round === 0) continue;
      rates.portico.push(ours);
      rates.driver.push(theirs);
    }
    const [ours, theirs] = [median(rates.portico), median(rates.driver)];
    const ratio = ours / theirs;
    process.stdout.write(`portico      ${ours.toFixed(0).padStart(6)} posts/s\n`);
    process.stdout.write(`bare driver  ${theirs.toFixed(0).padStart(6)} posts/s\n`);
    process.stdout.write(`ratio        ${(ratio * 100).toFixed(0).padStart(6)}%  (at least ${CLAIM * 100}%)\n`);
    if (ratio < CLAIM) process.exitCode = 1;
  } finally {
    if (bare) await stop(bare);
    await stop(server);
    await rm(dataDir, { recursive: true, force: true });
  }
}
