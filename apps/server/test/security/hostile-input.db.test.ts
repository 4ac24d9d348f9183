/**
 * Nothing a client sends may cause a 5xx or stop the server: every operation gets hostile values in every
 * place of its input. Some thousand cases by default, more at full length; PORTICO_FUZZ_RUNS asks for more, PORTICO_FUZZ_SEED for other ones.
 */
import { type Operation, type OperationId, operationList } from '@portico/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setCommunityRoles } from '../../src/modules/communities/index.ts';
import { createTestPortal, type TestPortal } from '../support/index.ts';
import { longForm } from '../support/long-form.ts';
import { HOSTILE, MARK, type Target, targetsOf, withHostile } from './hostile-values.fixture.ts';
import { injecting, type Sent } from './inject.fixture.ts';
import { type Attacked, makeAttacked, ROOT } from './objects.fixture.ts';
import { ownRequest, wire } from './requests.fixture.ts';

const RUNS = Number(process.env['PORTICO_FUZZ_RUNS'] ?? (longForm ? 2_500 : 400));
const SEED = Number(process.env['PORTICO_FUZZ_SEED'] ?? 20_261_121);
/** Seconds when nothing else runs; many more on a busy machine. */
const PATIENCE_MS = 120_000 + RUNS * 20;
/** Share of dry runs among the writes; every delete is a dry run. */
const MOSTLY_DRY = 0.8;

let portal: TestPortal;
let mine: Attacked;
let token: string;

beforeAll(async () => {
  portal = await createTestPortal({ checkAnswers: false });
  mine = await makeAttacked(portal, 'Quagganar');
  const { tenant, people, communityId } = mine.world;
  await setCommunityRoles(await tenant.scope(people.admin), communityId, [{ principal: mine.chief, role: 1 }]);
  token = await tenant.token(mine.chief);
});

afterAll(async () => {
  await portal.close();
});

/** At full length all values of a list; else a sixth of them, another one for each place. */
const shareOf = (values: readonly string[], place: number): readonly string[] =>
  longForm ? values : values.filter((_, index) => (index + place) % 6 === 0);

const inject = injecting(() => ({ app: portal.app, host: mine.world.tenant.host, token }));

