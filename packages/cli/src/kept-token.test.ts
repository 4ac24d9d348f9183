/** Tokens of people in the keychain of the system, and in files. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const run = promisify(execFile);
const source = join(import.meta.dirname, 'kept-token.ts');
const onPath = (name: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

/** Whether this machine can start a Secret Service, as desktops have. */
const secretService = ['dbus-run-session', 'gnome-keyring-daemon'].every(onPath);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-keychain-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Keeps, reads and deletes a token in a process of its own. @param before commands of the shell */
async function keep(before: string) {
  const program = join(folder, 'keep.mjs');
  writeFileSync(
    program,
    `import { deleteKeptToken, keepToken, readKeptToken } from ${JSON.stringify(source)};
const { store, reason } = await keepToken('a@https://a.example', 'ptc_1', Date.now() / 1000 + 600, true);
const kept = await readKeptToken(store, 'a@https://a.example');
await deleteKeptToken(store, 'a@https://a.example');
const after = await readKeptToken(store, 'a@https://a.example');
console.log(JSON.stringify({ store, because: typeof reason, kept, after }));`,
  );
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_RUNTIME_DIR: folder, XDG_CONFIG_HOME: folder };
  const script = `${before}exec "$0" "$1"`;
  const words = ['--', 'sh', '-c', script, process.execPath, program];
  const { stdout } = await run('dbus-run-session', words, { env });
  return JSON.parse(stdout.trim().split('\n').at(-1) as string) as unknown;
}

it.skipIf(!secretService)('keeps a token in the Secret Service of a desktop', async () => {
  const unlock = 'printf secret | gnome-keyring-daemon --unlock --components=secrets > /dev/null; ';
  expect(await keep(unlock)).toEqual({ store: 'keychain', because: 'undefined', kept: 'ptc_1' });
  expect(existsSync(join(folder, 'portico'))).toBe(false);
});

it.skipIf(!onPath('dbus-run-session'))('keeps it in a file without one, which only its owner reads', async () => {
  expect(await keep('')).toEqual({ store: 'file', because: 'string', kept: 'ptc_1' });
  const tokens = join(folder, 'portico', 'tokens');
  expect(statSync(tokens).mode & 0o777).toBe(0o700);
  expect(readdirSync(tokens)).toEqual([]);
});
