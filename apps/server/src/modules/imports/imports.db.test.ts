/** Imports over the API: rights, results of rows, progress, cancellation and continuation. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  faults,
  type TestPortal,
  type TestWorld,
} from '../../../test/support/test-world.ts';
import { runImports } from '../../jobs/run-imports.ts';
import { storeFile } from '../files/index.ts';

const API = '/portal/api/external/v2/admin';
let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
});
beforeEach(async () => {
  world = await createTestWorld(portal, {
    workflow: () => ({
      title: 'Order',
      states: [
        { name: 'Open', initial: true },
        { name: 'Done', terminal: true },
      ],
    }),
    fields: [
      { label: 'Amount', type: 3, externalId: 'amount', searchable: true, sortable: true },
      { label: 'Kind', type: 7, enumValues: [{ label: 'Paper' }, { label: 'Ink' }] },
      { label: 'Buyer', type: 15, metadata: { generic_entity_list_config_id: 'core.user' } },
      { label: 'Salary', type: 1, externalId: 'salary', visibleRoles: [1] },
    ],
  });
});
afterAll(() => portal?.close());

const MAPPING = `externalId: {column: id, prefix: order-}
title: name
state: {column: state, default: Open}
fields:
  amount: {column: sum, decimal: ","}
  Kind: kind
  Buyer: {column: buyer, onError: drop}
`;
const HEAD = 'id,name,state,sum,kind,buyer\n';
const GOOD = `${HEAD}1,One,,"12,5",Paper,Maria Last2\n2,Two,Done,,Ink,\n`;

const send = (userId: number, method: string, path: string, body?: unknown) =>
  world.tenant.request(userId, method, `${API}/${path}`, body);
async function ok(userId: number, method: string, path: string, body?: unknown) {
  const answer = await send(userId, method, path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
async function upload(userId: number, content: string | Buffer): Promise<string> {
  return (await storeFile(await world.scope(userId), portal.services.storage, Buffer.from(content))).contentRef;
}
/** Builds the request that starts an import of a file of rows. */
const form = async (userId: number, content: string | Buffer, more: object = {}) => ({
  contentRef: await upload(userId, content),
  fileName: 'orders.csv',
  mapping: MAPPING,
  ...more,
});
const start = async (userId: number, content: string | Buffer, more: object = {}) =>
  ok(userId, 'POST', `manage/communities/${world.communityId}/imports`, await form(userId, content, more));
/** Lets the worker go over the imports of the tenant. */
const work = (stop: Pick<AbortSignal, 'aborted'> = { aborted: false }) =>
  runImports(portal.services, world.tenant.tenant, stop as AbortSignal);
const read = (id: number, userId = world.people.manager) => ok(userId, 'GET', `data/imports/${id}`);
const refusals = async (id: number) =>
  (await ok(world.people.manager, 'POST', `data/imports/${id}/refusals`, { pageSize: 500 })).items;
const titles = async () =>
  (
    await world.rows<{ title: string }>(
      'SELECT title FROM posts WHERE tenant_id = $1 AND deleted_at IS NULL ORDER BY custom_no',
    )
  ).map(({ title }) => title);

describe('a row that no text or reader can hold', () => {
  test.each([
    ['a NUL in a cell', 'orders.csv', `${HEAD}1,One,,,Paper,\n2,T\0wo,,,,\n`, 'NUL'],
    ['a NUL in JSON', 'orders.ndjson', '{"id":1,"name":"One"}\n{"id":2,"name":"T\\u0000wo"}\n', 'NUL'],
    ['half a pair', 'orders.ndjson', '{"id":1,"name":"One"}\n{"id":2,"name":"T\\ud800wo"}\n', 'surrogate'],
    [
      'deep lists',
      'orders.ndjson',
      `{"id":1,"name":"One"}\n{"id":${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`,
      'levels',
    ],
    ['many values', 'orders.ndjson', `{"id":1,"name":"One"}\n{"id":[${'1,'.repeat(50_000)}1]}\n`, '50000 values'],
  ])('is refused for %s, and the next import begins', async (_, fileName, content, reason) => {
    const { manager } = world.people;
    const { id } = await start(manager, content, { fileName });
    const next = await start(manager, `${HEAD}3,Three,,,I\u006ek,\n`);
    await work();
    expect(await read(id)).toMatchObject({ state: 'done', rows: 2, report: { createdCount: 1, refusedCount: 1 } });
    const [refusal, ...others] = await refusals(id);
    expect([refusal.reason, others]).toEqual([expect.stringContaining(reason), []]);
    expect(await read(next.id)).toMatchObject({ state: 'done', report: { createdCount: 1 } });
  });
});

