/**
 * Work on hostile bytes in a process of its own, one job at a time, with limits on time and memory. Whatever a decoder does
 * with a file of a user happens to that process; one that dies is replaced with the next job.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A process that got no job for so long is ended: it holds a hundred megabytes or more. Milliseconds. */
const IDLE_MS = 10_000;

/** What a process may take. */
export interface IsolationLimits {
  /** Of the whole process. Bytes. */
  readonly memoryBytes: number;
  /** Of one job. Milliseconds. */
  readonly jobMs: number;
}

/** What came of a job: the answer, or why there is none. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly failed: string };

/** The environment variable that passes the limits to the process. */
export const LIMITS_VARIABLE = 'PORTICO_ISOLATION_LIMITS';

/** Where the scripts and their packages are. */
const INSTALLATION = fileURLToPath(new URL('../../../../../', import.meta.url));
const SEARCHED = ['node_modules', 'apps/server/src', 'apps/server/node_modules', 'packages/contract'].map((path) =>
  join(INSTALLATION, path),
);
const LIBRARIES = SEARCHED.filter((path) => existsSync(path));

/**
 * What a script may: read its packages and its directory, write to its directory. It starts no processes and makes no programs
 * of texts. (Native packages are bound by none of this, hence the account below and the limits.)
 */
function restrictions(directory: string): string[] {
  // Node looks for packages also where an installation without development packages has no directory.
  const readable = new Set([...SEARCHED, ...LIBRARIES.map((path) => realpathSync(path)), directory]);
  return [
    '--permission',
    '--allow-addons',
    '--allow-worker',
    ...[...readable].map((path) => `--allow-fs-read=${path}${sep}`),
    `--allow-fs-write=${directory}${sep}`,
    '--disallow-code-generation-from-strings',
    '--disable-warning=SecurityWarning',
  ];
}

/** The account that owns nothing; the number that Linux systems give it. */
const NOBODY = 65_534;

/**
 * The account a script runs as: `nobody`, where the server may choose and `nobody` may read the installation and reach the files of jobs.
 * @param temporary where the directory of the jobs is made
 */
function account(temporary: string): { uid: number; gid: number } | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const open = [...LIBRARIES, process.execPath].every(isReadableByOthers) && isReachableByOthers(temporary);
  return open ? { uid: NOBODY, gid: NOBODY } : undefined;
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

/** The directories of this server's processes; gone with it. */
const directories = new Set<string>();
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** A process that runs a script which calls `answerJobs` of isolated-child.ts. */
export class IsolatedProcess<Job extends object, Answer> {
  readonly #script: string;
  readonly #limits: IsolationLimits;
  readonly #idleMs: number;
  #account: { uid: number; gid: number } | undefined;
  #directory: string | undefined;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  /**
   * @param script path of the script
   * @param idleMs how long the process waits for another job before it is ended
   */
  constructor(script: string, limits: IsolationLimits, idleMs = IDLE_MS) {
    this.#script = script;
    this.#limits = limits;
    this.#idleMs = idleMs;
  }

  /** The directory for the files of jobs: the process reads and writes nowhere else. Who makes one in it gives it its owner. */
  get directory(): string {
    // Programs that tidy up temporary directories remove it under a server that runs for weeks. The process works in it.
    if (this.#directory !== undefined && !existsSync(this.#directory)) {
      directories.delete(this.#directory);
      this.#directory = undefined;
      this.close();
    }
    if (this.#directory === undefined) {
      const temporary = realpathSync(tmpdir());
      this.#account = account(temporary);
      this.#directory = mkdtempSync(join(temporary, 'portico-isolated-'));
      directories.add(this.#directory);
      if (this.#account) chownSync(this.#directory, this.#account.uid, this.#account.gid);
    }
    return this.#directory;
  }

  /** The id of the process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Never fails: what goes wrong is told in the outcome. One call at a time. */
  async run(job: Job): Promise<Outcome<Answer>> {
    clearTimeout(this.#idle);
    const child = this.#running();
    const { promise, resolve } = Promise.withResolvers<Outcome<Answer>>();
    const onMessage = (outcome: Outcome<Answer>) => resolve(outcome);
    const onExit = (code: number | null, signal: string | null) =>
      resolve({
        failed:
          signal === 'SIGKILL'
            ? `it took more memory than the ${this.#limits.memoryBytes} bytes allowed`
            : `the process that looks at files ended (${signal ?? `code ${code}`})`,
      });
    const onError = (error: Error) => resolve({ failed: error.message });
    child.once('message', onMessage).once('exit', onExit).once('error', onError);
    const timer = setTimeout(() => {
      this.#kill(child);
      resolve({ failed: `it took longer than ${this.#limits.jobMs} ms` });
    }, this.#limits.jobMs);
    child.send(job, (error) => {
      if (error) onError(error);
    });
    const outcome = await promise;
    clearTimeout(timer);
    child.off('message', onMessage).off('exit', onExit).off('error', onError);
    this.#idle = setTimeout(() => this.close(), this.#idleMs).unref();
    return outcome;
  }

  /** Ends the process, if there is one. */
  close(): void {
    clearTimeout(this.#idle);
    if (this.#child) this.#kill(this.#child);
  }

  #running(): ChildProcess {
    if (this.#child?.connected) return this.#child;
    const child = fork(this.#script, {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: restrictions(this.directory),
      cwd: this.directory,
      ...this.#account,
      // Secrets of the server are none of its business.
      env: { PATH: process.env['PATH'], [LIMITS_VARIABLE]: JSON.stringify(this.#limits) },
    });
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    // An idle process must not keep the server from ending.
    child.unref();
    child.channel?.unref();
    this.#child = child;
    return child;
  }

  #kill(child: ChildProcess): void {
    child.kill('SIGKILL');
    if (this.#child === child) this.#child = undefined;
  }
}
