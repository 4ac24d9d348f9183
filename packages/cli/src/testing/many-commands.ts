/** Runs many commands in one process, which saves the start of a process for each. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('command-process.ts', import.meta.url));

/** Output of a command, and how it ended. */
export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** A process for commands, which starts with the first one. */
export class ManyCommands {
  readonly #options: { cwd: string; env: NodeJS.ProcessEnv };
  #process: ChildProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.#options = options;
  }

  /** Runs a command after those that were asked for before. */
  run(...words: string[]): Promise<Ran> {
    const ran = this.#last.then(() => this.#run(words));
    this.#last = ran.catch(() => undefined);
    return ran;
  }

  async #run(words: string[]): Promise<Ran> {
    this.#process ??= fork(PROGRAM, { ...this.#options, execArgv: [] });
    const child = this.#process;
    const ended = new AbortController();
    const onExit = () => ended.abort(new Error(`the process ended during portico ${words.join(' ')}`));
    child.once('exit', onExit);
    child.send(words);
    const [ran] = (await once(child, 'message', { signal: ended.signal })) as [Ran];
    child.off('exit', onExit);
    return ran;
  }

  /** Ends the process, if there is one. */
  async end(): Promise<void> {
    if (this.#process?.exitCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.disconnect();
    await exited;
  }
}
