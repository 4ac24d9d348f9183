/**
 * Pairs side by side: lists and details whole and by `fields`, single creates and creates by lines.
 * Requests are sent one after another on one connection, as the client library sends them; both
 * sides are warmed up and take turns. Prints the medians of the elapsed time, and the processor
 * time of server and database, which other work on the machine changes less.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareBulkBench } from '@portico/server/testing';
import { askOnce, type HttpRequest, keepAsking } from './measure/load.ts';
import { cpuOf } from './measure/usage.ts';
import { median, withServer } from './measured-server.ts';

/** Size of the measurement. */
interface BulkSize {
  /** Posts that the lists show. */
  readonly posts: number;
  readonly rounds: number;
}

const FULL: BulkSize = { posts: 2_000, rounds: 15 };
/**
 * Runs of each side of a pair of reads before the measurement: code that the quicker side skips is
 * warm, too.
 */
const WARM_UP = 5;
/**
 * Lists of a turn: the garbage of whole lists is then not collected during the other side's turn.
 */
const TOGETHER = 5;
/** Posts that each side creates in a round. */
const CREATED = 200;
/** Minimum ratio of each pair. */
const LEAST = 5;

export async function measureBulk({ posts, rounds }: BulkSize = FULL): Promise<void> {
  await withServer(prepareBulkBench, async ({ communityId, path, token, body }, server) => {
    const { port, dataDir } = server;
    const asker = keepAsking(port);
    const { ask } = asker;
    // Its first line is the id of the process.
    const postmaster = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
    const cpu = () => cpuOf(server.process.pid!, postmaster);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const post = (to: string, text: string, more = {}): HttpRequest => ({
      method: 'POST',
      path: to,
      headers: { ...headers, ...more },
      body: text,
    });
    const timed = async (requests: readonly HttpRequest[]) => {
      const started = performance.now();
      for (const request of requests) await ask(request);
      return performance.now() - started;
    };
    const lines = (count: number) =>
      Array(count)
        .fill(JSON.stringify({ ...body, description: LONG }))
        .join('\n');
    const many = path.replace('create-post/', 'create-posts/');
    const byLines = (count: number) => post(many, lines(count), { 'content-type': 'application/x-ndjson' });
    for (let made = 0; made < posts; made += CREATED) await ask(byLines(Math.min(CREATED, posts - made)));

    const list = path.replace(/manage\/create-post\//, 'data/list/community/');
    const [one, two] = Object.keys((body as { customData: object }).customData);
    const fields = `fields=id,title,currentWorkflowState,customData.${one},customData.${two}`;
    for (const pageSize of [Math.min(500, posts), Math.min(100, posts)]) {
      const page = JSON.stringify({ pageSize });
      await pair(
        `${TOGETHER} lists of ${pageSize}, whole and by fields`,
        { cpu, rounds, warmUp: WARM_UP },
        () => timed(Array(TOGETHER).fill(post(list, page))),
        () => timed(Array(TOGETHER).fill(post(`${list}?${fields}`, page))),
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
      { cpu, rounds, warmUp: WARM_UP },
      () => timed(details('')),
      () => timed(details(`?${fields}`)),
    );
    const single = post(path, JSON.stringify({ ...body, description: LONG }));
    await pair(
      `${CREATED} posts, one by one and by lines`,
      { cpu, rounds: Math.ceil(rounds / 3), warmUp: 1 },
      () => timed(Array(CREATED).fill(single)),
      () => timed([byLines(CREATED)]),
    );
    process.stdout.write(`community ${communityId}: same server, database and durability on both sides\n`);
    asker.close();
  });
}

const LONG = JSON.stringify([
  { insert: `${'Forty bolts came in this morning and were put on the left shelf. '.repeat(30)}\n` },
]);

interface Turns {
  readonly rounds: number;
  readonly warmUp: number;
  /** CPU seconds so far. */
  cpu(): number;
}

async function pair(
  name: string,
  { rounds, warmUp, cpu }: Turns,
  slow: () => Promise<number>,
  quick: () => Promise<number>,
): Promise<void> {
  const sides = [slow, quick].map((run) => ({ run, times: [] as number[], cpu: 0 }));
  for (let turn = -warmUp; turn < rounds; turn++) {
    for (const side of sides) {
      const before = cpu();
      const took = await side.run();
      if (turn < 0) continue;
      side.times.push(took);
      side.cpu += cpu() - before;
    }
  }
  const [slowest, quickest] = sides.map(({ times }) => median(times)) as [number, number];
  const [most, least] = sides.map((side) => (side.cpu * 1000) / rounds) as [number, number];
  const ratio = slowest / quickest;
  const ms = (value: number) => `${value.toFixed(1).padStart(7)} ms`;
  process.stdout.write(
    `${name.padEnd(40)} ${ms(slowest)} ${ms(quickest)} ${ratio.toFixed(1).padStart(5)} times as fast; CPU ${ms(most)} ${ms(least)} ${(most / least).toFixed(1).padStart(5)} times${ratio < LEAST ? `: below ${LEAST}` : ''}\n`,
  );
}
