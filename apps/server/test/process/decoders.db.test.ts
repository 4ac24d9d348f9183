/**
 * The process that decodes files of users reaches nothing of the server, even through its native
 * packages.
 */
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import type { Reached } from './decoders.fixture.ts';

const SCRIPT = fileURLToPath(new URL('./decoders.fixture.ts', import.meta.url));
const run = promisify(execFile);

const works = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const root = process.getuid?.() === 0;
const privileged = root && works('unshare', '--mount', '--pid', '--net', '--ipc', '--fork', 'true');

/** An ordinary user without an entry in the list of accounts. */
const ORDINARY = 23_456;
const AS_ORDINARY = root ? `setpriv --reuid ${ORDINARY} --regid ${ORDINARY} --clear-groups` : '';
const ordinaryNamespaces = works('sh', '-c', `${AS_ORDINARY} unshare --user --map-root-user --mount --pid --fork true`);
/**
 * Ends in a user namespace in which no further ones can be made, as a user in the system's list of
 * accounts, as initdb requires.
 */
const WITHOUT_NAMESPACES =
  "unshare --user --map-root-user sh -c 'echo 1 >/proc/sys/user/max_user_namespaces; " +
  'exec unshare --user --map-user="$(id -u daemon)" --map-group="$(id -g daemon)" -- "$@"\' sh';

interface Situation {
  readonly name: string;
  /** Whether it can be made on this machine. */
  readonly possible: boolean;
  /** Number of the server's user. */
  readonly user: number;
  /** Command in front of the server, in a shell. */
  readonly prefix: string;
  readonly account: boolean;
  readonly namespaces: boolean;
  /** Attempts in which a decoder that was taken over succeeds. */
  readonly reached: readonly string[];
}

const EVERYTHING = ['read', 'write', 'overwrite', 'signal', 'send'];
const self = process.getuid?.() ?? 0;

const situations: readonly Situation[] = [
  {
    name: 'root',
    possible: privileged,
    user: 0,
    prefix: '',
    account: true,
    namespaces: true,
    reached: [],
  },
  {
    name: 'root in a container, without the capability to make namespaces',
    possible: root,
    user: 0,
    prefix: 'setpriv --bounding-set -sys_admin',
    account: true,
    namespaces: false,
    reached: ['send'],
  },
  {
    name: 'an ordinary user',
    possible: ordinaryNamespaces,
    user: root ? ORDINARY : self,
    prefix: AS_ORDINARY,
    account: false,
    namespaces: true,
    reached: [],
  },
  {
    name: 'an ordinary user without namespaces, who is told',
    possible: true,
    user: root ? ORDINARY : self,
    prefix: ordinaryNamespaces ? `${AS_ORDINARY} ${WITHOUT_NAMESPACES}` : AS_ORDINARY,
    account: false,
    namespaces: false,
    reached: EVERYTHING,
  },
];

const directory = mkdtempSync(join(tmpdir(), 'portico-decoders-'));
chmodSync(directory, 0o755);
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }));

test.each(situations.filter(({ possible }) => possible))(
  'decoders of $name',
  async ({ user, prefix, account, namespaces, reached }) => {
    const dataDir = mkdtempSync(join(directory, 'data-'));
    chownSync(dataDir, user, root ? user : (process.getgid?.() ?? 0));
    const { stdout } = await run('sh', ['-c', `exec ${prefix} "$@"`, 'sh', process.execPath, SCRIPT, dataDir], {
      env: { PATH: process.env['PATH'] },
    });
    const written = reached.includes('write');
    expect(JSON.parse(stdout) as Reached).toEqual({
      isolation: { account, namespaces },
      warned: !account && !namespaces,
      pictures: [1, 4, 1, 4],
      text: 'Words of a page',
      reached,
      hbaChanged: written,
      written,
      heard: reached.includes('send'),
    } satisfies Reached);
  },
  240_000,
);
