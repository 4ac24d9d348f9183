/**
 * The limit: a bare Fastify that runs exactly the statements of the product for a request, named,
 * on a pool of the same size with the same settings, and serialises the same rows. No sign-in, no
 * validation, no permission, no presentation. Runs as a separate process, receives over HTTP the
 * requests to record, and prints its port.
 */
import { randomBytes } from 'node:crypto';
import { buildApp } from '@portico/server/app';
import { countView, createServices, openDatabase, readConfig, tenantScope, testSealer } from '@portico/server/testing';
import Fastify, { type FastifyReply } from 'fastify';
import pg from 'pg';
import { type ExplainedStatement, explainStatements } from './explain.ts';
import type { HttpRequest } from './load.ts';
import {
  FIRST_FRESH,
  type FreshNumbers,
  freshNumbers,
  type Recording,
  record,
  renewed,
  type Statement,
  watchDriver,
} from './recorder.ts';

/** Body of `/record`. */
export interface RecordOrder {
  readonly tenantId: number;
  readonly requests: readonly HttpRequest[];
  /**
   * For reads: each request is sent once before the recording, so that the statements are a warm
   * server's.
   */
  readonly warm: boolean;
  /** For writes: the community whose post numbers are made recognisable. */
  readonly writesIn?: number;
  /** Texts that must differ each time (values for single use): they are replaced by random ones. */
  readonly random?: readonly string[];
  /** Writes of the detail after its answer, in batches as in the product. */
  readonly views?: { readonly userId: number; readonly postIds: readonly number[] };
}

/** Answer of `/record`: numbers of plans, one per request. */
export interface RecordAnswer {
  readonly plans: readonly number[];
  readonly statements: number;
  readonly answers: readonly string[];
}

export interface ExplainAnswer {
  readonly statements: readonly ExplainedStatement[];
}

interface Plan extends Recording {
  readonly tenantId: number;
  readonly fresh: FreshNumbers | undefined;
  readonly random: readonly string[];
  readonly token: string | undefined;
  readonly view: { userId: number; postId: number } | undefined;
}

const config = readConfig(process.env);
const log = { debug() {}, info() {}, warn: console.error, error: console.error };
const database = await openDatabase(config, log, 'command');
const services = await createServices({ config, database: database.service, sealer: testSealer, log });
const product = await buildApp({ services });
watchDriver();

/** The settings by which the product's connections differ from other connections. */
const settings = await services.pool.registry<{ name: string; setting: string; unit: string | null }>(
  `SELECT name, setting, unit FROM pg_settings WHERE source = 'client' AND name NOT IN ('client_encoding', 'application_name')`,
);
const options = settings.map(({ name, setting, unit }) => `-c ${name}=${setting}${unit ?? ''}`).join(' ');

/** Rows keep the database's text form if the driver allows it. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 1184 || oid === 1082 ? String : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig;

/**
 * The product's pool does the same: statements sent before an answer has arrived are sent at once.
 */
const pipelined: pg.PoolConfig & { pipeline: boolean } = {
  max: config.databasePoolSize,
  connectionTimeoutMillis: 30_000,
  pipeline: true,
};
const pool = new pg.Pool({ ...database.service, ...pipelined, options, types });
/** A pool of the owner, to which row security does not apply: for measuring the cost of isolation. */
const bypass = new pg.Pool({ ...database.owner, ...pipelined, options, types });
const tenants = new WeakMap<pg.PoolClient, number>();

async function take(from: pg.Pool, tenantId: number): Promise<pg.PoolClient> {
  const client = await from.connect();
  if (tenants.get(client) !== tenantId) {
    const values = [String(tenantId)];
    await client.query({ name: 'scope', text: `SELECT set_config('app.tenant_id', $1, false)`, values });
    tenants.set(client, tenantId);
  }
  return client;
}

/**
 * Sends statements on one connection at once.
 * @returns the rows of each
 */
async function pipeline(from: pg.Pool, tenantId: number, statements: readonly object[]): Promise<unknown[][]> {
  const client = await take(from, tenantId);
  try {
    const results = await Promise.all(statements.map((statement) => client.query(statement as pg.QueryConfig)));
    return results.map(({ rows }) => rows);
  } finally {
    client.release();
  }
}

