/** The process that looks at files of users reads its input and its packages, and lives only while there is work. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
    const files = await probe.newFiles();
    writeFileSync(files.input, 'the input');
    expect(await probe.run({ read: files.input })).toMatchObject({ answer: { text: 'the input' } });
    const secret = join(outside, 'secret');
    writeFileSync(secret, 'a secret of somebody else', { mode: 0o644 });
    for (const path of [secret, '/etc/passwd', '/proc/self/environ', join(tmpdir(), 'anything')])
      expect(await probe.run({ read: path }), path).toMatchObject({
        failed: expect.stringMatching(/Access to this API has been restricted/),
      });
    for (const path of [join(outside, 'written'), files.input, join(dirname(files.input), 'written')]) {
      expect(await probe.run({ write: path }), path).toMatchObject({ failed: expect.stringMatching(/restricted/) });
      expect(existsSync(path)).toBe(path === files.input);
    }
  });

  it('loads a native package only where it may', async () => {
    const pictures = new IsolatedProcess<ProbeJob, ProbeAnswer>(SCRIPT, LIMITS);
    const files = await pictures.newFiles();
    expect(await pictures.run({ writeNatively: files.output('picture') })).toHaveProperty('answer');
    pictures.close();
    expect(
      readFileSync((await files.take('picture'))!)
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    probe = new IsolatedProcess(SCRIPT, LIMITS, { native: false });
    const { output } = await probe.newFiles();
    expect(await probe.run({ writeNatively: output('picture') })).toHaveProperty('failed');
    expect(await probe.run({ write: output('text') })).toHaveProperty('answer');
  });

  it('hands over files alone, no links', async () => {
    probe = new IsolatedProcess(SCRIPT, LIMITS);
    const files = await probe.newFiles();
    expect(await files.take('nothing')).toBeUndefined();
    await probe.run({ write: files.output('text') });
    expect(readFileSync((await files.take('text'))!, 'utf8')).toBe('written');
    // Node.js permits no links to unreadable files.
    await probe.run({ link: { from: files.output('link'), to: files.input } });
    expect(await files.take('link')).toBeUndefined();
    await files.remove();
    expect(existsSync(dirname(files.input))).toBe(false);
    expect(existsSync(files.output('text'))).toBe(false);
  });

  it('is nobody else when the server is root, and gets no secrets of the environment', async () => {
    probe = new IsolatedProcess(SCRIPT, LIMITS);
    const other = new IsolatedProcess<ProbeJob, ProbeAnswer>(SCRIPT, LIMITS);
    const [first, second] = [await probe.run({}), await other.run({})] as { answer: ProbeAnswer }[];
    other.close();
    const { environment, groups, uid } = first!.answer;
    if (process.getuid?.() === 0) {
      expect(readFileSync('/etc/passwd', 'utf8')).not.toContain(`:${uid}:`);
      expect(uid).not.toBe(0);
      expect(groups).toEqual([uid]);
      expect(second!.answer.uid).not.toBe(uid);
    }
    // The shell that enters the namespaces adds where it is and was.
    const given = environment.filter((name) => !['PWD', 'OLDPWD'].includes(name));
    expect(given.toSorted()).toEqual(['HOME', 'PATH', 'PORTICO_ISOLATION_LIMITS', 'TMPDIR']);
  });

  it('ends when there is nothing to do, and begins again with the next job', async () => {
    probe = new IsolatedProcess(SCRIPT, LIMITS, { idleMs: 100 });
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
    const first = dirname(dirname((await probe.newFiles()).input));
    expect(await probe.run({})).toHaveProperty('answer');
    rmSync(first, { recursive: true });
    const { input } = await probe.newFiles();
    writeFileSync(input, 'the input');
    expect(await probe.run({ read: input })).toMatchObject({ answer: { text: 'the input' } });
    expect(existsSync(first)).toBe(false);
  });
});