test('a file in UTF-16 is read without a word of its encoding; text in no encoding of the file refuses its row', async () => {
  const { manager } = world.people;
  const wide = await start(manager, Buffer.from(`\ufeff${GOOD}`, 'utf16le'));
  const stray = Buffer.from(`${HEAD}3,Three,,,,\n4,caf\xe9,,,,\n`, 'latin1');
  const trial = await start(manager, stray, { trial: true });
  const { id } = await start(manager, stray);
  await work();
  expect(await read(wide.id)).toMatchObject({ state: 'done', report: { createdCount: 2, refusedCount: 0 } });
  for (const one of [trial.id, id]) {
    expect(await read(one)).toMatchObject({ state: 'done', report: { createdCount: 1, refusedCount: 1 } });
    const reason = expect.stringContaining('not text in utf-8; the file is likely windows-1252');
    expect(await refusals(one)).toMatchObject([{ line: 3, column: 'name', reason }]);
  }
  expect(await titles()).toEqual(['One', 'Two', 'Three']);
});

describe('a manager', () => {
  test('tries a file, which keeps nothing, and then imports it; again, nothing changes', async () => {
    const { manager } = world.people;
    const trial = await start(manager, GOOD, { trial: true });
    expect(trial).toMatchObject({ state: 'waiting', trial: true, readRows: 0, creatorUser: { id: manager } });
    await work();
    const tried = await read(trial.id);
    expect(tried).toMatchObject({ state: 'done', rows: 2, report: { createdCount: 2, refusedCount: 0 } });
    expect(await titles()).toEqual([]);
    const path = `manage/communities/${world.communityId}/imports`;
    const { id } = await ok(manager, 'POST', path, { importId: trial.id });
    await work();
    expect(await read(id)).toMatchObject({ state: 'done', report: tried.report, notes: [] });
    expect(await titles()).toEqual(['One', 'Two']);
    await ok(manager, 'POST', path, { importId: id });
    await work();
    const list = await ok(manager, 'POST', `data/communities/${world.communityId}/imports`, {
      pageSize: 2,
      calculateTotalItemsCount: true,
    });
    expect(list).toMatchObject({ totalItemsCount: 3, items: [{ report: { unchangedCount: 2 } }, { id }] });
    const rest = await ok(manager, 'POST', `data/communities/${world.communityId}/imports`, {
      pageSize: 2,
      pageToken: list.nextPageToken,
    });
    expect(rest.items).toMatchObject([{ id: trial.id }]);
  });

  test('is told line, column, value and what is allowed of what was not taken, also as CSV', async () => {
    const { manager } = world.people;
    const rows = `${HEAD}1,One,,x,Paper,Nobody Known\n2,Two,Lost,1,Glue,\n1,Twice,,1,,\n4,,,,\n5,Five,,"1,5",,Otto Last6\n`;
    const { id } = await start(manager, rows);
    expect(await refusals(id)).toEqual([]);
    await work();
    expect(await read(id)).toMatchObject({ state: 'done', rows: 5, report: { createdCount: 2, refusedCount: 3 } });
    expect(
      (await refusals(id)).map(({ line, column, value, lost }: Record<string, string>) => [line, column, value, lost]),
    ).toEqual([
      [2, 'sum', 'x', 'row'],
      [3, 'kind', 'Glue', 'row'],
      [5, undefined, '4,,,,', 'row'],
    ]);
    expect((await refusals(id))[1].reason).toContain('it has: Paper, Ink');
    const file = await send(manager, 'POST', `data/imports/${id}/refusals/export?format=csv`, {});
    expect(file.status, file.text).toBe(200);
    expect(file.text.split('\n')[1]).toContain('sum');
    expect(await titles()).toEqual(['Twice', 'Five']);
  });

  test('starts several, which are all worked on, one after the other', async () => {
    const { manager } = world.people;
    const first = await start(manager, GOOD, { trial: true });
    const path = `manage/communities/${world.communityId}/imports`;
    const again = { importId: first.id, trial: true };
    const ids = [first.id, (await ok(manager, 'POST', path, again)).id, (await ok(manager, 'POST', path, again)).id];
    await work();
    const ended = await Promise.all(ids.map((id) => read(id)));
    expect(ended.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    for (const [index, { startTimestamp }] of ended.slice(1).entries())
      expect(startTimestamp).toBeGreaterThanOrEqual(ended[index].endTimestamp);
  });

  test('cancels one that waits, and one that runs, whose posts stay', async () => {
    const { manager } = world.people;
    const waiting = await start(manager, GOOD);
    expect(await ok(manager, 'POST', `manage/imports/${waiting.id}/cancel`)).toMatchObject({ state: 'cancelled' });
    await work();
    expect(await titles()).toEqual([]);
    const again = await send(manager, 'POST', `manage/imports/${waiting.id}/cancel`);
    expect(faults(again)).toEqual(['importId: INVALID_VALUE']);
    const many = HEAD + Array.from({ length: 130 }, (_, n) => `${n},Row ${n},,1,,\n`).join('');
    const { id } = await start(manager, many);
    await world.db.execute(
      `UPDATE imports SET state = 'running', claimed_at = now() WHERE tenant_id = $1 AND id = $2`,
      [world.db.tenantId, id],
    );
    expect(await ok(manager, 'POST', `manage/imports/${id}/cancel`)).toMatchObject({ state: 'running' });
    await world.db.execute('UPDATE imports SET claimed_at = NULL WHERE tenant_id = $1 AND id = $2', [
      world.db.tenantId,
      id,
    ]);
    await work();
    expect(await read(id)).toMatchObject({ state: 'cancelled' });
  });
});

test('cancelled while it waits for a node after an outage, an import ends at once, and the next one begins', async () => {
  const { manager } = world.people;
  const { id } = await start(manager, GOOD);
  const next = await start(manager, `${HEAD}3,Three,,,,\n`);
  // State after an outage of the database: a claim that is not renewed.
  const claimed = new Date(portal.services.clock.now() - 31_000);
  await portal.owner.query(`UPDATE imports SET state = 'running', claimed_at = $2, attempts = 1 WHERE id = $1`, [
    id,
    claimed,
  ]);
  expect(await ok(manager, 'POST', `manage/imports/${id}/cancel`)).toMatchObject({ state: 'cancelled' });
  await work();
  expect(await read(next.id)).toMatchObject({ state: 'done', report: { createdCount: 1 } });
});

describe('while the file is read', () => {
  afterEach(() => void vi.restoreAllMocks());

  test('requests are served, and the import can be cancelled', async () => {
    const { manager } = world.people;
    // The server believes that each part of the work takes long.
    const now = performance.now.bind(performance);
    let asked = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 10 * asked++);
    const { id } = await start(manager, `${HEAD}${'too,short\n'.repeat(20_000)}`);
    const ended = work();
    let shown = await read(id);
    while (shown.state === 'waiting') shown = await read(id);
    expect(shown).toMatchObject({ state: 'running', readRows: 0 });
    await ok(manager, 'POST', `manage/imports/${id}/cancel`);
    await ended;
    expect(await read(id)).toMatchObject({ state: 'cancelled', report: { refusedCount: expect.any(Number) } });
    expect((await read(id)).report.refusedCount).toBeLessThan(20_000);
  });

  test('a row of many lines, each with quotes, is one row; lines and columns have a greatest number', async () => {
    const { manager } = world.people;
    const long = await start(manager, `${HEAD}1,"${'""\n'.repeat(4_000)}",,1,,\n2,Two,,1,,\n`, { trial: true });
    const wide = await start(manager, `${'c,'.repeat(10_000)}d\n`, { trial: true });
    const line = await start(manager, `${HEAD}${'x'.repeat(4 * 1024 * 1024 + 1)}\n`, { trial: true });
    await work();
    expect(await read(long.id)).toMatchObject({ state: 'done', rows: 2 });
    expect(await read(wide.id)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('a row has at most 10000 cells'),
    });
    expect(await read(line.id)).toMatchObject({
      state: 'failed',
      problem: 'orders.csv has a line of more than 4194304 characters.',
    });
  });
});

