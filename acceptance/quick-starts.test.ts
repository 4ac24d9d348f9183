/** The quick starts run as they are written, section by section, against a demo installation. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPortal, startPortal } from './portal-process.ts';

const ROOT = new URL('..', import.meta.url).pathname;
/** The document's commands that this file does in its own way, on a port of its own. */
const STARTS = ['npm ci && npm start', 'PORTICO_INTERNAL_WEBHOOKS=demo=localhost:3000 npm start'];
/** Ends a block whose program runs until it is stopped, and says so when it is ready. */
const STAYS = /npx node (receiver|bot)\.mjs$/;

interface Block {
  readonly language: string;
  readonly text: string;
}

const document = await readFile(join(ROOT, 'docs/quick-starts.md'), 'utf8');
const sections = document.split(/^## /m).map((section) => ({
  title: section.split('\n', 1)[0] ?? '',
  blocks: [...section.matchAll(/^```(\w+)\n(.*?)\n^```$/gms)].map(
    ([, language = '', text = '']): Block => ({ language, text }),
  ),
}));

let portal: RunningPortal;
let folder: string;
let receiver: number;
const running: { child: ChildProcess; output: () => string }[] = [];

beforeAll(async () => {
  receiver = await freePort();
  portal = await startPortal({ env: { PORTICO_INTERNAL_WEBHOOKS: `demo=localhost:${receiver}` } });
  folder = await mkdtemp(join(tmpdir(), 'portico-quick-starts-'));
  for (const name of ['node_modules', 'examples', 'package.json']) await symlink(join(ROOT, name), join(folder, name));
  await symlink(portal.dataDir, join(folder, '.portico'));
});
afterAll(async () => {
  for (const { child } of running) stop(child);
  await portal?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** A text of the document with the addresses of this run. */
const here = (text: string) =>
  text.replaceAll('http://localhost:8080', portal.baseUrl).replaceAll('3000', String(receiver));

const options = () => ({
  cwd: folder,
  env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, PORTICO_DATA_DIR: portal.dataDir },
});

/** Stops a shell and what it started. */
function stop(child: ChildProcess) {
  if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
}

/** Starts a block whose program goes on, and waits until it is ready. */
async function start(text: string): Promise<void> {
  const child = spawn('bash', ['-euc', text], { ...options(), detached: true });
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
        if (/^listening$/m.test(output)) resolve();
      });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)));
  });
  running.push({ child, output: () => output });
  await ready;
}

/** Does what a reader of a section does. @returns what its commands printed */
async function follow(title: string): Promise<string> {
  let printed = '';
  for (const { language, text } of sections.find((section) => section.title === title)?.blocks ?? []) {
    if (STARTS.includes(text)) continue;
    if (language === 'sh' && STAYS.test(text)) await start(here(text));
    else if (language === 'sh') {
      const { stdout, stderr } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', here(text)], options());
      printed += stdout + stderr;
    } else {
      const [, name] = /^(?:\/\/|#) (\S+)$/m.exec(text) ?? [];
      const file = language === 'csv' ? 'stock.csv' : name;
      if (file === undefined) throw new Error(`${title}: a block of ${language} without the name of its file`);
      await writeFile(join(folder, file), `${here(text)}\n`);
    }
  }
  return printed;
}

const lastOutput = () => running.at(-1)?.output() ?? '';

describe('docs/quick-starts.md', () => {
  it('starts with a sign-in', async () => {
    expect(await follow('# Quick starts')).toMatch(/^Signed in at .+ as Demo integration/);
  });
  it('reads', async () => {
    const printed = await follow('First read');
    expect(printed).toMatch(/^id +title +state/);
    expect(printed).toContain('{"communities":[');
    expect(printed).toMatch(/"nextPageToken":/);
    expect(printed).toMatch(/(^\d+ .+\n){3}$/m);
  });
  it('writes', async () => {
    const printed = await follow('First write');
    expect(printed).toMatch(/^Created post \d+: http/);
    expect(printed).toMatch(/^\d+ The printer is silent too High$/m);
    expect(printed).toMatch(/\{"postId":\d+/);
  });
  it('makes a community', async () => {
    const printed = await follow('A community of your own');
    expect(printed).toMatch(/Plan: \d+ to create, 0 to change, 0 to remove\./);
    expect(printed).toMatch(/^\d+ +Ladder +Kept +Yard +4 /m);
  });
  it('keeps a table in both directions', async () => {
    const printed = await follow('A table that follows both ways');
    expect(printed).toMatch(/^"Drill" is post \d+$/m);
    expect(printed).toMatch(/^\d+,Ladder,Yard,4$/m);
    expect(printed).toMatch(/^post \d+ is changed: Pieces$/m);
    expect(printed).toMatch(/^\d+ +Drill +Kept +Hall +5 /m);
  });
  it('receives webhooks', async () => {
    await follow('A receiver of webhooks');
    await expect.poll(lastOutput, { timeout: 60_000 }).toMatch(/post\.created \{/);
  });
  it('answers as a bot', async () => {
    await follow('A bot');
    await expect.poll(lastOutput, { timeout: 60_000 }).toMatch(/^answered post \d+$/m);
  });
  it('has no section that is not followed here', () => {
    expect(sections.map(({ title }) => title)).toHaveLength(7);
  });
});
