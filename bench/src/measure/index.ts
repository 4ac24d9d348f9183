/** `npm run bench -- --posts N`: builds, then checks or measures, and writes the results. */
import { cpus, release, totalmem, type } from 'node:os';
import pg from 'pg';
import { compareCheckouts } from './against.ts';
import { measureMemory, takeApart } from './apart.ts';
import { compareRun } from './compare.ts';
import type { Options } from './options.ts';
import { openPlace, type Place } from './place.ts';
import { startProcesses } from './processes.ts';
import { writeReport } from './report.ts';
import type { GrowthResult, ListResult, Machine, Results } from './results.ts';
import {
  attempt,
  type Context,
  measureLists,
  measureOperations,
  measurePages,
  measureTotals,
  openContext,
  type Plan,
  wantedShapes,
} from './run.ts';
import { smoke } from './smoke.ts';

/** Posts of the small community, with which growth is compared. */
const SMALL_POSTS = 10_000;

const started = performance.now();
const minutes = () => (performance.now() - started) / 60_000;

function log(line: string): void {
  process.stdout.write(`${minutes().toFixed(1).padStart(6)} min  ${line}\n`);
}

/**
 * Runs the requested parts.
 * @returns the exit code
 */
export async function runBench(options: Options): Promise<number> {
  const { against, posts } = options;
  if (against !== undefined && posts !== undefined) return await compareCheckouts({ ...options, against, posts, log });
  const plan: Plan = { only: options.only, seconds: options.seconds, rounds: options.rounds, log };
  const place = await openPlace({ ...options, log });
  try {
    log(`${place.dataset.posts} posts in "${place.dataset.community.name}"`);
    if (options.smoke) return await runSmoke(place, plan);
    // The small community first: the machine is idle, and the memory of the large one is not yet
    // taken.
    const small =
      options.growth && !options.brief && place.dataset.posts > SMALL_POSTS ? await measureSmall(plan) : undefined;
    const results = await measure(place, plan, options, small);
    if (options.compare) return await compareRun(results, log, options.only);
    if (options.write) await writeReport(results, log);
    return results.faults.length > 0 ? 1 : 0;
  } finally {
    await place.close();
  }
}

async function within<T>(place: Place, plan: Plan, work: (context: Context) => Promise<T>): Promise<T> {
  const processes = await startProcesses(place.ownerUrl);
  // On a signal, the bench ends the processes that it started.
  const leave = () => void processes.stop().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave);
  try {
    return await work(await openContext(place.dataset, processes, plan));
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, leave);
    await processes.stop();
  }
}

async function runSmoke(place: Place, plan: Plan): Promise<number> {
  const faults = await within(place, plan, (context) => smoke(context, place.ownerUrl));
  for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`);
  log(faults.length === 0 ? 'all answers are right' : `${faults.length} faults`);
  return faults.length === 0 ? 0 : 1;
}

/** Lists with a measured growth: every order, and every filter in the default order. */
const grows = ({ name, group }: { name: string; group: string }) =>
  group === 'order' || (!/ by /.test(name) && group !== 'combination');

async function measureSmall(plan: Plan): Promise<readonly ListResult[]> {
  const place = await openPlace({ posts: SMALL_POSTS, log });
  try {
    return await within(place, plan, (context) => measureLists(context, wantedShapes(context).filter(grows)));
  } finally {
    await place.close();
  }
}

async function measure(
  place: Place,
  plan: Plan,
  options: Options,
  small: readonly ListResult[] | undefined,
): Promise<Results> {
  return within(place, plan, async (context) => {
    const whole = options.only === undefined && !options.brief;
    // Lists before writes.
    const lists = options.brief ? [] : await measureLists(context, wantedShapes(context));
    const pages = options.brief ? [] : await measurePages(context);
    const totals = options.brief ? [] : await measureTotals(context);
    const apart = whole ? await attempt(context, 'taking apart', () => takeApart(context)) : undefined;
    const memory = (whole && (await attempt(context, 'memory', () => measureMemory(context)))) || [];
    await context.processes.restartServer();
    await context.processes.restartLimit();
    const operations = await measureOperations(context);
    const growth = small && growthOf(small, lists);
    const { dataset } = place;
    return {
      posts: dataset.posts,
      date: new Date().toISOString().slice(0, 10),
      minutes: Number(minutes().toFixed(1)),
      machine: await machine(place.ownerUrl),
      pool: context.processes.pool,
      seconds: plan.seconds,
      rounds: plan.rounds,
      counts: dataset.counts,
      build: dataset.build,
      operations,
      lists,
      pages,
      totals,
      ...(apart && { apart }),
      memory,
      ...(growth && { growth }),
      faults: context.faults,
      plans: context.plans,
    };
  });
}

function growthOf(small: readonly ListResult[], large: readonly ListResult[]): GrowthResult {
  const before = new Map(small.map((list) => [list.name, list]));
  return {
    posts: SMALL_POSTS,
    lists: large.flatMap(({ name, group, portico }) => {
      const known = before.get(name);
      return known && grows({ name, group }) ? [{ name, small: known.portico.p50, large: portico.p50 }] : [];
    }),
  };
}

async function machine(ownerUrl: string): Promise<Machine> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows } = await client.query<{ version: string; buffers: string }>(
    `SELECT current_setting('server_version') AS version, current_setting('shared_buffers') AS buffers`,
  );
  await client.end();
  const all = cpus();
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memory: totalmem(),
    system: `${type()} ${release()}`,
    node: process.versions.node,
    postgres: rows[0]!.version,
    sharedBuffers: rows[0]!.buffers,
  };
}