test('an import that was broken off is continued, and counts its rows once', async () => {
  const { manager } = world.people;
  await start(manager, `${HEAD}3,Before,,1,,\n`);
  await work();
  const many = HEAD + Array.from({ length: 130 }, (_, n) => `${n},Row ${n},,1,,\n`).join('');
  const { id } = await start(manager, many);
  // The process is stopped while rows are being written.
  let asked = 0;
  await work({
    get aborted() {
      return ++asked > 4;
    },
  });
  const [{ count }] = (await world.rows<{ count: number }>(
    'SELECT count(*) AS count FROM posts WHERE tenant_id = $1',
  )) as [{ count: number }];
  expect(count).toBeGreaterThan(1);
  expect(count).toBeLessThan(130);
  expect(await read(id)).toMatchObject({ state: 'running' });
  // After the timeout of a dead node, another one resumes the import.
  await world.db.execute('UPDATE imports SET claimed_at = now() WHERE tenant_id = $1 AND id = $2', [
    world.db.tenantId,
    id,
  ]);
  await work();
  expect(await read(id)).toMatchObject({ state: 'running' });
  await world.db.execute(
    `UPDATE imports SET claimed_at = now() - interval '2 minutes' WHERE tenant_id = $1 AND id = $2`,
    [world.db.tenantId, id],
  );
  await work();
  expect(await read(id)).toMatchObject({
    state: 'done',
    rows: 130,
    report: { createdCount: 129, editedCount: 1, unchangedCount: 0, refusedCount: 0 },
  });
  expect(await titles()).toHaveLength(130);
});

