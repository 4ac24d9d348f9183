/**
 * List reads at 32 connections on the demo tenant, beside the limit: both servers are processes of their own on one
 * database, asked in turn; the ratio is the claim, the absolute figures are this machine's.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { signIn } from './sign-in.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CONNECTIONS = 32;
const ROUNDS = 5;
const SECONDS = 4;

async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

async function waitReady(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error('the server ended before it was ready');
    const ready = await fetch(`${url}/readyz`).then(
      (response) => response.status === 200,
      () => false, // not listening yet
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the server is not ready after 30 s');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill('SIGTERM');
  await promise;
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  throw new Error('the bare server ended without a word');
}

const rate = async (options: autocannon.Options): Promise<{ perSecond: number; p99: number }> => {
  const result = await autocannon({ connections: CONNECTIONS, duration: SECONDS, ...options });
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(`${result.errors} errors and ${result.non2xx} refusals from ${String(options.url)}`);
  return { perSecond: result.requests.average, p99: result.latency.p99 };
};

export async function measureLists(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const port = await freePort();
  const env = {
    ...process.env,
    PORTICO_DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    PORTICO_LOG_LEVEL: 'error',
    PORTICO_DRAIN_MS: '0',
  };
  const server = spawn(process.execPath, [join(ROOT, 'apps/server/start.mjs')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let bare: ChildProcess | undefined;
  try {
    const url = `http://127.0.0.1:${port}`;
    await waitReady(url, server);
    const key = JSON.parse(await readFile(join(dataDir, 'demo-service-account.json'), 'utf8'));
    const token = await signIn(url, key);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { communities } = (await (
      await fetch(`${url}/portal/api/communication/settings/communities`, { headers })
    ).json()) as { communities: { id: number; name: string }[] };
    const sized = await Promise.all(
      communities.map(async ({ id, name }) => {
        const response = await fetch(`${url}/portal/api/communication/posts/data/list/community/${id}`, {
          method: 'POST',
          headers,
          body: '{"calculateTotalItemsCount":true,"pageSize":1}',
        });
        return { id, name, total: ((await response.json()) as { totalItemsCount: number }).totalItemsCount };
      }),
    );
    const community = sized.toSorted((a, b) => b.total - a.total)[0]!;
    const body = { pageSize: 20 };
    const flags = { loadPostDetails: true };
    bare = spawn(
      process.execPath,
      [
        fileURLToPath(new URL('bare-server.ts', import.meta.url)),
        JSON.stringify({ tenantName: 'demo', userId: key.client_id, communityId: community.id, body, flags }),
      ],
      {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const { port: barePort, statements } = JSON.parse(await firstLine(bare)) as { port: number; statements: number };
    process.stdout.write(
      `list of "${community.name}" (${community.total} posts), page of 20, ${CONNECTIONS} connections, ${statements} statements a page\n`,
    );
    const ways = {
      portico: {
        url: `${url}/portal/api/communication/posts/data/list/community/${community.id}?loadPostDetails=true`,
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      },
      'bare, all statements': { url: `http://127.0.0.1:${barePort}/all`, method: 'POST' },
      'bare, page of ids only': { url: `http://127.0.0.1:${barePort}/page`, method: 'POST' },
    } satisfies Record<string, autocannon.Options>;
    const figures = new Map<string, { perSecond: number; p99: number }[]>(Object.keys(ways).map((name) => [name, []]));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, options] of Object.entries(ways)) {
        const figure = await rate(options as autocannon.Options);
        if (round > 0) figures.get(name)!.push(figure);
      }
    }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
    const portico = median(figures.get('portico')!.map((figure) => figure.perSecond));
    for (const [name, list] of figures) {
      const perSecond = median(list.map((figure) => figure.perSecond));
      process.stdout.write(
        `${name.padEnd(24)} ${perSecond.toFixed(0).padStart(6)} requests/s  p99 ${median(
          list.map((figure) => figure.p99),
        )
          .toFixed(0)
          .padStart(4)} ms  portico is ${((portico / perSecond) * 100).toFixed(0)}% of it\n`,
      );
    }
  } finally {
    if (bare) await stop(bare);
    await stop(server);
    await rm(dataDir, { recursive: true, force: true });
  }
}