/** Returns the fault of a response, or undefined. */
function fault({ status, text }: Sent): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 300)}`;
  if (status < 400) return status < 300 ? undefined : `redirect ${status}`;
  const body = JSON.parse(text) as Record<string, unknown>;
  const complete = ['code', 'message', 'requestId'].every((name) => typeof body[name] === 'string');
  if (!complete) return `${status} without code, message and requestId: ${text.slice(0, 300)}`;
  return status === 400 && body['code'] === 'VALIDATION_FAILED' && !body['validationErrors']
    ? `no list: ${text}`
    : undefined;
}

function casesOf(operation: Operation): { operation: Operation; target: Target }[] {
  const { accepted, fieldIds } = baseOf(operation);
  return targetsOf(operation, accepted, mine.open, fieldIds).map((target) => ({ operation, target }));
}

function baseOf(operation: Operation) {
  const accepted = ownRequest(operation.id as OperationId, mine.open).body ?? {};
  return { accepted, fieldIds: [...Object.values(mine.world.fields), mine.open.screenFieldId] };
}

test(
  'hostile values anywhere in a body',
  async () => {
    const cases = operationList.filter(({ body }) => body !== null).map(casesOf);
    const one = fc.integer({ min: 0, max: cases.length - 1 }).chain((index) =>
      fc.record({
        chosen: fc.constantFrom(...cases[index]!),
        raw: fc.constantFrom(...HOSTILE),
        dry: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value < MOSTLY_DRY),
      }),
    );
    const faults = new Map<string, string>();
    const statuses = new Map<number, number>();
    for (const { chosen, raw, dry } of fc.sample(one, { numRuns: RUNS, seed: SEED })) {
      const { operation, target } = chosen;
      const asked = ownRequest(operation.id as OperationId, mine.open);
      const { method, path } = wire(dry || destroys(operation) ? asked : { ...asked, query: {} });
      const payload = withHostile(target.body, raw);
      const answer = await inject(method, path, payload);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const wrong = fault(answer);
      if (wrong) faults.set(`${operation.id} ${target.path} = ${raw.slice(0, 80)}`, wrong);
    }
    expect(Object.fromEntries(faults)).toEqual({});
    // The values get as far as the verbs: a good part of the requests is accepted, as most hostile
    // values mean nothing there.
    expect(statuses.get(200)).toBeGreaterThan(RUNS / 25);
    expect(statuses.get(400)).toBeGreaterThan(RUNS / 25);
  },
  PATIENCE_MS,
);

/** Writes that would remove objects of the other cases. */
function destroys({ id, kind }: Operation): boolean {
  return kind === 'write' && !id.startsWith('create');
}

test(
  'every hostile value in every custom field',
  async () => {
    const faults: Record<string, string> = {};
    const asked = ownRequest('createCustomPost', mine.open);
    const { method, path } = wire(asked);
    for (const [place, [name, id]] of Object.entries(mine.world.fields).entries()) {
      for (const raw of shareOf(HOSTILE, place)) {
        const payload = withHostile({ ...asked.body, customData: { [String(id)]: MARK } }, raw);
        const wrong = fault(await inject(method, path, payload));
        if (wrong) faults[`${name} = ${raw.slice(0, 60)}`] = wrong;
      }
    }
    expect(faults).toEqual({});
  },
  PATIENCE_MS,
);

test(
  'hostile objects as parameters of every filter on a field',
  async () => {
    const faults: Record<string, string> = {};
    const { method, path } = wire(ownRequest('listCommunityPostsFiltered', mine.open));
    for (const [name, columnId] of Object.entries(mine.world.fields)) {
      for (let typeId = 1; typeId <= 7; typeId++) {
        for (const raw of HOSTILE.filter((value) => /^[[{]/.test(value) && value.length < 500)) {
          const body = { postFieldFilters: [{ columnId, typeId, parameters: [MARK] }] };
          const wrong = fault(await inject(method, path, withHostile(body, raw)));
          if (wrong) faults[`${name} ${typeId} ${raw.slice(0, 60)}`] = wrong;
        }
      }
    }
    expect(faults).toEqual({});
  },
  PATIENCE_MS,
);

const HOSTILE_PARAMS = [
  ...['0', '-1', '1.5', '9007199254740993', '99999999999999999999999', 'abc', 'NaN', '1e3', '0x10', ' 1', '%00'],
  ...[
    '%',
    '%zz',
    '%ff',
    '%ed%a0%80',
    '%2e%2e%2f',
    '..%2f..',
    "1';--",
    '1%20OR%201=1',
    'x'.repeat(1_100),
    '%F0%9F%92%A9',
  ],
  ...['__proto__', '[1]', '1,2', '+1', '1%0a', '%e2%80%ae', 'null', 'true', ''],
  // Numbers that no number holds.
  ...['1e400', '-1e400', 'Infinity', '-Infinity', '9'.repeat(400)],
];

test(
  'hostile path parameters',
  async () => {
    const faults: Record<string, string> = {};
    for (const [place, operation] of operationList.entries()) {
      for (const name of Object.keys(operation.pathParams)) {
        for (const value of shareOf(HOSTILE_PARAMS, place)) {
          const asked = ownRequest(operation.id as OperationId, mine.open);
          const { method, path, body } = wire({ ...asked, params: { ...asked.params, [name]: 'PLACE' } });
          const url = path.replace('PLACE', value);
          const wrong = fault(await inject(method, url, body === undefined ? undefined : JSON.stringify(body)));
          if (wrong) faults[`${operation.id} ${name} = ${value.slice(0, 40)}`] = wrong;
        }
      }
    }
    expect(faults).toEqual({});
  },
  PATIENCE_MS,
);

test(
  'hostile query strings',
  async () => {
    const faults: Record<string, string> = {};
    const values = [...HOSTILE_PARAMS.slice(0, 22), '%5B%5D', '1&@=2', '&@=', '=1', 'true&@=false'];
    const suffixes = [
      '?%',
      '?&&&=',
      '?a=%ff',
      `?${'a=1&'.repeat(5_000)}`,
      '?__proto__=1',
      '?a[]=1&a[b]=2',
      '?#x',
      '??',
    ];
    for (const [place, operation] of operationList.entries()) {
      const asked = ownRequest(operation.id as OperationId, mine.open);
      const { method, path, body } = wire({ ...asked, query: {} });
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const dry = operation.kind === 'write' ? '&dryRun=true' : '';
      const urls = [
        ...Object.keys(operation.query).flatMap((name) =>
          shareOf(values, place).map(
            (value) => `${path}?${name}=${value.replaceAll('@', name)}${name === 'dryRun' ? '' : dry}`,
          ),
        ),
        ...(operation.kind === 'read' ? suffixes.map((suffix) => `${path}${suffix}`) : []),
      ];
      for (const url of urls) {
        if (operation.kind === 'write' && destroys(operation) && !/[?&]dryRun=true$/.test(url)) continue;
        const wrong = fault(await inject(method, url, payload));
        if (wrong) faults[`${operation.id} ${url.slice(path.length, path.length + 60)}`] = wrong;
      }
    }
    expect(faults).toEqual({});
  },
  PATIENCE_MS,
);

test('a dry run that is asked for twice, or oddly, writes nothing', async () => {
  const count = async () =>
    (
      await portal.services.databases
        .for(mine.world.tenant.tenant.id)
        .query<{ n: number }>('SELECT count(*) AS n FROM posts WHERE tenant_id = $1', [mine.world.tenant.tenant.id])
    )[0]!.n;
  const before = await count();
  const body = JSON.stringify(ownRequest('createCustomPost', mine.open).body);
  const path = `${ROOT}/communication/posts/manage/create-post/${mine.open.communityId}`;
  for (const query of ['dryRun=true&dryRun=true', 'dryRun=true&dryRun=false', 'dryRun=1', 'dryRun=yes']) {
    expect((await inject('POST', `${path}?${query}`, body)).status, query).toBe(400);
  }
  expect((await inject('POST', `${path}?dryRun=%74rue`, body)).status).toBe(200);
  expect(await count()).toBe(before);
});

test('bodies that are not what they say', async () => {
  const path = `${ROOT}/communication/posts/data/list/community/${mine.open.communityId}`;
  const cases: [string | undefined, Record<string, string>, number][] = [
    ['{', {}, 400],
    ['{"a":1}x', {}, 400],
    ['[]', {}, 400],
    ['"x"', {}, 400],
    ['\ufeff{}', {}, 200],
    [`${'['.repeat(100_000)}`, {}, 400],
    [`${'['.repeat(5_000)}${']'.repeat(5_000)}`, {}, 400],
    [`{"title":"${'x'.repeat(1_100_000)}"}`, {}, 413],
    ['{}', { 'content-type': 'text/plain' }, 415],
    ['a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['{}', { 'content-type': 'application/jsonx' }, 415],
    ['{}', { 'content-type': 'application/json; charset=utf-16' }, 200],
    ['{}', { 'content-type': 'application/json; charset=UTF-8' }, 200],
    ['{}', { 'content-type': 'APPLICATION/JSON' }, 200],
    ['{}', { 'content-type': '' }, 415],
    ['{}', { 'idempotency-key': 'x'.repeat(5_000) }, 200],
    ['{}', { 'x-request-id': '"><script>' }, 200],
  ];
  const wrong: string[] = [];
  for (const [payload, headers, status] of cases) {
    const answer = await inject('POST', path, payload, headers);
    if (answer.status !== status || fault(answer)) {
      wrong.push(
        `${payload?.slice(0, 40)} ${JSON.stringify(headers).slice(0, 80)}: ${answer.status} ${answer.text.slice(0, 200)}`,
      );
    }
  }
  expect(wrong).toEqual([]);
});

test(
  'methods that nobody offers',
  async () => {
    const faults: Record<string, string> = {};
    for (const operation of operationList) {
      const { path } = wire(ownRequest(operation.id as OperationId, mine.open));
      for (const method of ['HEAD', 'OPTIONS', 'PATCH', 'GET', 'POST', 'PUT', 'DELETE']) {
        if (method === operation.method) continue;
        const answer = await inject(method, path.replace(/\?.*/, ''));
        if (answer.status >= 500 || answer.status === 302) faults[`${method} ${operation.id}`] = String(answer.status);
        if (method === 'OPTIONS' && answer.status !== 405 && answer.status !== 404) {
          faults[`OPTIONS ${operation.id}`] = String(answer.status);
        }
      }
    }
    expect(faults).toEqual({});
  },
  PATIENCE_MS,
);