describe('on several nodes', () => {
  const claim = (id: number, sql: string) =>
    world.db.execute(`UPDATE imports SET ${sql} WHERE tenant_id = $1 AND id = $2`, [world.db.tenantId, id]);

  test('imports of a community run one after the other', async () => {
    const { manager } = world.people;
    const first = await start(manager, `${HEAD}1,Old,,,,\n`);
    const second = await start(manager, `${HEAD}1,New,,,,\n`);
    // Another node works on the first one.
    await claim(first.id, `state = 'running', claimed_at = now(), attempts = 1`);
    await work();
    expect(await read(second.id)).toMatchObject({ state: 'waiting' });
    await claim(first.id, 'claimed_at = NULL');
    await work();
    expect(await read(second.id)).toMatchObject({ state: 'done', report: { editedCount: 1 } });
    expect(await titles()).toEqual(['New']);
  });

  test.each([
    ['ends', false],
    ['gives back', true],
  ])('one that was taken for dead %s nothing that another has taken up', async (_what, aborted) => {
    const { manager } = world.people;
    const rows = Array.from({ length: 130 }, (_, n) => `${n},Row ${n},,1,,\n`).join('');
    const { id } = await start(manager, HEAD + rows);
    const { owner } = portal;
    const stop = { aborted: false };
    await owner.query('BEGIN; LOCK TABLE posts IN ACCESS EXCLUSIVE MODE');
    let ended: Promise<unknown>;
    try {
      ended = work(stop);
      await expect
        .poll(
          async () =>
            (await owner.query(`SELECT FROM pg_locks WHERE NOT granted AND relation = 'posts'::regclass`)).rowCount,
        )
        .toBe(1);
      await claim(id, 'claimed_at = now(), attempts = attempts + 1');
      stop.aborted = aborted;
    } finally {
      await owner.query('ROLLBACK');
    }
    await ended;
    const [row] = await world.rows(
      'SELECT state, attempts, claimed_at IS NOT NULL AS claimed FROM imports WHERE tenant_id = $1',
    );
    expect(row).toEqual({ state: 'running', attempts: 2, claimed: true });
    await claim(id, 'claimed_at = NULL');
    await work();
    expect(await read(id)).toMatchObject({ state: 'done', report: { createdCount: 130, editedCount: 0 } });
  });
});

