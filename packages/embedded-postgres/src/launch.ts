import type { ChildProcess, ExecFileException, StdioOptions } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** User and wrapper with which the server's programs run. */
export type Launch = {
  /** For the log: `this user`, `nobody`, … */
  label: string;
  /** Set when the programs run as another user than this process; needs root. */
  as?: { uid: number; gid: number };
  /** Owner of the files that the programs write, as seen by this process. */
  owner: { uid: number; gid: number };
  /** Program and arguments put in front of every program. */
  prefix: string[];
  /** Put in front of programs that look their user up in the account file, which a bare user id fails. */
  lookupPrefix: string[];
};

type Account = { name: string; uid: number; gid: number };

/** True when this process is the system's administrator, whom PostgreSQL refuses to serve. */
export const isRoot = (): boolean => process.geteuid?.() === 0;

/** The launch of an ordinary user: just run. */
export function launchAsSelf(): Launch {
  const owner = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
  let lookupPrefix: string[] = [];
  try {
    os.userInfo();
  } catch {
    // A bare user id, as containers like to give: initdb wants a name, which a user namespace can lend.
    lookupPrefix = unshareAs(unprivilegedAccount()) ?? [];
  }
  return { label: 'this user', owner, prefix: [], lookupPrefix };
}

/** The launch by which root starts programs as another user. */
export function launchAs(account: Account): Launch {
  const ids = { uid: account.uid, gid: account.gid };
  return { label: account.name, as: ids, owner: ids, prefix: [], lookupPrefix: [] };
}

/**
 * Returns the launch by which root starts programs that run as an unprivileged user in their own
 * view, and as root without privileges for the system: they reach files of root, below a home of
 * mode 0700 too. Null where the tool for it is missing; a try shows whether the system permits it.
 */
export function launchInUserNamespace(): Launch | null {
  const prefix = unshareAs(unprivilegedAccount());
  if (prefix === null) return null;
  return { label: 'a user namespace', owner: { uid: 0, gid: 0 }, prefix, lookupPrefix: [] };
}

/** An existing account without privileges: `nobody`, or the next best. Null on a system that has none. */
export function unprivilegedAccount(): Account | null {
  let text: string;
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return null;
  }
  const accounts = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(':'))
    // macOS writes nobody's id as -2.
    .map(([name, , uid, gid]) => ({ name: name ?? '', uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }))
    .filter((account) => account.name !== '' && account.uid > 0);
  for (const name of ['nobody', 'postgres', 'daemon', 'www-data', 'bin']) {
    const found = accounts.find((account) => account.name === name);
    if (found) return found;
  }
  return accounts[0] ?? null;
}

/** Permission to search a directory, in its mode, that applies to a user. */
function searchBit(directory: { uid: number; gid: number }, user: { uid: number; gid: number }): number {
  if (directory.uid === user.uid) return 0o100;
  return directory.gid === user.gid ? 0o010 : 0o001;
}

/**
 * Whether a user without privileges can walk to `target` and search it, by the modes of all
 * directories on the way. Access lists are ignored: they rarely deny access that the mode grants.
 */
export function canReach(target: string, user: { uid: number; gid: number }): boolean {
  for (let current = path.resolve(target); ; current = path.dirname(current)) {
    const stat = statSync(current);
    if ((stat.mode & searchBit(stat, user)) === 0) return false;
    if (path.dirname(current) === current) return true;
  }
}

/** The result of a program that ran to its end, or could not be started (`failure`). */
export type ProgramResult = { code: number | null; stdout: string; stderr: string; failure?: string };

/** The code with which a program ended; null for one that did not run to its end. */
function exitCodeOf(error: ExecFileException | null): number | null {
  if (error === null) return 0;
  return typeof error.code === 'number' ? error.code : null;
}

/** Runs one of the server's programs to its end. */
export function runProgram(
  launch: Launch,
  program: string,
  args: string[],
  options: { lookup?: boolean; input?: string; signal?: AbortSignal } = {},
): Promise<ProgramResult> {
  const [command, ...rest] = [...commandPrefix(launch, options.lookup === true), program, ...args];
  return new Promise((resolve) => {
    const spawnOptions = {
      ...launch.as,
      cwd: '/',
      env: programEnv(),
      signal: options.signal,
      killSignal: 'SIGKILL' as const,
    };
    try {
      const child = execFile(command as string, rest, spawnOptions, (error, stdout, stderr) => {
        const code = exitCodeOf(error);
        resolve({ code, stdout, stderr, ...(error !== null && code === null ? { failure: error.message } : {}) });
      });
      // A program that ends without reading its input breaks the pipe; only its exit counts.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(options.input ?? '');
    } catch (error) {
      // execFile throws some start failures (EACCES) instead of reporting them.
      resolve({ code: null, stdout: '', stderr: '', failure: String(error) });
    }
  });
}

/** True unless a launch goes through a tool that the system does not let do its work. */
export async function prefixWorks(launch: Launch): Promise<boolean> {
  const [tool] = launch.prefix;
  return tool === undefined || (await runProgram(launch, tool, ['--version'])).code === 0;
}

/** Starts a program that outlives this process: in a session of its own, so that the terminal's Ctrl-C misses it. */
export function spawnProgram(launch: Launch, program: string, args: string[], stdio: StdioOptions): ChildProcess {
  const [command, ...rest] = [...commandPrefix(launch, false), program, ...args];
  return spawn(command as string, rest, { ...launch.as, cwd: '/', env: programEnv(), detached: true, stdio });
}

function commandPrefix(launch: Launch, lookup: boolean): string[] {
  return lookup ? [...launch.prefix, ...launch.lookupPrefix] : launch.prefix;
}

function unshareAs(account: Account | null): string[] | null {
  if (process.platform !== 'linux' || account === null) return null;
  const directories = ['/usr/bin', '/bin', '/usr/local/bin', ...(process.env.PATH ?? '').split(':')];
  for (const directory of directories) {
    const tool = path.join(directory, 'unshare');
    if (!path.isAbsolute(tool) || !statSync(tool, { throwIfNoEntry: false })?.isFile()) continue;
    return [tool, '--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`, '--'];
  }
  return null;
}

/** The caller's PGHOST, LANG and the like must not reach the server. */
function programEnv(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  if (process.env.LD_LIBRARY_PATH) env.LD_LIBRARY_PATH = process.env.LD_LIBRARY_PATH;
  return env;
}
