/**
 * Creating posts with ten custom fields at 32 connections, beside the limit: a bare driver that runs the very statements
 * of one such write, on the same database, with a pool of the same size and nothing around it. Asked in turn; the ratio
 * is the claim (at least 40%), the absolute figures are this machine's.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareWriteBench } from '@portico/server/testing';
import autocannon from 'autocannon';
import { linesOf, median, portOf, serverEnv, startServer, stop } from './measured-server.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
const SECONDS = 4;
/** What creating a post must reach of the bare driver's rate. */
const CLAIM = 0.4;

export async function measureWrites(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const env = serverEnv(dataDir);
  const place = await prepareWriteBench(env);
  const server = startServer(env);
  let bare: ChildProcess | undefined;
  try {
    const port = await portOf(server);
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