describe('rights', () => {
  test('are those of the person: posts are theirs, and nobody is made, without administrative rights', async () => {
    const { manager, admin } = world.people;
    const mapping = `${MAPPING}author: buyer\ncreated: {value: "2020-01-01"}\n`;
    const path = `manage/communities/${world.communityId}/imports`;
    const refused = await send(manager, 'POST', path, await form(manager, GOOD, { mapping }));
    expect(faults(refused)).toEqual(['mapping.author: INVALID_VALUE', 'mapping.created: INVALID_VALUE']);
    await world.role(admin, 1);
    const { id } = await start(admin, `${HEAD}1,One,,,,New Person\n`, { mapping });
    await work();
    expect(await read(id, admin)).toMatchObject({ state: 'done', report: { createdCount: 1, peopleCount: 1 } });
    const [post] = await world.rows<{ last: string; year: number }>(
      `SELECT u.last_name AS last, extract(year FROM p.created_at)::int AS year
         FROM posts p JOIN users u ON u.tenant_id = p.tenant_id AND u.id = p.creator_id WHERE p.tenant_id = $1`,
    );
    expect(post).toEqual({ last: 'Person', year: 2020 });
  });

  test('end an import when they end', async () => {
    const { manager, admin } = world.people;
    const { id } = await start(manager, GOOD);
    await world.role(manager, 2);
    await work();
    expect(await send(manager, 'GET', `data/imports/${id}`)).toMatchObject({ status: 403 });
    await world.role(admin, 1);
    const ended = await read(id, admin);
    expect(ended).toMatchObject({ state: 'failed', problem: expect.stringContaining('does not manage') });
    expect(ended).not.toHaveProperty('report');
    expect(await titles()).toEqual([]);
  });

  test('are those of managers: others are refused, and do not see imports', async () => {
    const { manager, author, admin, outsider } = world.people;
    const { id } = await start(manager, GOOD);
    const path = `manage/communities/${world.communityId}/imports`;
    for (const [who, expected] of [
      [author, 403],
      [admin, 404],
      [outsider, 404],
    ] as const) {
      expect((await send(who, 'POST', path, await form(who, GOOD))).status).toBe(expected);
      expect((await send(who, 'GET', `data/imports/${id}`)).status).toBe(expected);
      expect((await send(who, 'POST', `data/imports/${id}/refusals`, {})).status).toBe(expected);
      expect((await send(who, 'POST', `manage/imports/${id}/cancel`)).status).toBe(expected);
    }
    // Uploads of other users are unknown.
    const foreign = await send(manager, 'POST', path, await form(author, GOOD));
    expect(faults(foreign)).toEqual(['contentRef: CONTENT_REF_INVALID']);
  });
});

test.each(['& ', '""', "'a' ", ': '])('a mapping of nothing but %j is refused', async (part) => {
  const mapping = part.repeat(50_000 / part.length);
  const body = await form(world.people.manager, GOOD, { mapping });
  const answer = await send(world.people.manager, 'POST', `manage/communities/${world.communityId}/imports`, body);
  expect(answer.status, answer.text).toBe(400);
  expect(new Set(faults(answer))).toEqual(new Set(['mapping: INVALID_VALUE']));
  expect(answer.text).toContain('Line 1: ');
});

test('a mapping is checked at once: each fault by its key, its line and what is allowed', async () => {
  const { manager } = world.people;
  const path = `manage/communities/${world.communityId}/imports`;
  const mapping = 'externalId: id\ntitel: name\nfields:\n  Colour: colour\n  amount: {column: sum, type: WRONG}\n';
  const answer = await send(manager, 'POST', path, await form(manager, GOOD, { mapping, fileName: 'orders.xlsx' }));
  expect(faults(answer)).toEqual([
    'mapping.titel: INVALID_VALUE',
    'mapping.fields.Colour: INVALID_VALUE',
    'mapping.fields.amount.type: INVALID_VALUE',
  ]);
  expect(answer.text).toContain('it has: amount, Kind, Buyer');
  const nothing = await send(manager, 'POST', path, {});
  expect(faults(nothing).sort()).toEqual([
    'contentRef: REQUIRED_FIELD',
    'fileName: REQUIRED_FIELD',
    'mapping: REQUIRED_FIELD',
  ]);
  const format = await send(manager, 'POST', path, await form(manager, GOOD, { fileName: 'orders.pdf' }));
  expect(faults(format)).toEqual(['fileName: INVALID_VALUE']);
  const missing = await start(manager, 'id,name\n1,One\n');
  await work();
  expect(await read(missing.id)).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('no row has "state"'),
  });
});
