/**
 * Pairs side by side: lists and details whole and by `fields`, single creates and creates by lines. Requests are sent one after another;
 * the sides take turns.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareBulkBench } from '@portico/server/testing';
import { askOnce, type HttpRequest } from './measure/load.ts';
import { median, portOf, serverEnv, startServer, stop } from './measured-server.ts';

/** What is measured, and how often. */
export interface BulkSize {
  /** Posts that the lists show. */
  readonly posts: number;
  readonly rounds: number;
}

const FULL: BulkSize = { posts: 2_000, rounds: 15 };
/** Posts that each side creates in a round. */
const CREATED = 200;
/** Least ratio of each pair. */
const LEAST = 5;

export async function measureBulk({ posts, rounds }: BulkSize = FULL): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portico-bench-'));
  const env = serverEnv(dataDir);
  const { communityId, path, token, body } = await prepareBulkBench(env);
  const server = startServer(env);
  try {
    const port = Number(await portOf(server));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const post = (to: string, text: string, more = {}): HttpRequest => ({
      method: 'POST',
      path: to,
      headers: { ...headers, ...more },
      body: text,
    });
    const timed = async (requests: readonly HttpRequest[]) => {
      const started = performance.now();
      for (const request of requests) await askOnce(port, request);
      return performance.now() - started;
    };
    const lines = (count: number) =>
      Array(count)
        .fill(JSON.stringify({ ...body, description: LONG }))
        .join('\n');
    const many = path.replace('create-post/', 'create-posts/');
    const byLines = (count: number) => post(many, lines(count), { 'content-type': 'application/x-ndjson' });
    for (let made = 0; made < posts; made += CREATED) await askOnce(port, byLines(Math.min(CREATED, posts - made)));

    const list = path.replace(/manage\/create-post\//, 'data/list/community/');
    const [one, two] = Object.keys((body as { customData: object }).customData);
    const fields = `fields=id,title,currentWorkflowState,customData.${one},customData.${two}`;
    for (const pageSize of [Math.min(500, posts), Math.min(100, posts)]) {
      const page = JSON.stringify({ pageSize });
      await pair(
        `list of ${pageSize}, whole and by fields`,
        rounds,
        () => timed([post(list, page)]),
        () => timed([post(`${list}?${fields}`, page)]),
      );
    }
    const { items } = JSON.parse(await askOnce(port, post(list, '{"pageSize": 20}'))) as { items: { id: number }[] };
    const details = (query: string) =>
      items.map(({ id }): HttpRequest => {
        const to = `${path.replace(/manage\/create-post\/.*/, 'data/post-detail-by-id/')}${id}${query}`;
        return { method: 'GET', path: to, headers };
      });
    await pair(
      `${items.length} details, whole and by fields`,
      rounds,
      () => timed(details('')),
      () => timed(details(`?${fields}`)),
    );
    const single = post(path, JSON.stringify({ ...body, description: LONG }));
    await pair(
      `${CREATED} posts, one by one and by lines`,
      Math.ceil(rounds / 3),
      () => timed(Array(CREATED).fill(single)),
      () => timed([byLines(CREATED)]),
    );
    process.stdout.write(`community ${communityId}: same server, database and durability on both sides\n`);
  } finally {
    await stop(server);
    await rm(dataDir, { recursive: true, force: true });
  }
}

const LONG = JSON.stringify([
  { insert: `${'Forty bolts came in this morning and were put on the left shelf. '.repeat(30)}\n` },
]);

async function pair(name: string, rounds: number, slow: () => Promise<number>, quick: () => Promise<number>) {
  await slow();
  await quick();
  const sides: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    sides[0].push(await slow());
    sides[1].push(await quick());
  }
  const [one, other] = sides.map(median) as [number, number];
  const ratio = one / other;
  process.stdout.write(
    `${name.padEnd(44)} ${one.toFixed(1).padStart(8)} ms ${other.toFixed(1).padStart(8)} ms  ${ratio.toFixed(1).padStart(5)} times as fast${ratio < LEAST ? `: below ${LEAST}` : ''}\n`,
  );
}
