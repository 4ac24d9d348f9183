/** The clients of the suite: the client library and the command, in the form that users have. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PorticoClient } from '@portico/sdk';
import { ManyCommands, type Ran } from '../packages/cli/src/testing/many-commands.ts';
import { type KeyFile, PREFIXES } from './client.ts';

const COMMAND = fileURLToPath(new URL('../packages/cli/bin/portico.mjs', import.meta.url));

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

/** The `portico` command with a configuration of its own. */
export class Command {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #shared: ManyCommands;

  private constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#env = env;
    this.#shared = new ManyCommands({ cwd: folder, env });
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

  /** Runs it in one process that such calls share. */
  runShared(...words: string[]): Promise<Ran> {
    return this.#shared.run(...words);
  }

  /** Returns the JSON output of a command; throws an error with the output if the command fails. */
  async json<T>(...words: string[]): Promise<T> {
    const { code, out, err } = await this.run(...words, '--output', 'json');
    if (code !== 0) throw new Error(`portico ${words.join(' ')} ended with ${code}: ${err}`);
    return JSON.parse(out) as T;
  }

  async end(): Promise<void> {
    await this.#shared.end();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
