/** A real server on an empty data directory of its own, without the demo, and the `portico` command beside it. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PorticoClient } from '@portico/sdk';
import { cleanEnvironment, type ServerProcess, startServer } from '@portico/server/testing/process';

const COMMAND = fileURLToPath(new URL('../../packages/cli/bin/portico.mjs', import.meta.url));

/** Output and exit of a command. */
interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export class EmptyPortal {
  readonly #server: ServerProcess;

  private constructor(server: ServerProcess) {
    this.#server = server;
  }

  /** The data directory; tests may store files there, too. */
  get directory(): string {
    return this.#server.dataDir;
  }

  /** Starts the server and waits until it is ready. */
  static async start(): Promise<EmptyPortal> {
    return new EmptyPortal(await startServer(false));
  }

  /** Runs `portico` with these words, as an operator does while the server runs. */
  run(...words: string[]): Promise<CommandResult> {
    return new Promise((resolve, reject) => {
      const command = spawn(process.execPath, [COMMAND, ...words], {
        env: cleanEnvironment({ PORTICO_DATA_DIR: this.directory }),
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

  /** Runs as {@link run}; throws an error with the output if the command fails. */
  async must(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...words);
    if (code !== 0) throw new Error(`portico ${words.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  }

  /** A client that signs in with a key file from the command. */
  client(keyFile: string): PorticoClient {
    return new PorticoClient({ baseUrl: this.#server.baseUrl, credentials: { serviceAccount: keyFile }, retries: 0 });
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }
}
