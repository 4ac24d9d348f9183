/** The service when its log cannot be written, and its output on an operator's terminal. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, START, Surroundings, until } from './process.fixture.ts';

const surroundings = new Surroundings();
afterAll(() => surroundings.clean());

/** A database for all tests, which the first start migrates. */
let url: string;
beforeAll(async () => {
  ({ url } = await surroundings.database());
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A page whose answers are logged, unlike those of probes. */
const LOGGED = '/portal/api/docs';

/** Enough requests to fill a pipe with the lines that tell of them. */
async function askOften(origin: string, times = 600): Promise<void> {
  for (let index = 0; index < times; index += 20) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => (await fetch(`${origin}${LOGGED}`)).status),
    );
    expect(answers.every((status) => status === 200)).toBe(true);
  }
}

describe('the log on a terminal', () => {
  const run = async (env: Record<string, string>) => {
    const terminal = surroundings.run('script', ['-qfc', `exec ${process.execPath} ${START}`, '/dev/null'], {
      PORT: '0',
      DATABASE_URL: url,
      PORTICO_DATA_DIR: await surroundings.directory(),
      PORTICO_DEMO: 'false',
      PORTICO_DRAIN_MS: '0',
      TERM: 'xterm-256color',
      NO_COLOR: undefined,
      ...env,
    });
    await until('it is ready', () => /portico admin tenant create.*\r\n/.test(terminal.stdout));
    const origin = /ready at (\S+)/.exec(terminal.stdout)?.[1] as string;
    await fetch(`${origin}/healthz`);
    await fetch(`${origin}${LOGGED}`);
    await until('the answer is told', () => terminal.stdout.includes(LOGGED));
    const all = terminal.stdout.replaceAll('\r', '');
    // Whatever follows the welcome is written before the line of a request.
    const atStart = all.slice(0, all.lastIndexOf('\n', all.indexOf(LOGGED)) + 1);
    return { terminal, origin, atStart, all };
  };

  it('is readable: time, level, sentence, in colour; the welcome comes last, once; the service stops when it is closed', async () => {
    const { terminal, origin, atStart, all } = await run({});
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    const colours = /\u001b\[\d+m/g;
    expect(all).toMatch(colours);
    const plain = atStart.replaceAll(colours, '');
    expect(plain.match(/Portico is ready at/g)).toHaveLength(1);
    const [log = '', welcome = ''] = plain.split('\nPortico is ready at');
    for (const line of log.trim().split('\n')) expect(line).toMatch(/^\[\d\d:\d\d:\d\d\] (INFO|WARN): \S/);
    // The first start logs one line about all migrations.
    expect(log).not.toMatch(/migration/);
    expect(log).toMatch(/INFO: created the database \(schema \d+\)/);
    expect(welcome.trim().split('\n')).toHaveLength(2);
    expect(all.replaceAll(colours, '')).toMatch(/\[\d\d:\d\d:\d\d\] INFO: GET \/portal\/api\/docs: 200 in [\d.]+ ms\n/);
    // Balancers ask every second.
    expect(all).not.toContain('/healthz');

    await terminal.end('SIGKILL');
    await until('it has ended', () =>
      fetch(`${origin}/healthz`).then(
        () => false,
        () => true,
      ),
    );
  });

  it('is without colour, or JSON, where somebody asks for it', async () => {
    const [plain, json] = await Promise.all([run({ NO_COLOR: '1' }), run({ PORTICO_LOG_FORMAT: 'json' })]);
    expect(plain.all).not.toContain('\u001b[');
    const lines = json.all.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.map((line) => JSON.parse(line).msg)).toContain('answered');
  });
});

describe('the service with a log that cannot be written', () => {
  it.each([
    ['standard output on a full disk', 'full'],
    ['a pipe whose reader is gone', 'gone'],
    ['a pipe that nobody reads', 'unread'],
  ])('answers and stops: %s', async (_name, kind) => {
    const port = await freePort();
    const output = kind === 'full' ? openSync('/dev/full', 'w') : undefined;
    const child = spawn(process.execPath, [START], {
      env: cleanEnvironment({
        PORT: String(port),
        DATABASE_URL: url,
        PORTICO_DATA_DIR: await surroundings.directory(),
        PORTICO_DEMO: 'false',
        PORTICO_DRAIN_MS: '0',
      }),
      stdio: ['ignore', output ?? 'pipe', output ?? 'pipe'],
    });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    try {
      if (output !== undefined) closeSync(output);
      if (kind === 'gone') for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      const origin = `http://127.0.0.1:${port}`;
      const status = () =>
        fetch(`${origin}/readyz`).then(
          (answer) => answer.status,
          () => 0,
        );
      await until('it is ready', async () => (await status()) === 200);
      await askOften(origin);
      expect(await status()).toBe(200);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await exited).toBe(0);
  });
});