/**
 * Returns a statement with the values of this run: fresh numbers, and random texts for single use.
 */
function asked(plan: Plan, index: number, statement: Statement, numbers: ReadonlyMap<string, string>): Statement {
  if (!statement.values || (plan.random.length === 0 && !plan.fresh?.holds[index])) return statement;
  return { ...statement, values: statement.values.map((value) => renewed(value, numbers)) };
}

/** Ids of changes, reserved in batches as by the product. */
const idsOfChanges: string[] = [];

async function idOfChange(): Promise<string> {
  for (;;) {
    const id = idsOfChanges.pop();
    if (id !== undefined) return id;
    const { rows } = await bypass.query<{ id: string }>(
      `SELECT nextval(pg_get_serial_sequence('changes', 'id'))::text AS id FROM generate_series(1, 1000)`,
    );
    idsOfChanges.push(...rows.map((row) => row.id));
  }
}

/** Runs a plan. @returns the rows of its statements */
async function run(plan: Plan, from: pg.Pool): Promise<unknown[]> {
  const parts: unknown[] = [];
  const numbers = new Map(plan.random.map((text) => [text, randomBytes(16).toString('hex')]));
  const { fresh } = plan;
  for (const number of fresh?.takenAhead ?? []) numbers.set(number, await idOfChange());
  let index = 0;
  for (const { transaction, statements } of plan.units) {
    if (!transaction) {
      const first = index;
      const all = statements.map(({ statement }, place) => asked(plan, first + place, statement, numbers));
      const connections = [...new Set(statements.map(({ connection }) => connection))];
      const answers = await Promise.all(
        connections.map((each) =>
          pipeline(
            from,
            plan.tenantId,
            all.filter((_, place) => statements[place]?.connection === each),
          ),
        ),
      );
      parts.push(...answers.flat());
      index += statements.length;
      continue;
    }
    const client = await take(from, plan.tenantId);
    let ended = false;
    try {
      for (const { statement } of statements) {
        const { rows } = await client.query(asked(plan, index, statement, numbers) as pg.QueryConfig);
        for (const { row, column, number } of fresh?.gives[index] ?? []) {
          if (rows[row]?.[column] !== undefined) numbers.set(number, String(rows[row][column]));
        }
        parts.push(rows);
        index += 1;
      }
      ended = true;
    } finally {
      client.release(!ended);
    }
  }
  return parts;
}

const plans: Plan[] = [];
/** More ids of changes than the product reserves ahead. */
const IDS_AHEAD = 100;

async function recordRequests(order: RecordOrder): Promise<RecordAnswer> {
  const restore =
    order.writesIn === undefined ? undefined : await makeNumbersRecognisable(order.tenantId, order.writesIn);
  const answers: string[] = [];
  const made: number[] = [];
  // Ids reserved before are not recognisable.
  if (restore)
    await services.databases.for(order.tenantId).transaction((tx) => tx.takeReservedIds('changes', IDS_AHEAD));
  try {
    for (const [index, request] of order.requests.entries()) {
      if (order.warm) await send(request);
      const { result, recording } = await record(() => send(request));
      answers.push(result);
      const postId = order.views?.postIds[index];
      made.push(
        plans.push({
          ...recording,
          tenantId: order.tenantId,
          fresh: restore && freshNumbers(recording),
          random: order.random ?? [],
          token: /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1],
          view: postId === undefined ? undefined : { ...order.views!, postId },
        }) - 1,
      );
    }
  } finally {
    await restore?.();
  }
  const [first] = made;
  const statements = plans[first ?? 0]?.units.reduce((sum, unit) => sum + unit.statements.length, 0) ?? 0;
  return { plans: made, statements, answers };
}

async function send({ method, path, headers, body }: HttpRequest): Promise<string> {
  const answer = await product.inject({
    method: method as 'GET',
    url: path,
    headers: { ...headers },
    ...(body !== undefined && { payload: body }),
  });
  if (answer.statusCode < 200 || answer.statusCode > 299)
    throw new Error(`${method} ${path}: ${answer.statusCode} ${answer.body.slice(0, 500)}`);
  return answer.body;
}

/**
 * Raises all sequences and the community's count of posts to numbers that are recognisable wherever
 * they appear.
 * @returns a function that restores them
 */
