/** The process that looks at files of users reads its input and its packages, and lives only while there is work. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { ProbeAnswer, ProbeJob } from './isolated-probe.fixture.ts';
import { IsolatedProcess } from './isolated-process.ts';

const SCRIPT = fileURLToPath(new URL('./isolated-probe.fixture.ts', import.meta.url));
const LIMITS = { memoryBytes: 1024 ** 3, jobMs: 30_000 };
const outside = mkdtempSync(join(tmpdir(), 'portico-outside-'));
afterAll(() => rmSync(outside, { recursive: true }));

let probe: IsolatedProcess<ProbeJob, ProbeAnswer>;
afterEach(() => probe.close());

describe('a process that looks at files', { timeout: 60_000 }, () => {
  it('reads its input, its packages, and nothing else', async () => {
    probe = new IsolatedProcess(SCRIPT, LIMITS);
    const input = join(probe.directory, 'input');
    writeFileSync(input, 'the input');
    expect(await probe.run({ read: input })).toMatchObject({ answer: { text: 'the input' } });
    const secret = join(outside, 'secret');
    writeFileSync(secret, 'a secret of somebody else', { mode: 0o644 });
    for (const path of [secret, '/etc/passwd', '/proc/self/environ', join(tmpdir(), 'anything')])
      expect(await probe.run({ read: path }), path).toMatchObject({
        failed: expect.stringMatching(/Access to this API has been restricted/),
      });
    const target = join(outside, 'written');
    expect(await probe.run({ write: target })).toMatchObject({ failed: expect.stringMatching(/restricted/) });
    expect(existsSync(target)).toBe(false);
  });

  it('runs as nobody when the server is root, and without the secrets of its environment', async () => {
    probe = new IsolatedProcess(SCRIPT, LIMITS);
    const outcome = await probe.run({});
    const { uid, environment } = (outcome as { answer: ProbeAnswer }).answer;
    expect(uid).toBe(process.getuid?.() === 0 ? 65_534 : process.getuid?.());
    expect(
      environment.filter(
        (name) =>
          !['PATH', 'PORTICO_ISOLATION_LIMITS', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'].includes(name),
      ),
    ).toEqual([]);
  });

  it('ends when there is nothing to do, and begins again with the next job', async () => {
    probe = new IsolatedProcess(SCRIPT, LIMITS, 100);
    expect(probe.pid).toBeUndefined();
    await probe.run({});
    const first = probe.pid;
    expect(first).toBeGreaterThan(0);
    await expect.poll(() => probe.pid).toBeUndefined();
    expect(await probe.run({})).toHaveProperty('answer');
    expect(probe.pid).not.toBe(first);
  });

  it('goes on when its directory was removed', async () => {
    probe = new IsolatedProcess(SCRIPT, LIMITS);
    const first = probe.directory;
    expect(await probe.run({})).toHaveProperty('answer');
    rmSync(first, { recursive: true });
    const input = join(probe.directory, 'input');
    writeFileSync(input, 'the input');
    expect(await probe.run({ read: input })).toMatchObject({ answer: { text: 'the input' } });
    expect(existsSync(first)).toBe(false);
  });
});
