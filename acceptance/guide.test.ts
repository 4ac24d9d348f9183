/** The guide for integrators is a program: it runs as it stands there, against a demo installation. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningPortal, startPortal } from './portal-process.ts';

const COMMAND = new URL('../packages/cli/bin/portico.mjs', import.meta.url).pathname;

let portal: RunningPortal;
let folder: string;
beforeAll(async () => {
  portal = await startPortal();
  folder = await mkdtemp(join(tmpdir(), 'portico-guide-'));
  await writeFile(join(folder, 'key.json'), JSON.stringify(portal.keyFile));
});
afterAll(async () => {
  await portal?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

const run = (args: string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });

it('docs/interface.md runs from top to bottom', async () => {
  const guide = await readFile(new URL('../docs/interface.md', import.meta.url), 'utf8');
  const program = [...guide.matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1]).join('\n');
  await writeFile(join(folder, 'tour.mjs'), program);
  const { stdout } = await run([join(folder, 'tour.mjs')], {
    PORTICO_URL: portal.baseUrl,
    PORTICO_KEY_FILE: join(folder, 'key.json'),
  });
  expect(stdout).toMatch(/^signed in as /m);
  expect(stdout).toMatch(/^[1-9]\d* dated, [1-9]\d* with /m);
  expect(stdout).toMatch(/^[1-9]\d* posts$/m);
  expect(stdout).toMatch(/^409: changed by .+, present token \d+$|is required|must/m);
  expect(stdout).toMatch(/^a copy of [1-9]\d* posts$/m);
});

it('the first look of the README lists posts', async () => {
  const script = new URL('../examples/first-look.mjs', import.meta.url).pathname;
  const { stdout } = await run([script, join(folder, 'key.json'), portal.baseUrl]);
  expect(stdout).toMatch(/^Signed in as /);
  expect(stdout.trim().split('\n')).toHaveLength(7);
});

it('the example of a community builds it, and changes it while it holds posts', async () => {
  const script = new URL('../examples/build-community.mjs', import.meta.url).pathname;
  const { stdout } = await run([script, join(folder, 'key.json'), portal.baseUrl]);
  expect(stdout).toMatch(/^Order \d+ is approved$/m);
  expect(stdout).toMatch(/Posts in states that are left out \("Approved"\): 1 \(for example \d+ "Chairs"\)\./);
  expect(stdout).toMatch(/^States now: Requested, Ordered, Refused; Approved stays where orders are$/m);
});

it('the example of purchasing builds it, imports all rows but those with a fault, and gives it to a second tenant', async () => {
  const command = (...words: string[]) =>
    run([COMMAND, ...words], { PORTICO_DATA_DIR: portal.dataDir, PORTICO_LOG_LEVEL: 'error' });
  const { port } = new URL(portal.baseUrl);
  const key = join(folder, 'second.json');
  await command('admin', 'tenant', 'create', 'second', '--host', '127.0.0.1', '--admin-email', 'admin@second.example');
  await command(
    'admin',
    'service-account',
    'create',
    '--tenant',
    'second',
    '--name',
    'Builder',
    '--admin',
    '--out',
    key,
  );
  const script = new URL('../examples/purchasing/purchasing.mjs', import.meta.url).pathname;
  // From now on the demo answers at its own host only.
  const first = [join(folder, 'key.json'), `http://localhost:${port}`];
  const { stdout } = await run([script, ...first, '100', key, `http://127.0.0.1:${port}`]);
  expect(stdout).toMatch(/^Trial: 85 rows can be taken, 15 cannot$/m);
  expect(stdout).toMatch(/^Import of 100 rows: 85 orders, 15 not taken$/m);
  expect(stdout.match(/^.+: 1 of 1 rows$/gm)).toHaveLength(15);
  expect(stdout).toMatch(/^Without a fault, and not taken: 0 rows$/m);
  expect(stdout).toMatch(/^The second tenant has the same community$/m);
});
