/** Measures everything on one dataset, Portico and the limit in turn. */
import { shorten } from '@portico/server/testing';
import type { Dataset } from '../dataset/dataset.ts';
import { Client, type ListAnswer } from './client.ts';
import type { ExplainedStatement } from './explain.ts';
import { type ListShape, listShapes, PAGE_SIZE } from './list-shapes.ts';
import { encodeRequest, type HttpRequest, type LoadFigures, runLoad } from './load.ts';
import { CONNECTIONS_OF, type Operation, operationsOf, type Prepared, removeWritten } from './operations.ts';
import type { Processes } from './processes.ts';
import {
  figuresOf,
  type Level,
  type ListResult,
  median,
  middleOf,
  type OperationResult,
  type PageResult,
  rounded,
  type TotalResult,
  type Touched,
  usedOf,
} from './results.ts';
import { type Used, whileWatching } from './usage.ts';

/** Selection and duration of the measurements. */
export interface Plan {
  readonly only: RegExp | undefined;
  /** Duration of a load of an operation. */
  readonly seconds: number;
  readonly rounds: number;
  readonly log: (line: string) => void;
}

/** A run on one dataset. */
export interface Context {
  readonly dataset: Dataset;
  readonly processes: Processes;
  readonly client: Client;
  readonly plan: Plan;
  /** Plans of statements, as text, by file. */
  readonly plans: Map<string, string[]>;
  /** Numbers of the statements whose plans were kept, by their text. */
  readonly keptStatements: Map<string, number>;
  /** Measurements that failed, with the reason: printed at the end, and the run fails. */
  readonly faults: string[];
}

/** Signs in and prepares the measurements. */
export async function openContext(dataset: Dataset, processes: Processes, plan: Plan): Promise<Context> {
  const client = await Client.signIn(dataset, () => processes.server.port);
  return { dataset, processes, client, plan, plans: new Map(), keptStatements: new Map(), faults: [] };
}

export const EIGHT = 8;

/** @throws Error if more than a share of the requests failed, with the first failure */
function requireAnswers(what: string, load: LoadFigures, share = 0): LoadFigures {
  if (load.refused + load.lost > share * (load.answers + load.lost))
    throw new Error(
      `${what}: ${load.refused + load.lost} of ${load.answers + load.lost} requests failed: ${load.firstRefusal}`,
    );
  return load;
}

/** Runs one of many measurements; records a failure, and the others continue. */
export async function attempt<T>(
  { faults, plan }: Context,
  what: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const fault = `${what}: ${(error as Error).message}`;
    faults.push(fault);
    plan.log(`FAULT ${fault}`);
    return undefined;
  }
}

/**
 * Sends orders to the limit.
 * @returns its requests, and the first plan's number
 */
export async function recordAll({ processes }: Context, orders: Prepared['orders'], fixed = false) {
  const plans: number[] = [];
  let statements = 0;
  for (const order of orders) {
    const answer = await processes.limit.record(order);
    plans.push(...answer.plans);
    statements = answer.statements;
  }
  const buffers = plans.map((plan) => limitRequest('run', plan));
  let turn = 0;
  return { plans, statements, next: (connection: number) => buffers[(fixed ? connection : turn++) % buffers.length]! };
}

/** A request to the limit. */
export function limitRequest(way: 'run' | 'bypass' | 'signed' | 'verified', plan: number): Buffer {
  return encodeRequest({ method: 'GET', path: `/${way}/${plan}`, headers: {} });
}

/** Measures all requested operations. */
export async function measureOperations(context: Context): Promise<OperationResult[]> {
  const { plan, client, processes } = context;
  const results: OperationResult[] = [];
  for (const operation of operationsOf(client, processes.ownerUrl)) {
    if (plan.only && !plan.only.test(operation.name)) continue;
    const result = await attempt(context, operation.name, () => measureOperation(context, operation));
    if (result) results.push(result);
  }
  const removed = await attempt(context, 'removing what was written', () => removeWritten(client, processes.ownerUrl));
  if (removed) plan.log(`removed ${removed} posts that were written here`);
  return results;
}

