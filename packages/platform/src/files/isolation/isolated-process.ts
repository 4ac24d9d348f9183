/**
 * Work on hostile bytes in a process of its own, one job at a time, with limits on time and memory.
 * A decoder can harm that process alone; a process that dies is replaced with the next job.
 */
import type { ChildProcess } from 'node:child_process';
import { chooseIsolation } from './choose-isolation.ts';
import { type Isolation, type IsolationLimits, KILLED_CODE, launch } from './launch.ts';
import { isWhole, type JobFiles, makeJobFiles, makeWorkplace, type Workplace } from './workplace.ts';

/**
 * A process that got no job for so long is ended: it holds a hundred megabytes or more.
 * Milliseconds.
 */
const IDLE_MS = 10_000;

/** Outcome of a job: the answer, or the reason of a failure. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly failed: string };

/** How a process differs from others. */
interface ProcessOptions {
  /** How long it waits for another job before it is ended. Milliseconds. */
  readonly idleMs?: number;
  /**
   * Whether it may load native packages; true if left out. Without them, the permissions of Node.js
   * bind all it does.
   */
  readonly native?: boolean;
  /** In the place of the best isolation that works here. */
  readonly isolation?: Isolation;
}

/** A process that runs a script which calls `answerJobs` of isolated-child.ts. */
export class IsolatedProcess<Job extends object, Answer> {
  readonly #script: string;
  readonly #limits: IsolationLimits;
  readonly #options: ProcessOptions;
  #place: Workplace | undefined;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** @param script path of the script */
  constructor(script: string, limits: IsolationLimits, options: ProcessOptions = {}) {
    this.#script = script;
    this.#limits = limits;
    this.#options = options;
  }

  /** Makes the files of a job. */
  async newFiles(): Promise<JobFiles> {
    return makeJobFiles(await this.#workplace());
  }

  async #workplace(): Promise<Workplace> {
    const { hidden } = await chooseIsolation();
    // Programs that tidy up temporary directories remove it, or parts of it, under a server that
    // runs for weeks.
    if (this.#place && !isWhole(this.#place)) {
      this.close();
      this.#place = undefined;
    }
    this.#place ??= makeWorkplace(hidden);
    return this.#place;
  }

  /** The id of the process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Never fails: the outcome holds the error. Call it for one job at a time. */
  async run(job: Job): Promise<Outcome<Answer>> {
    clearTimeout(this.#idle);
    const child = await this.#running();
    const { promise, resolve } = Promise.withResolvers<Outcome<Answer>>();
    const onMessage = (outcome: Outcome<Answer>) => resolve(outcome);
    const onExit = (code: number | null, signal: string | null) =>
      resolve({
        failed:
          signal === 'SIGKILL' || code === KILLED_CODE
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
    this.#idle = setTimeout(() => this.close(), this.#options.idleMs ?? IDLE_MS).unref();
    return outcome;
  }

  /** Ends the process, if there is one. */
  close(): void {
    clearTimeout(this.#idle);
    if (this.#child) this.#kill(this.#child);
  }

  async #running(): Promise<ChildProcess> {
    const { isolation, hidden } = await chooseIsolation();
    const place = await this.#workplace();
    if (this.#child?.connected) return this.#child;
    const child = launch(place, {
      script: this.#script,
      limits: this.#limits,
      native: this.#options.native ?? true,
      isolation: this.#options.isolation ?? isolation,
      hidden,
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
