/**
 * Hostile writes without dry runs: several odd values and odd member names at once, ids of another
 * tenant among them. Nothing may be a 5xx, each 400 names the places, and every accepted value can
 * be read again by every read of the contract, whose answers are checked against it.
 * PORTICO_FUZZ_RUNS asks for more, PORTICO_FUZZ_SEED for other ones.
 */
import { type Operation, type OperationId, operationList } from '@portico/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setCommunityRoles } from '../../src/modules/communities/index.ts';
import { createTestPortal, type TestPortal } from '../support/index.ts';
import { longForm } from '../support/long-form.ts';
import { HOSTILE, MARK, type Target, targetsOf } from './hostile-values.fixture.ts';
import { injecting, type Sent } from './inject.fixture.ts';
import { type Attacked, makeAttacked, makeObjects, type Objects } from './objects.fixture.ts';
import { ownRequest, wire } from './requests.fixture.ts';

const RUNS = Number(process.env['PORTICO_FUZZ_RUNS'] ?? (longForm ? 900 : 200));
const SEED = Number(process.env['PORTICO_FUZZ_SEED'] ?? 20_261_122);
const PATIENCE_MS = 120_000 + RUNS * 60;
/** Accepted writes between two rounds of reading everything. */
const READ_EVERY = 60;

let portal: TestPortal;
let mine: Attacked;
let theirs: Attacked;
let token: string;

beforeAll(async () => {
  portal = await createTestPortal();
  mine = await makeAttacked(portal, 'Quagganar');
  theirs = await makeAttacked(portal, 'Foreignish');
  const { tenant, people, communityId } = mine.world;
  await setCommunityRoles(await tenant.scope(people.admin), communityId, [{ principal: mine.chief, role: 1 }]);
  token = await tenant.token(mine.chief);
});
afterAll(() => portal?.close());

const inject = injecting(() => ({ app: portal.app, host: mine.world.tenant.host, token }));

const text = (value: unknown) => JSON.stringify(value);
const delta = (ops: unknown) => text(JSON.stringify(ops));
const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) });

/** More hostile values: of another tenant, rich texts that are much but well-formed, objects that dislike being looked at. */
function moreHostile(): string[] {
  const ids = Object.values(theirs.hidden).filter((value) => typeof value === 'number');
  const { watcher, assignee } = mine;
  return [
    ...HOSTILE,
    ...ids.flatMap((id) => [`${id}`, `[${id}]`, text(String(id)), `[{"id":${id}}]`]),
    `[${mine.open.postId},${theirs.open.postId}]`,
    text(theirs.open.contentRef),
    text([{ name: 'x', contentRef: theirs.open.contentRef }]),
    text([{ attachmentId: theirs.open.attachmentId }]),
    '{"valueOf":1,"toString":null,"toJSON":{"then":1}}',
    '[{"toString":1,"valueOf":1,"length":-1}]',
    '{"then":{"then":1},"length":1e9,"0":1}',
    text(deep(900)),
    delta([{ insert: 'x\n', attributes: deep(200) }]),
    delta(Array.from({ length: 3_000 }, () => ({ insert: { mention: { id: String(watcher), value: 'W' } } }))),
    delta([...Array.from({ length: 3_000 }, (_, at) => ({ insert: `#tag${at} ` })), { insert: '\n' }]),
    delta([{ insert: { mention: { id: String(theirs.watcher), value: 'T' } } }, { insert: '\n' }]),
    delta([
      { insert: { mention: { id: assignee, value: '\u202e' } } },
      { insert: '\n\n\n', attributes: { list: 'x' } },
    ]),
    delta([{ insert: '\n', attributes: { header: 1e300, indent: -5 } }]),
    text('\n'.repeat(50_000)),
    text('#'.repeat(50_000)),
    text('@'.repeat(50_000)),
    text(`${'[a]('.repeat(10_000)}`),
    text('*_~`'.repeat(20_000)),
    text('\u0000\ud800'.repeat(3)),
    text('\u00a0\u200b\ufeff'),
    text('ß'.repeat(1_000)),
    text('İ'.repeat(999)),
    text(`${'\u0f71\u0f72'.repeat(400)}`),
    '{"datetime":"9999-12-31T23:59:59","timezone":"Pacific/Kiritimati"}',
    '{"datetime":"0001-01-01T00:00","timezone":"America/Los_Angeles"}',
    '{"localDatetime":"2027-03-28T02:30","timezone":"Europe/Rome"}',
    '{"datetime":"2027-01-01T00:00:00.123456789","timezone":"UTC"}',
    '{"datetime":[],"timezone":{}}',
  ];
}

const KEYS = [
  ...['__proto__', 'constructor', 'toString', '', ' ', '-1', '1.0', '01', '1e1', '\u0000', '\ud800', 'x'.repeat(5_000)],
  ...['9007199254740993', '99999999999999999999', 'en', 'EN', 'it-IT', '[0]', 'a.b'],
];

