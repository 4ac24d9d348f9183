/**
 * Longest piece of main-thread work of every operation: runs the test of the rule in
 * docs/security.md and keeps its figures.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepTable } from './measure/small-tables.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TEST = 'apps/server/test/load/event-loop.db.test.ts';
/** Rows of the table: the requests with the longest pieces. */
const SHOWN = 12;

interface Figure {
  readonly name: string;
  /** Processor time of the longest piece. Milliseconds. */
  readonly longestMs: number;
  readonly keptBytes: number;
}

/** Measures every request of the test; sets the exit code where the rule does not hold. */
export async function measureEventLoop(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-loop-'));
  try {
    const file = join(folder, 'figures.json');
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', TEST], {
      cwd: ROOT,
      env: { ...process.env, PORTICO_LOOP_FIGURES: file },
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) process.exitCode = 1;
    const figures = JSON.parse(await readFile(file, 'utf8')) as Figure[];
    const slowest = figures.toSorted((a, b) => b.longestMs - a.longestMs);
    const largest = Math.max(...figures.map(({ keptBytes }) => keptBytes));
    await keepTable('loop', [
      `${figures.length} requests; half of them held the thread for at most ${slowest[Math.floor(slowest.length / 2)]?.longestMs.toFixed(0)} ms. The most memory that one kept: ${(largest / 1e6).toFixed(0)} MB.`,
      '',
      '| request | longest piece |',
      '|---|---|',
      ...slowest.slice(0, SHOWN).map(({ name, longestMs }) => `| ${name} | ${longestMs.toFixed(0)} ms |`),
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
