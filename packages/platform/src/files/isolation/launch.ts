/** Starting a script that looks at files, with no more rights than it needs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Account } from './account.ts';
import type { Workplace } from './workplace.ts';

/** Limits of a process. */
export interface IsolationLimits {
  /** Memory of the whole process. Bytes. */
  readonly memoryBytes: number;
  /** Duration of one job. Milliseconds. */
  readonly jobMs: number;
}

/** The environment variable that passes the limits to the process. */
export const LIMITS_VARIABLE = 'PORTICO_ISOLATION_LIMITS';

/** How a process is kept from the others of the machine, by the system. */
export interface Isolation {
  /** Another user than that of the server and its database. */
  readonly account: boolean;
  /** Namespaces of its own: it sees its program and its files, no other process and no network. */
  readonly namespaces: boolean;
}

/** How a script is started. */
interface Launch {
  readonly script: string;
  readonly limits: IsolationLimits;
  /**
   * Whether the script may load native packages. Everything else is bound by the permissions of
   * Node.js.
   */
  readonly native: boolean;
  readonly isolation: Isolation;
  /** Directories that a process with namespaces does not see, wherever they are. */
  readonly hidden: readonly string[];
  /** Whether the caller reads what the process writes to its standard error. */
  readonly told?: boolean;
}

/** Where the scripts and their packages are. */
const INSTALLATION = fileURLToPath(new URL('../../../../../', import.meta.url));
const SEARCHED = [
  ...['node_modules', 'packages/platform', 'apps/server/src', 'apps/server/node_modules', 'packages/contract'].map(
    (path) => join(INSTALLATION, path),
  ),
  // Where Portico is a package itself, its packages are beside it.
  ...(basename(dirname(INSTALLATION)) === 'node_modules' ? [dirname(INSTALLATION)] : []),
];
/** Asked by the server alone: the isolated script, which loads this file too, may not look at all of them. */
const libraries = () => SEARCHED.filter((path) => existsSync(path));
const ENTRY = fileURLToPath(new URL('./enter-namespaces.sh', import.meta.url));

/** Directories of the programs that make namespaces; PATH often lacks the administrator's. */
const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

/** Exit code of a shell whose program was ended by SIGKILL. */
export const KILLED_CODE = 128 + 9;

/** Starts a script that calls `answerJobs` of isolated-child.ts. */
export function launch(place: Workplace, options: Launch): ChildProcess {
  const { script, limits, native, isolation, hidden, told } = options;
  const account = isolation.account ? place.account : undefined;
  if (place.account !== undefined) {
    const owner = account ?? process.getuid!();
    chownSync(place.outputs, owner, owner);
  }
  const program = [realpathSync(process.execPath), ...restrictions(place, native), script];
  const [command, ...rest] = isolation.namespaces ? inNamespaces(program, place, account, hidden) : program;
  return spawn(command!, rest, {
    stdio: ['ignore', 'ignore', told ? 'pipe' : 'ignore', 'ipc'],
    cwd: place.outputs,
    // With namespaces, the account changes when they are complete.
    ...(account !== undefined && !isolation.namespaces && { uid: account, gid: account }),
    // Secrets of the server are none of its business.
    env: {
      PATH: isolation.namespaces ? `${SYSTEM_PATH}:${process.env['PATH'] ?? ''}` : process.env['PATH'],
      // Native packages ask for both; the account has no entry that says them.
      HOME: place.outputs,
      TMPDIR: place.outputs,
      [LIMITS_VARIABLE]: JSON.stringify(limits),
    },
  });
}

/**
 * Binds the JavaScript of a script: it reads its packages and its directory, writes its results,
 * starts no processes and makes no programs of texts. Native packages are bound by none of this,
 * hence the isolation.
 */
function restrictions({ directory, outputs }: Workplace, native: boolean): string[] {
  return [
    '--permission',
    ...(native ? ['--allow-addons'] : []),
    '--allow-worker',
    ...[...readable(), directory].map((path) => `--allow-fs-read=${path}${sep}`),
    `--allow-fs-write=${outputs}${sep}`,
    '--disallow-code-generation-from-strings',
    '--disable-warning=SecurityWarning',
  ];
}

/**
 * Node looks for packages also where an installation without development packages has no directory.
 */
function readable(): Set<string> {
  return new Set([...SEARCHED, ...libraries().map((path) => realpathSync(path))]);
}

/**
 * Puts the commands that make namespaces in front of a program. A shell is the first process of the new
 * ones, since the first one cannot be killed from within. All of them end with the server, or when
 * it ends the first.
 */
function inNamespaces(program: string[], place: Workplace, account: Account | undefined, hidden: readonly string[]) {
  return [
    ...['setpriv', '--pdeathsig', 'KILL', '--'],
    ...['unshare', '--mount', '--pid', '--net', '--ipc', '--fork', '--kill-child'],
    ...(account === undefined ? ['--user', '--map-root-user', '--'] : ['--']),
    ...['sh', ENTRY, place.root, place.outputs, String(account ?? 0)],
    ...[...hidden, '--'],
    ...[...readable(), process.execPath, realpathSync(process.execPath), place.directory].filter(existsSync),
    ...['--', 'sh', '-c', '"$@"; exit $?', 'sh', ...program],
  ];
}

/** Whether every user may read the installation and reach the files of jobs. */
export function isOpenToOthers({ directory }: Workplace): boolean {
  return [...libraries(), process.execPath].every(isReadableByOthers) && isReachableByOthers(dirname(directory));
}

/** Whether every user may enter a directory, or run a file, and enter all directories above it. */
function isReachableByOthers(path: string): boolean {
  for (let above = realpathSync(path); ; above = dirname(above)) {
    if ((statSync(above).mode & 0o001) === 0) return false;
    if (above === dirname(above)) return true;
  }
}

function isReadableByOthers(path: string): boolean {
  return isReachableByOthers(path) && (statSync(realpathSync(path)).mode & 0o004) !== 0;
}
