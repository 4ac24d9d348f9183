/**
 * Asks the language service of the compiler for the hover text of every method of the client library.
 * usage: npm run sdk:hover [-- METHOD]    prints methods without a text, or the text of one method
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { operationList } from '@portico/contract';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Methods beside the generated ones. */
const WRITTEN = ['posts.update', 'posts.createAll', 'changes.follow', 'changes.listen', 'files.upload'];

/** The hover text of a method. */
interface Hover {
  method: string;
  text: string;
}

interface Message {
  id?: number;
  method?: string;
  result?: unknown;
  error?: { message: string };
}

/** A session with the language server of the compiler. */
class LanguageServer {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #received = Buffer.alloc(0);
  #requests = 0;

  constructor() {
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
    const words = [compiler, '--lsp', '--stdio'];
    this.#process = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#process.stdout?.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#process.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The language server ended.'));
    });
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#requests;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  end(): void {
    this.#process.kill();
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#process.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    while (true) {
      const end = this.#received.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: (\d+)/i.exec(this.#received.subarray(0, Math.max(end, 0)).toString())?.[1],
      );
      if (end < 0 || this.#received.length < end + 4 + length) return;
      const message = JSON.parse(this.#received.subarray(end + 4, end + 4 + length).toString()) as Message;
      this.#received = this.#received.subarray(end + 4 + length);
      this.#take(message);
    }
  }

  #take({ id, method, result, error }: Message): void {
    if (id === undefined) return;
    // The server asks for settings and registrations: the defaults do.
    if (method !== undefined) {
      this.#send({ id, result: method === 'workspace/configuration' ? [null] : null });
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }
}

/** Returns the hover text of every method, as an editor shows it in a program. */
export async function hoversOfMethods(): Promise<Hover[]> {
  const methods = [...operationList.map(({ domain, clientMethod }) => `${domain}.${clientMethod}`), ...WRITTEN];
  const file = join(root, 'scripts', `.sdk-hover-${process.pid}.ts`);
  const lines = methods.map((method) => `client.${method};`);
  const text = `import type { PorticoClient } from '@portico/sdk';\ndeclare const client: PorticoClient;\n${lines.join('\n')}\n`;
  // In the repository, where the packages are found.
  writeFileSync(file, text);
  const server = new LanguageServer();
  try {
    const uri = pathToFileURL(file).href;
    await server.request('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(root).href,
      capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
    });
    server.notify('initialized', {});
    server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'typescript', version: 1, text } });
    const hovers: Hover[] = [];
    for (const [index, method] of methods.entries()) {
      const position = { line: index + 2, character: `client.${method}`.length - 1 };
      const hover = (await server.request('textDocument/hover', { textDocument: { uri }, position })) as {
        contents?: { value?: string };
      } | null;
      hovers.push({ method, text: hover?.contents?.value ?? '' });
    }
    return hovers;
  } finally {
    server.end();
    rmSync(file, { force: true });
  }
}

/** Returns the signature and the sentences of a hover text. */
export function partsOf(hover: string): { signature: string; sentences: string } {
  const [, signature = '', sentences = ''] = /^```\w*\n([\s\S]*?)\n```([\s\S]*)$/.exec(hover) ?? [];
  return { signature, sentences: sentences.trim() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [wanted] = process.argv.slice(2);
  const hovers = await hoversOfMethods();
  const silent = hovers.filter(({ text }) => partsOf(text).sentences === '');
  for (const { method, text } of hovers) if (method === wanted) process.stdout.write(`${text}\n`);
  for (const { method } of silent) process.stdout.write(`${method}: no text\n`);
  process.stdout.write(`${hovers.length - silent.length} of ${hovers.length} methods have a text\n`);
  if (silent.length > 0) process.exitCode = 1;
}
