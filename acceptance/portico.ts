/** The clients of the suite: the client library and the command, in the form that users have. */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PorticoClient } from '@portico/sdk';
import { type KeyFile, PREFIXES } from './client.ts';

const COMMAND = fileURLToPath(new URL('../packages/cli/bin/portico.mjs', import.meta.url));
const MANY_COMMANDS = fileURLToPath(new URL('../packages/cli/src/testing/command-process.ts', import.meta.url));

/** A client of the library. It repeats nothing: a failure must be visible. */
export function libraryClient(baseUrl: string, serviceAccount: KeyFile, apiPath: string = PREFIXES[0]): PorticoClient {
  return new PorticoClient({ baseUrl, credentials: { serviceAccount }, apiPath, retries: 0 });
}

/** All items of an iterator of the library. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Output and exit code of a command. */
export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** The `portico` command with a configuration of its own. */
export class Command {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;
  /** The process that runs the commands of {@link runShared}. */
  #shared: ChildProcess | undefined;

  private constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#env = env;
  }

  /** @param keyPath path of a service account's key file */
  static async at(baseUrl: string, keyPath: string): Promise<Command> {
    const folder = await mkdtemp(join(tmpdir(), 'portico-command-'));
    return new Command(folder, {
      ...process.env,
      PORTICO_URL: baseUrl,
      PORTICO_KEY_FILE: keyPath,
      PORTICO_CONFIG: join(folder, 'config.json'),
      PORTICO_CACHE_DIR: join(folder, 'tokens'),
    });
  }

  /** Runs it in its folder, to its end. */
  run(...words: string[]): Promise<Ran> {
    return new Promise((resolve) => {
      const options = { cwd: this.folder, env: this.#env, encoding: 'utf8' as const, maxBuffer: 256e6 };
      const child = execFile(process.execPath, [COMMAND, ...words], options, (error, out, err) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
      );
      child.stdin?.end();
    });
  }

  /**
   * Runs it to its end in a process that all such calls share; the next call waits for the answer.
   */
  async runShared(...words: string[]): Promise<Ran> {
    this.#shared ??= fork(MANY_COMMANDS, { cwd: this.folder, env: this.#env, execArgv: [] });
    const shared = this.#shared;
    const ended = new AbortController();
    const onExit = () => ended.abort(new Error(`the process ended during portico ${words.join(' ')}`));
    shared.once('exit', onExit);
    shared.send(words);
    const [ran] = (await once(shared, 'message', { signal: ended.signal })) as [Ran];
    shared.off('exit', onExit);
    return ran;
  }

  /** Returns the JSON output of a command; throws an error with the output if the command fails. */
  async json<T>(...words: string[]): Promise<T> {
    const { code, out, err } = await this.run(...words, '--output', 'json');
    if (code !== 0) throw new Error(`portico ${words.join(' ')} ended with ${code}: ${err}`);
    return JSON.parse(out) as T;
  }

  async end(): Promise<void> {
    if (this.#shared?.exitCode === null) {
      const exited = once(this.#shared, 'exit');
      this.#shared.disconnect();
      await exited;
    }
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