/** Places that take more or less any text. */
const TAKES_TEXT =
  /^(title|description|comment|notes|name|firstname|lastname|externalId|label\.x|name\.x|translations\.x|descriptionDelta|customData\.\d+|screenData\.\d+|event\.location|subTasks\[\]\.description|descriptionPlainText)$/;

interface Attack {
  targets: Target[];
  raws: string[];
  keys: string[];
}

const mark = (at: number) => `${MARK}${at}@`;

/** Returns a body with all the values in their places. */
function bodyOf(operation: Operation, own: Objects, { targets, raws, keys }: Attack): string {
  let body: Record<string, unknown> = { ...ownRequest(operation.id as OperationId, own).body };
  for (const [at, target] of targets.entries()) {
    const given = JSON.parse(JSON.stringify(target.body).replaceAll(MARK, mark(at))) as typeof body | string;
    if (typeof given === 'string') continue;
    const field = target.path.split(/[.[]/)[0]!;
    body = { ...body, [field]: given[field] };
  }
  let json = JSON.stringify(body);
  for (const [at, raw] of raws.entries()) json = json.replaceAll(JSON.stringify(mark(at)), () => raw);
  const members = keys.map((key, at) => `${JSON.stringify(key)}:${raws[at % raws.length]}`);
  return members.length === 0 ? json : json.replace(/^\{/, () => `{${members.join(',')},`);
}

/** Returns the fault of a response, or undefined. */
function fault({ status, text: body }: Sent): string | undefined {
  if (status >= 500) return `${status} ${body.slice(0, 300)}`;
  if (status < 400) return undefined;
  const answer = JSON.parse(body) as {
    code?: string;
    validationErrors?: { list?: { field?: string; code?: string }[] };
  };
  if (!answer.code) return `${status} without a code: ${body.slice(0, 200)}`;
  if (status !== 400 || answer.code === 'MALFORMED_JSON') return undefined;
  const list = answer.validationErrors?.list ?? [];
  const clear = list.length > 0 && list.every(({ field, code }) => field && field !== '$' && code);
  return clear ? undefined : `a 400 that names no place: ${body.slice(0, 300)}`;
}

/** Runs every read of the contract about these objects. @returns faults of the answers */
async function readEverything(own: Objects): Promise<string[]> {
  const wrong: string[] = [];
  for (const operation of operationList.filter(({ kind, permission }) => kind === 'read' && permission !== 'public')) {
    const asked = ownRequest(operation.id as OperationId, own);
    const { method, path, body } = wire(asked);
    const payload = body === undefined ? undefined : JSON.stringify({ ...body, pageSize: 500 });
    const answer = await inject(method, path, payload);
    if (answer.status >= 500) wrong.push(`${operation.id}: ${answer.status} ${answer.text.slice(0, 300)}`);
  }
  return wrong;
}

/**
 * Removes objects that the others need, so that each is done to an object of its own and seldom.
 */
const DESTROYS = new Set([
  'deletePost',
  'markPostAsErasable',
  'deleteTask',
  'deleteUser',
  'deleteGroup',
  'removeField',
  'changeFieldType',
  'restoreDefinitionVersion',
]);

test(
  'several hostile values at once: no 5xx, faults are named, and everything can be read afterwards',
  async () => {
    const { world } = mine;
    const hostile = moreHostile();
    const writes = operationList.filter(({ kind, body, id }) => kind === 'write' && body !== null && !DESTROYS.has(id));
    let own = await makeObjects(mine, world.communityId, world.people.author, 2, 'first');
    const fieldIds = [...Object.values(world.fields), own.screenFieldId];
    const targets = new Map(
      writes.map(({ id }) => {
        const operation = writes.find((one) => one.id === id)!;
        return [id, targetsOf(operation, {}, own, fieldIds).filter(({ path }) => path !== '$')];
      }),
    );
    // Half of them odd texts in places that take texts, so that much is accepted and then read.
    const odd = hostile.filter((raw) => raw.length < 900 && raw.startsWith('"'));
    const mild = fc.constantFrom(...writes).chain((operation) => {
      const places = targets.get(operation.id)!.filter(({ path }) => TAKES_TEXT.test(path));
      return fc.record({
        operation: fc.constant(operation),
        targets: fc.subarray(places, { maxLength: Math.min(3, places.length) }),
        raws: fc.array(fc.constantFrom(...odd), { minLength: 4, maxLength: 4 }),
        keys: fc.constant<string[]>([]),
        key: fc.constant(null),
      });
    });
    const wild = fc.constantFrom(...writes).chain((operation) =>
      fc.record({
        operation: fc.constant(operation),
        targets: fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(...targets.get(operation.id)!).map((target) => [target]) },
          fc.array(fc.constantFrom(...targets.get(operation.id)!), { minLength: 2, maxLength: 4 }),
        ),
        raws: fc.array(fc.constantFrom(...hostile), { minLength: 4, maxLength: 4 }),
        keys: fc.oneof({ weight: 6, arbitrary: fc.constant<string[]>([]) }, fc.subarray(KEYS, { maxLength: 4 })),
        key: fc.option(fc.constantFrom('k', ' ', 'x'.repeat(300), 'ключ', 'a,b', '"'), { freq: 6 }),
      }),
    );
    const faults = new Map<string, string>();
    const statuses = new Map<number, number>();
    let accepted = 0;
    for (const [at, { operation, key, ...chosen }] of fc
      .sample(fc.oneof(mild, wild), { numRuns: RUNS, seed: SEED })
      .entries()) {
      const asked = ownRequest(operation.id as OperationId, own);
      const params = await freshParams(operation, asked.params, own);
      const { method, path } = wire({ ...asked, params, query: {} });
      const payload = withToken(bodyOf(operation, own, chosen), params);
      const headers: Record<string, string> =
        key === null ? {} : { 'idempotency-key': Buffer.from(`${key}${at}`, 'utf8').toString('latin1') };
      const answer = await inject(method, path, payload, headers);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const wrong = fault(answer);
      if (wrong) faults.set(`${operation.id} ${payload.slice(0, 200)}`, wrong);
      if (answer.status !== 200) continue;
      accepted += 1;
      if (accepted % READ_EVERY !== 0) continue;
      for (const problem of await readEverything(own)) faults.set(`after ${at} writes`, problem);
      own = await makeObjects(mine, world.communityId, world.people.author, 2, `round${at}`);
    }
    for (const problem of await readEverything(own)) faults.set('at the end', problem);
    expect(Object.fromEntries(faults)).toEqual({});
    expect(statuses.get(200), JSON.stringify([...statuses])).toBeGreaterThan(RUNS / 8);
    expect(statuses.get(400)).toBeGreaterThan(RUNS / 5);
  },
  PATIENCE_MS,
);

