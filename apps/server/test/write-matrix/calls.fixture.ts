/** Sends the recipes' requests, and compares their effects. */
import { type OperationId, operations } from '@portico/contract';
import type { TestAnswer } from '../support/index.ts';
import type { Call, Recipe, TestWorld } from './recipes.fixture.ts';

/** Sends an operation as somebody. */
export function send(
  world: TestWorld,
  userId: number,
  id: OperationId,
  call: Call,
  options: { headers?: Record<string, string>; dryRun?: boolean } = {},
): Promise<TestAnswer> {
  const { method, path } = operations[id];
  const url = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => String(call.params[name]));
  return world.tenant.request(
    userId,
    method,
    `/portal/api/external/v2${url}${options.dryRun ? '?dryRun=true' : ''}`,
    call.body,
    options.headers,
  );
}

/** The same call with the token replaced. */
export function withToken(call: Call, recipe: Recipe, token: number): Call {
  const [place, inBody] = recipe.token!.split('.') as [string, string | undefined];
  return inBody
    ? { ...call, body: { ...call.body, [inBody]: token } }
    : { ...call, params: { ...call.params, [place]: token } };
}

export function tokenOf(call: Call, recipe: Recipe): number {
  const [place, inBody] = recipe.token!.split('.') as [string, string | undefined];
  return inBody ? (call.body![inBody] as number) : call.params[place]!;
}

/** The statement of {@link dump}: all databases of a run have the same tables. */
let dumpStatement: string | undefined;

/**
 * Every row of every table of the tenant, for a comparison, except times of access, and wrong
 * passwords and codes, which are counted with any result of a write.
 */
export async function dump(world: TestWorld): Promise<Record<string, string[]>> {
  const { owner } = world.portal;
  const tenantId = world.tenant.tenant.id;
  await owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(tenantId)]);
  dumpStatement ??= await makeDumpStatement(owner);
  // Prepared, and rows as one JSON value: tests ask a thousand times, and planning and reading arrays would cost the most.
  const { rows } = await owner.query<{ name: string; lines: string[] | null }>({
    name: 'dump',
    text: dumpStatement,
    values: [tenantId],
  });
  return Object.fromEntries(rows.map(({ name, lines }) => [name, (lines ?? []).sort()]));
}

async function makeDumpStatement(owner: TestWorld['portal']['owner']): Promise<string> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
      WHERE c.relkind = 'r' AND c.relname <> 'sign_in_failures' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return tables
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, json_agg((to_jsonb(t) - 'last_access_at')::text) AS lines FROM ${name} t WHERE tenant_id = $1`,
    )
    .join(' UNION ALL ');
}

/** Faults of a 400 as `field CODE`, sorted; ids of fields are `#`. */
export function faultsOf(answer: TestAnswer): string[] {
  const list = (answer.body?.validationErrors?.list ?? []) as { field: string; code: string }[];
  return list.map(({ field, code }) => `${field.replace(/\.\d+$/, '.#')} ${code}`).sort();
}

/**
 * An answer with ids, times and names made at random removed: the common part of two runs of the
 * same write.
 */
export function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value === 'number') return 0;
  if (typeof value === 'string') return /^(https?:|[\d-]+$)|[0-9a-f]{10}|[\w.-]{60}/.test(value) ? '…' : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, shape(item)]),
  );
}

/** An error body without parts that may differ between two requests. */
export function anonymous(answer: TestAnswer, id: number): string {
  const { requestId: _own, ...body } = answer.body ?? {};
  return `${answer.status} ${JSON.stringify(body).replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID')}`;
}