async function measureOperation(context: Context, operation: Operation): Promise<OperationResult> {
  const { processes, plan } = context;
  const prepared = await operation.prepare();
  const limit = await recordAll(context, prepared.orders, prepared.fixed);
  const levels: Level[] = [];
  let bytes = 0;
  for (const connections of CONNECTIONS_OF[operation.depth]) {
    const sides: Record<'portico' | 'limit', { load: LoadFigures; used: Used }[]> = { portico: [], limit: [] };
    const load = async (side: 'portico' | 'limit', seconds: number) => {
      const { server } = processes;
      const listening = side === 'portico' ? server : processes.limit;
      if (side === 'portico') await prepared.ready?.();
      const { result, used } = await whileWatching(listening.pid, processes.postmaster, () =>
        runLoad({
          port: listening.port,
          connections,
          seconds,
          next: side === 'portico' ? prepared.next : limit.next,
          bodies: side === 'portico' && prepared.bodies === true,
        }),
      );
      // A few failures are a figure of the table; if half of a load fails, it is no measurement.
      return { load: requireAnswers(`${operation.name} (${side})`, result, 0.5), used };
    };
    for (let round = 0; round <= plan.rounds; round++) {
      // The round before the first one warms up.
      const seconds = round === 0 ? Math.min(0.5, plan.seconds) : plan.seconds;
      const order = round % 2 === 0 ? (['limit', 'portico'] as const) : (['portico', 'limit'] as const);
      for (const side of order) {
        const done = await load(side, seconds);
        if (round > 0) sides[side].push(done);
      }
    }
    const [ours, theirs] = [sides.portico, sides.limit];
    bytes = median(ours.map((done) => done.load.bytesPerAnswer));
    const ratios = (of: (load: LoadFigures) => number) =>
      rounded(median(ours.map((done, round) => of(done.load) / of(theirs[round]!.load))));
    levels.push({
      connections,
      portico: middleOf(ours.map((done) => done.load)),
      limit: middleOf(theirs.map((done) => done.load)),
      ratio: ratios((done) => done.perSecond),
      p99Ratio: ratios((done) => done.p99),
      porticoUsed: usedOf(ours.map((done) => done.used)),
      limitUsed: usedOf(theirs.map((done) => done.used)),
    });
    const level = levels.at(-1)!;
    plan.log(
      `${operation.name}, ${connections} connections: ${level.portico.perSecond}/s of ${level.limit.perSecond}/s (${Math.round(level.ratio * 100)}%), p99 ${level.portico.p99} of ${level.limit.p99} ms`,
    );
  }
  await prepared.finish?.();
  const touched =
    operation.kind === 'read' ? await explainPlan(context, 'operations', operation.name, limit.plans[0]!) : undefined;
  return {
    name: operation.name,
    kind: operation.kind,
    statements: limit.statements,
    bytes,
    levels,
    ...(touched && { touched }),
  };
}

/**
 * Explains a plan of the limit.
 * @param file file of the text; undefined keeps only the sums
 */
async function explainPlan(
  { processes, plans, keptStatements }: Context,
  file: string | undefined,
  name: string,
  plan: number,
): Promise<Touched> {
  const { statements } = await processes.limit.explain(plan);
  if (file !== undefined) {
    const texts = plans.get(file) ?? [];
    plans.set(file, texts);
    texts.push(
      `# ${name}\n${statements.map((statement, index) => asText(statement, index, keptStatements)).join('\n')}`,
    );
  }
  const sum = (of: (statement: ExplainedStatement) => number) => statements.reduce((all, one) => all + of(one), 0);
  return {
    statements: statements.length,
    rows: sum((one) => one.rows),
    hit: sum((one) => one.hit),
    read: sum((one) => one.read),
    sequential: [...new Set(statements.flatMap((one) => one.sequential))],
  };
}

/**
 * A statement with its plan; a plan that was kept before (the statements that fill a page are the
 * same for all lists) is only named.
 */
function asText(statement: ExplainedStatement, index: number, kept: Map<string, number>): string {
  const text = statement.text.replaceAll(/\s+/g, ' ').trim();
  const number = kept.get(text);
  const sums = `${statement.rows} rows, ${statement.hit + statement.read} pages`;
  if (number !== undefined) return `-- statement ${index + 1}: as S${number}; ${sums}\n`;
  kept.set(text, kept.size + 1);
  return `-- statement ${index + 1}, S${kept.size}: ${text}\n-- ${sums}\n${shorten(statement.plan.split('\n'))}\n`;
}

/** Requests per sample of the wide matrix, and maximum duration of a sample. */
const SAMPLE = 96;
/**
 * PostgreSQL plans a prepared statement for its values five times on each of ten connections before
 * it uses a generic plan.
 */
const WARM_UP = 60;
const SAMPLE_SECONDS = 1.5;

/** A short sample at eight connections. */
async function sample(port: number, next: () => Buffer, connections = EIGHT, enough = SAMPLE): Promise<LoadFigures> {
  await runLoad({ port, connections, seconds: SAMPLE_SECONDS, enough: WARM_UP, next });
  return runLoad({ port, connections, seconds: SAMPLE_SECONDS, enough, leastSeconds: 0.1, next });
}

const always = (request: HttpRequest) => {
  const buffer = encodeRequest(request);
  return () => buffer;
};

/**
 * Number of shapes after which processes are restarted: no process keeps thousands of prepared
 * statements.
 */
const SHAPES_PER_PROCESS = 150;