async function makeNumbersRecognisable(tenantId: number, communityId: number): Promise<() => Promise<void>> {
  const client = new pg.Client(database.owner);
  await client.connect();
  await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(tenantId)]);
  const { rows: names } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', s.schemaname, s.sequencename) AS name FROM pg_sequences s
      WHERE s.schemaname = 'public' AND s.max_value > 1000000000000
        AND (s.sequencename NOT LIKE 'changes%' OR s.sequencename = 'changes_id_seq') ORDER BY 1`,
  );
  // A different start each time: rows of an earlier recording still exist.
  const start = FIRST_FRESH + Math.floor(Math.random() * 900_000_000);
  const sequences: { name: string; last: string; called: boolean }[] = [];
  for (const [index, { name }] of names.entries()) {
    // The view of sequences does not distinguish a value that was set from none.
    const { rows } = await client.query<{ last: string; called: boolean }>(
      `SELECT last_value::text AS last, is_called AS called FROM ${name}`,
    );
    sequences.push({ name, ...rows[0]! });
    await client.query('SELECT setval($1::regclass, $2)', [name, start + index * 1_000_000_000]);
  }
  const key = [tenantId, communityId];
  const counter = await client.query<{ last: string }>(
    'SELECT last_custom_no::text AS last FROM community_counters WHERE tenant_id = $1 AND community_id = $2',
    key,
  );
  const set = (number: unknown) =>
    client.query('UPDATE community_counters SET last_custom_no = $3 WHERE tenant_id = $1 AND community_id = $2', [
      ...key,
      number,
    ]);
  await set(start + 150_000_000_000);
  return async () => {
    for (const { name, last, called } of sequences)
      await client.query('SELECT setval($1::regclass, $2, $3)', [name, last, called]);
    await set(counter.rows[0]?.last);
    await client.end();
  };
}

const app = Fastify({ logger: false, bodyLimit: 64 * 1024 * 1024 });
app.post('/record', async (request) => recordRequests(request.body as RecordOrder));
app.post('/explain', async (request): Promise<ExplainAnswer> => {
  const { plan: number } = request.body as { plan: number };
  const plan = plans[number]!;
  const client = await take(pool, plan.tenantId);
  try {
    const statements = plan.units.flatMap((unit) => unit.statements.map(({ statement }) => statement));
    return { statements: await explainStatements(client, statements) };
  } finally {
    client.release();
  }
});

type Params = { Params: { id: string } };
const planOf = (id: string) => plans[Number(id)]!;
/** The limit itself. */
app.all<Params>('/run/:id', async (request, reply: FastifyReply) => {
  const plan = planOf(request.params.id);
  const { view } = plan;
  if (view) {
    reply.raw.once('close', () => {
      countView(services.databases.for(plan.tenantId), { ...view, at: Date.now() }).catch(log.error);
    });
  }
  return run(plan, pool);
});
/** Without row security. */
app.all<Params>('/bypass/:id', async (request) => run(planOf(request.params.id), bypass));
/** After the statement that checks the caller. */
app.all<Params>('/signed/:id', async (request) => {
  const plan = planOf(request.params.id);
  if (plan.signIn) await pipeline(pool, plan.tenantId, [plan.signIn.statement]);
  return run(plan, pool);
});
const scopes = new Map<number, ReturnType<typeof tenantScope>>();
function scopeOf(tenantId: number): ReturnType<typeof tenantScope> {
  const made =
    scopes.get(tenantId) ??
    services.tenants
      .all()
      .then((all) => tenantScope(services, all.find(({ id }) => id === tenantId)!, 'http://127.0.0.1'));
  scopes.set(tenantId, made);
  return made;
}
/** After that, and the verification of the token. */
app.all<Params>('/verified/:id', async (request) => {
  const plan = planOf(request.params.id);
  const scope = await scopeOf(plan.tenantId);
  if (!plan.token || !(await services.tokens.verify(scope, plan.token))) throw new Error('the token is refused');
  if (plan.signIn) await pipeline(pool, plan.tenantId, [plan.signIn.statement]);
  return run(plan, pool);
});

await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' && address ? address.port : 0 })}\n`);
process.on('SIGTERM', async () => {
  await app.close();
  await product.close();
  await Promise.all([pool.end(), bypass.end()]);
  await services.close();
  await database.close();
  process.exit(0);
});
