/** A log that cannot be written is dropped and counted; the process neither waits nor ends. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('./lines.fixture.ts', import.meta.url));
const directory = await mkdtemp(join(tmpdir(), 'portico-log-'));
afterAll(() => rm(directory, { recursive: true }));

interface Writer {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Waits until the process tells a number of dropped lines that fits. */
  dropped(fits: (count: number) => boolean): Promise<void>;
  /**
   * Lets the process end itself.
   * @param event `close` comes when its output was read, `exit` whether or not
   * @returns its exit code, and the numbers of lines that it reports as written and missed
   */
  end(event?: 'close' | 'exit'): Promise<{ code: number | null; written: number; missing: number }>;
}

async function start(stdout: number | 'pipe', padding = '', command: string[] = [], flushMs = 20_000): Promise<Writer> {
  const [program = '', ...args] = [...command, process.execPath, SCRIPT, padding, String(flushMs)];
  const child = spawn(program, args, { stdio: ['pipe', stdout, 'pipe'] });
  let told = '';
  await new Promise<void>((resolve) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      told += chunk.toString();
      if (told.includes('dropped ')) resolve();
    });
    child.once('close', () => resolve());
  });
  return {
    child,
    pid: child.pid as number,
    dropped: async (fits) => {
      const from = told.length;
      const counts = () => [...told.slice(from).matchAll(/^dropped (\d+)\n/gm)].map(([, count]) => Number(count));
      await expect.poll(() => counts().some(fits)).toBe(true);
    },
    end: async (event = 'close') => {
      const ended = new Promise<number | null>((resolve) => child.once(event, resolve));
      child.stdin?.end();
      const code = await ended;
      return { code, ...(JSON.parse(/^\{.*\}$/m.exec(told)?.[0] ?? '{}') as { written: number; missing: number }) };
    },
  };
}

/** Every line is there or counted, and none is cut. */
function account(text: string, padding: string, written: number, missingAtEnd = 0): { missing: number } {
  let missing = 0;
  let seen = 0;
  for (const line of text.split('\n').slice(0, -1)) {
    const notice = /^missing (\d+)$/.exec(line);
    if (notice) missing += Number(notice[1]);
    else if (/^line \d+ /.test(line) && line.endsWith(` ${padding}`)) seen++;
  }
  expect(seen + missing + missingAtEnd).toBe(written);
  return { missing };
}

describe('a log that cannot be written', () => {
  it('goes to a full disk: the process lives, counts, and ends when told to', async () => {
    const full = openSync('/dev/full', 'w');
    const writer = await start(full);
    closeSync(full);
    await writer.dropped((count) => count > 0);
    expect(writer.child.exitCode).toBeNull();
    const { code, written, missing } = await writer.end();
    expect(code).toBe(0);
    expect(written).toBeGreaterThan(0);
    expect(missing).toBe(written);
  });

  it('goes to a disk that has room again: says how many lines are missing', async () => {
    const path = join(directory, 'limited.log');
    const file = openSync(path, 'a');
    const padding = 'x'.repeat(20);
    const writer = await start(file, padding, ['prlimit', '--fsize=2000:unlimited']);
    closeSync(file);
    await writer.dropped((count) => count > 10);
    execFileSync('prlimit', ['--pid', String(writer.pid), '--fsize=unlimited']);
    await writer.dropped((count) => count === 0);
    const { code, written, missing } = await writer.end();
    expect(code).toBe(0);
    expect(missing).toBe(0);
    const text = await readFile(path, 'utf8');
    // The line that was being written when the room ended is there in part, on a line of its own, and counted.
    expect(account(text, padding, written).missing).toBeGreaterThan(10);
  });

  it('goes to a pipe that nobody reads any more: the process lives and ends when told to', async () => {
    const writer = await start('pipe');
    writer.child.stdout?.destroy();
    await writer.dropped((count) => count > 0);
    expect(writer.child.exitCode).toBeNull();
    const { code, written, missing } = await writer.end();
    expect(code).toBe(0);
    expect(missing).toBeGreaterThan(0);
    expect(missing).toBeLessThanOrEqual(written);
  });

  it('goes to a pipe whose reader pauses: waits in a bounded buffer, then says how many are missing', async () => {
    const padding = 'x'.repeat(4_000);
    const writer = await start('pipe', padding);
    let text = '';
    await writer.dropped((count) => count > 0);
    writer.child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    await writer.dropped((count) => count === 0);
    const { code, written, missing } = await writer.end();
    expect(code).toBe(0);
    expect(account(text, padding, written, missing).missing).toBeGreaterThan(0);
  });

  it('goes to a pipe whose reader never reads: the process ends all the same', async () => {
    const writer = await start('pipe', 'x'.repeat(4_000), [], 200);
    await writer.dropped((count) => count > 0);
    // The test does not wait for the other stream: the exit alone counts here.
    expect((await writer.end('exit')).code).toBe(0);
    writer.child.stdout?.destroy();
  });
});
