/**
 * The limit of a write: the statements of one `create-post`, recorded from a running application of the same build, then
 * run again and again by the bare driver, in the same transactions. Started by `writes.ts`; for each line with a number of
 * seconds that it reads, it prints how many posts per second it made.
 */
import { createInterface } from 'node:readline';
import { buildApp } from '@portico/server/app';
import { createServices, openDatabase, readConfig } from '@portico/server/testing';
import pg from 'pg';

type Statement = string | { name?: string; text: string; values?: unknown[] };
interface Recorded {
  statement: Statement;
  rows: Record<string, unknown>[];
}

const { tenantId, communityId, path, token, body, connections } = JSON.parse(process.argv[2] as string) as {
  tenantId: number;
  communityId: number;
  path: string;
  token: string;
  body: object;
  connections: number;
};
const config = readConfig(process.env);
const log = { debug() {}, info() {}, warn: console.error, error: console.error };
const database = await openDatabase(config, log, 'command');
const services = await createServices({ config, database: database.service, log });
const app = await buildApp({ services });
const create = async () => {
  const answer = await app.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
  if (answer.statusCode !== 200) throw new Error(`create-post: ${answer.statusCode} ${answer.body}`);
};

// Numbers that are found again wherever they stand: what one post gets and the next must not get again.
const FIRST_ID = 700_000_000_000;
const FIRST_NUMBER = 800_000_000_000;
const owner = new pg.Client(database.owner);
await owner.connect();
await owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(tenantId)]);
await create();
await create();
await owner.query(`SELECT setval(pg_get_serial_sequence('posts', 'id'), $1, false)`, [FIRST_ID]);
await owner.query('UPDATE community_counters SET last_custom_no = $3 WHERE tenant_id = $1 AND community_id = $2', [
  tenantId,
  communityId,
  FIRST_NUMBER - 1,
]);
await owner.end();

const recorded: Recorded[] = [];
const original = pg.Client.prototype.query as (...args: unknown[]) => Promise<pg.QueryResult>;
pg.Client.prototype.query = async function (this: pg.Client, ...args: unknown[]) {
  const result = await original.apply(this, args);
  const [first, values] = args as [Statement, unknown[] | undefined];
  const statement = typeof first === 'string' ? (values ? { text: first, values } : first) : { ...first };
  recorded.push({ statement, rows: result.rows ?? [] });
  return result;
} as never;
await create();
pg.Client.prototype.query = original as never;
await app.close();

const unique = [String(FIRST_ID), String(FIRST_NUMBER)];
/** A value with the recorded numbers replaced by those of this post. */
function fresh(value: unknown, numbers: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'number') return numbers.get(String(value)) ?? value;
  if (Array.isArray(value)) return value.map((item) => fresh(item, numbers));
  if (typeof value !== 'string') return value;
  let text = value;
  for (const [from, to] of numbers) if (text.includes(from)) text = text.replaceAll(from, to);
  return text;
}
/** Which statements hold such numbers at all, so that the others cost nothing. */
const holds = recorded.map(({ statement }) => unique.some((number) => JSON.stringify(statement).includes(number)));
const gives = recorded.map(({ rows }) =>
  Object.entries(rows[0] ?? {}).flatMap(([column, value]) => {
    const number = unique.find((candidate) => String(value) === candidate);
    return number ? [{ column, number }] : [];
  }),
);

const pool = new pg.Pool({ ...database.service, max: config.databasePoolSize, options: '-c timezone=UTC' });
pool.on('connect', (client) => void client.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(tenantId)]));

async function once(): Promise<void> {
  const client = await pool.connect();
  try {
    const numbers = new Map<string, string>();
    for (const [index, { statement }] of recorded.entries()) {
      const asked =
        typeof statement === 'string' || !holds[index]
          ? statement
          : { ...statement, values: (statement.values ?? []).map((value) => fresh(value, numbers)) };
      const { rows } = await client.query(asked as pg.QueryConfig);
      for (const { column, number } of gives[index]!) numbers.set(number, String(rows[0][column]));
    }
  } finally {
    client.release();
  }
}

await once();
process.stdout.write(`${JSON.stringify({ statements: recorded.length })}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const started = performance.now();
  const until = started + Number(line) * 1000;
  let made = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        await once();
        made += 1;
      }
    }),
  );
  process.stdout.write(`${JSON.stringify({ perSecond: (made / (performance.now() - started)) * 1000 })}\n`);
}
