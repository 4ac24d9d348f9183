/** A real server on an empty data directory of its own, without the demo, and the `portico` command beside it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PorticoClient } from '@portico/sdk';

const START = fileURLToPath(new URL('../../apps/server/start.mjs', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../packages/cli/bin/portico.mjs', import.meta.url));
const START_TIMEOUT_MS = 100_000;

/** What a command printed, and how it ended. */
export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export class EmptyPortal {
  readonly baseUrl: string;
  readonly directory: string;
  readonly #server: ChildProcess;

  private constructor(server: ChildProcess, directory: string, baseUrl: string) {
    this.#server = server;
    this.directory = directory;
    this.baseUrl = baseUrl;
  }

  /** Starts the server and waits until it says that it is ready. */
  static async start(): Promise<EmptyPortal> {
    const directory = await mkdtemp(join(tmpdir(), 'portico-peps-'));
    const server = spawn(process.execPath, [START], {
      env: {
        ...environment(directory),
        PORT: '0',
        HOST: '127.0.0.1',
        PORTICO_DEMO: 'false',
        PORTICO_LOG_LEVEL: 'error',
        PORTICO_DRAIN_MS: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      return new EmptyPortal(server, directory, await addressOf(server));
    } catch (error) {
      await end(server);
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }

  /** Runs `portico` with these words, as an operator does while the server runs. */
  run(...words: string[]): Promise<CommandResult> {
    return new Promise((resolve, reject) => {
      const command = spawn(process.execPath, [COMMAND, ...words], {
        env: environment(this.directory),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const result: CommandResult = { code: null, stdout: '', stderr: '' };
      command.stdout.on('data', (chunk: Buffer) => {
        result.stdout += chunk.toString();
      });
      command.stderr.on('data', (chunk: Buffer) => {
        result.stderr += chunk.toString();
      });
      command.once('error', reject);
      command.once('close', (code) => resolve({ ...result, code }));
    });
  }

  /** As {@link run}; a command that fails is an error with what it printed. */
  async must(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...words);
    if (code !== 0) throw new Error(`portico ${words.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  }

  /** A client that signs in with a key file the command has written. */
  client(keyFile: string): PorticoClient {
    return new PorticoClient({ baseUrl: this.baseUrl, credentials: { serviceAccount: keyFile }, retries: 0 });
  }

  async stop(): Promise<void> {
    await end(this.#server);
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** The embedded database, whatever the surroundings say: the directory is this run's own. */
function environment(directory: string): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, ...rest } = process.env;
  return { ...rest, PORTICO_DATA_DIR: directory };
}

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`the server was not ready in time:\n${output}`)), START_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const port = /ready at https?:\/\/[^\s:]+:(\d+)/.exec(output)?.[1];
      if (!port) return;
      clearTimeout(timer);
      resolve(`http://127.0.0.1:${port}`);
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
    server.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the server ended with ${code}:\n${output}`));
    });
  });
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  server.kill('SIGTERM');
  await exit;
}