/** Tokens as they are now, so that requests get as far as their values; they are in the path, or asked for in the body. */
async function freshParams(
  { id, pathParams }: Operation,
  params: Record<string, string | number>,
  own: Objects,
): Promise<Record<string, string | number>> {
  const db = portal.services.databases.for(mine.world.tenant.tenant.id);
  const version = async (table: string, id: unknown, column = 'version') =>
    (
      await db.query<{ v: number }>(`SELECT ${column} AS v FROM ${table} WHERE tenant_id = $1 AND id = $2`, [
        mine.world.tenant.tenant.id,
        id,
      ])
    )[0]?.v ?? 1;
  if (pathParams['screenOccToken']) {
    return { ...params, screenOccToken: await version('posts', params['postId'], 'screen_version') };
  }
  // A community without posts: switches and roles of the community that the other writes use would
  // make them fail.
  if (['editCommunity', 'editCommunityMembers'].includes(id)) {
    const communityId = own.emptyCommunityId;
    return { communityId, [BODY_TOKEN]: await version('communities', communityId, 'etag') };
  }
  if (id === 'editTenantSettings' || id === 'editBranding') {
    const { tenantId } = mine.world.db;
    const [row] = await mine.world.db.query<{ v: number }>(
      'SELECT version AS v FROM tenant_settings WHERE tenant_id = $1',
      [tenantId],
    );
    return { ...params, [BODY_TOKEN]: row!.v };
  }
  if (!pathParams['occToken']) {
    const table = {
      ...{ groupId: 'groups', catalogId: 'catalogs', userId: 'users', entryId: 'catalog_entries' },
      commentId: 'comments',
    };
    const name = (['entryId', 'catalogId', 'groupId', 'userId', 'commentId'] as const).find((one) => pathParams[one]);
    if (!name) return params;
    return { ...params, [BODY_TOKEN]: await version(table[name], own[name]) };
  }
  const place = pathParams['workspaceId'] ? 'workspaces' : 'posts';
  const owner = pathParams['taskId'] ? 'tasks' : place;
  const object = params['taskId'] ?? params['workspaceId'] ?? params['postId'];
  return { ...params, occToken: await version(owner, object) };
}

const BODY_TOKEN = '@token';

function withToken(payload: string, params: Record<string, string | number>): string {
  const present = params[BODY_TOKEN];
  return present === undefined ? payload : payload.replace(/"occToken":\d+/, `"occToken":${present}`);
}

test('a body that is wrong in a hundred thousand places is refused in few words', async () => {
  const asked = ownRequest('editPostWatchers', mine.open);
  const { method, path } = wire({ ...asked, query: {} });
  const many = <T>(value: T, count: number) => Array.from({ length: count }, () => value);
  const bodies = [
    { addWatcherUserIds: many('x', 200_000) },
    { addWatcherUserIds: many('\u0000', 100_000) },
    { [`x${'y'.repeat(200_000)}`]: '\u0000' },
    { addWatcherUserIds: Array.from({ length: 100_000 }, (_, at) => -at) },
  ];
  for (const body of bodies) {
    const answer = await inject(method, path, JSON.stringify(body));
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(400_000);
    expect(JSON.parse(answer.text).message.length).toBeLessThan(10_000);
  }
});
