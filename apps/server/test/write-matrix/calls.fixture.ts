/** Sends the requests of recipes, and compares their answers. */
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