/** Measures shapes of lists in short alternating samples. */
export async function measureLists(context: Context, shapes: readonly ListShape[]): Promise<ListResult[]> {
  const { processes, client, plan, dataset } = context;
  const { live } = dataset.community.counts;
  const shares = new Map<string, number>();
  const shareOf = async (shape: ListShape) => {
    const known = shares.get(shape.filters.map(({ name }) => name).join());
    if (known !== undefined) return known;
    const more = { pageSize: 1, calculateTotalItemsCount: true };
    const { totalItemsCount = 0 } = await client.ask<ListAnswer>(client.heads(shape, more));
    shares.set(shape.filters.map(({ name }) => name).join(), totalItemsCount);
    return totalItemsCount;
  };
  const measureList = async (shape: ListShape): Promise<ListResult> => {
    const matches = await shareOf(shape);
    let least = matches;
    for (const filter of shape.filters) least = Math.min(least, await shareOf({ ...shape, filters: [filter] }));
    const request = client.list(shape);
    const { plans } = await recordAll(context, [{ tenantId: dataset.tenant.id, requests: [request], warm: true }]);
    const portico = requireAnswers(shape.name, await sample(processes.server.port, always(request)));
    const limit = requireAnswers(shape.name, await sample(processes.limit.port, () => limitRequest('run', plans[0]!)));
    // Combinations with other orders are many: only their sums are kept, not their texts.
    const kept = shape.group === 'order' || !/ by /.test(shape.name) ? shape.group.replaceAll(' ', '-') : undefined;
    return {
      name: shape.name,
      group: shape.group,
      matches,
      share: rounded(matches / live),
      rarest: rounded(least / live),
      portico: figuresOf(portico),
      limit: figuresOf(limit),
      touched: await explainPlan(context, kept, shape.name, plans[0]!),
    };
  };
  const results: ListResult[] = [];
  for (const [index, shape] of shapes.entries()) {
    if (index % SHAPES_PER_PROCESS === SHAPES_PER_PROCESS - 1) {
      await processes.restartServer();
      await processes.restartLimit();
    }
    const result = await attempt(context, shape.name, () => measureList(shape));
    if (result) results.push(result);
    if (index % 25 === 24) plan.log(`${index + 1} of ${shapes.length} lists`);
  }
  return results;
}

/** Requested shapes. */
export function wantedShapes({ dataset, plan }: Context): readonly ListShape[] {
  return listShapes(dataset).filter(({ name, group }) => !plan.only || plan.only.test(name) || plan.only.test(group));
}

/** Compares page 1,000 with the first, in every order and direction. */
export async function measurePages(context: Context): Promise<PageResult[]> {
  const { processes, client, dataset, plan } = context;
  const results: PageResult[] = [];
  const orders = wantedShapes(context).filter(({ group }) => group === 'order');
  const page = Math.min(1_000, Math.floor(dataset.community.counts.live / 2 / PAGE_SIZE));
  const measurePage = async (shape: ListShape): Promise<PageResult | undefined> => {
    const token = await client.tokenAfter(shape, (page - 1) * PAGE_SIZE);
    if (token === undefined) return undefined;
    const [first, later] = [always(client.list(shape)), always(client.list(shape, { pageToken: token }))];
    const rounds: [LoadFigures, LoadFigures][] = [];
    for (let round = 0; round < 3; round++)
      rounds.push([
        requireAnswers(shape.name, await sample(processes.server.port, first)),
        requireAnswers(`page ${page} of ${shape.name}`, await sample(processes.server.port, later)),
      ]);
    return {
      name: shape.name,
      page,
      first: middleOf(rounds.map(([load]) => load)),
      later: middleOf(rounds.map(([, load]) => load)),
    };
  };
  for (const shape of orders) {
    const result = await attempt(context, `page ${page} ${shape.name}`, () => measurePage(shape));
    if (result) results.push(result);
  }
  plan.log(`page ${page} in ${results.length} orders`);
  return results;
}

/** Measures totals at one connection, of every single filter. */
export async function measureTotals(context: Context): Promise<TotalResult[]> {
  const { processes, client, dataset, plan } = context;
  const results: TotalResult[] = [];
  const { live } = dataset.community.counts;
  const measureTotal = async (shape: ListShape): Promise<TotalResult> => {
    const request = client.heads(shape, { pageSize: 1, calculateTotalItemsCount: true });
    const { totalItemsCount = 0 } = await client.ask<ListAnswer>(request);
    const load = requireAnswers(
      `total of ${shape.name}`,
      await runLoad({ port: processes.server.port, connections: 1, seconds: 1, enough: 12, next: always(request) }),
    );
    return {
      name: shape.name,
      total: totalItemsCount,
      share: rounded(totalItemsCount / live),
      p50: rounded(load.p50),
      p95: rounded(load.p95),
    };
  };
  for (const shape of wantedShapes(context)) {
    if (/ by /.test(shape.name) || shape.filters.length !== 1) continue;
    const result = await attempt(context, `total of ${shape.name}`, () => measureTotal(shape));
    if (result) results.push(result);
  }
  plan.log(`totals of ${results.length} filters`);
  return results;
}
