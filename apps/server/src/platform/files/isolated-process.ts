/**
 * Work on hostile bytes in a process of its own, one job at a time, with limits on time and memory. Whatever a decoder does
 * with a file of a user happens to that process; one that dies is replaced with the next job.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** What a process may take. */
export interface IsolationLimits {
  /** Of the whole process. Bytes. */
  readonly memoryBytes: number;
  /** Of one job. Milliseconds. */
  readonly jobMs: number;
}

/** What came of a job: the answer, or why there is none. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly failed: string };

/** The environment variable by which the process learns its limits. */
export const LIMITS_VARIABLE = 'PORTICO_ISOLATION_LIMITS';

/**
 * What a script may not do: start processes, write anywhere but where its job is, make programs of texts. (It reads what
 * it likes: its own packages lie in many places. Native packages are bound by none of this, hence the limits above.)
 */
const RESTRICTIONS: readonly string[] = [
  '--permission',
  '--allow-addons',
  '--allow-worker',
  '--allow-fs-read=*',
  ...new Set([tmpdir(), realpathSync(tmpdir())].map((directory) => `--allow-fs-write=${directory}`)),
  '--disallow-code-generation-from-strings',
  '--disable-warning=SecurityWarning',
];

/** A process that runs a script which calls `answerJobs` of isolated-child.ts. */
export class IsolatedProcess<Job extends object, Answer> {
  readonly #script: string;
  readonly #limits: IsolationLimits;
  #child: ChildProcess | undefined;

  /** @param script path of the script */
  constructor(script: string, limits: IsolationLimits) {
    this.#script = script;
    this.#limits = limits;
  }

  /** Never fails: what goes wrong is told in the outcome. One call at a time. */
  async run(job: Job): Promise<Outcome<Answer>> {
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
    return outcome;
  }

  /** Ends the process, if there is one. */
  close(): void {
    if (this.#child) this.#kill(this.#child);
  }

  #running(): ChildProcess {
    if (this.#child?.connected) return this.#child;
    const child = fork(this.#script, {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [...RESTRICTIONS],
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
