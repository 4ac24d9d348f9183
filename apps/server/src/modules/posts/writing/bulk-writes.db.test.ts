/** Writes of many posts in one request: each post has the outcome of its own write. */
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { bulkLimits, FieldType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';

let portal: TestPortal;
let world: TestWorld;
let other: TestWorld;
const NEVER = 987_654_321;
const MANAGE = '/portal/api/external/v2/communication/posts/manage';

const open = () =>
  createTestWorld(portal, {
    workflow: () => ({
      title: 'Review',
      states: [
        { name: 'Open', initial: true },
        { name: 'Done', terminal: true },
      ],
      transitions: [
        { name: 'Finish', from: 'Open', to: 'Done', run: { byAuthor: true } },
        { name: 'Decide', from: 'Open', to: 'Done', screen: 'Verdict', run: { byAuthor: true } },
      ],
      screens: [{ name: 'Verdict', fields: [{ label: 'Reason', required: true }, { label: 'Note' }] }],
      screenFields: [
        { label: 'Reason', type: FieldType.STRING },
        { label: 'Note', type: FieldType.STRING },
      ],
    }),
    fields: [{ label: 'Number', type: FieldType.INT, required: false }],
  });

beforeAll(async () => {
  portal = await createTestPortal();
  world = await open();
  other = await open();
});
afterAll(() => portal?.close());

type Answer = Awaited<ReturnType<TestWorld['tenant']['request']>>;
const ask = (
  path: string,
  body: unknown,
  { as = world.people.author, headers = {}, dry = false } = {},
): Promise<Answer> => world.tenant.request(as, 'POST', `${MANAGE}/${path}${dry ? '?dryRun=true' : ''}`, body, headers);
const posts = (count: number, body: object = {}) =>
  Promise.all(Array.from({ length: count }, () => world.post(world.people.author, body)));
const title = async (postId: number) =>
  (
    await world.rows<{ title: string; version: number; deleted: boolean }>(
      'SELECT title, version, deleted_at IS NOT NULL AS deleted FROM posts WHERE tenant_id = $1 AND id = $2',
      [postId],
    )
  )[0]!;
const countOf = async (table: 'posts' | 'changes' | 'history_events') =>
  Number((await world.rows<{ count: string }>(`SELECT count(*) FROM ${table} WHERE tenant_id = $1`))[0]!.count);
const outcomes = ({ body }: Answer) =>
  body.items.map(({ outcome, error }: { outcome: string; error?: { code: string; field?: string } }) =>
    [outcome, error?.code, error?.field].filter(Boolean).join(' '),
  );
const field = () => String(world.fieldIds.get('Number'));
const fresh = (index: number, more: object = {}) => ({
  title: `Line ${index}`,
  description: 'd',
  descriptionFormat: 2,
  announcement: false,
  ...more,
});

describe('patchPosts', () => {
  test('gives each post the outcome of its own rules, and leaves those that are refused alone', async () => {
    const [plain, own, same, stale, invalid] = (await posts(5)) as [number, number, number, number, number];
    const foreign = await other.post(other.people.author);
    const hidden = await world.post(world.people.manager, { visibility: 1 });
    const theirs = await world.post(world.people.manager);
    const before = [await countOf('changes'), await countOf('history_events')] as const;
    const answer = await ask('patch-posts', {
      patch: { title: 'Patched', customData: { [field()]: 7 } },
      postIds: [plain, foreign, NEVER, hidden, theirs],
      posts: [
        { postId: own, occToken: 1, patch: { title: 'Its own', customData: { [field()]: null } } },
        { postId: same, patch: { title: 'A post', customData: { [field()]: null } } },
        { postId: stale, occToken: 99 },
        { postId: invalid, patch: { customData: { [field()]: 'many' } } },
      ],
    });
    expect(answer.status, answer.text).toBe(200);
    expect(outcomes(answer)).toEqual([
      'OK',
      'ERROR NOT_FOUND',
      'ERROR NOT_FOUND',
      'ERROR NOT_FOUND',
      'ERROR FORBIDDEN',
      'OK',
      'UNCHANGED',
      'ERROR CONFLICT_STALE_TOKEN',
      `ERROR VALIDATION_FAILED customData.${field()}`,
    ]);
    expect(answer.body).toMatchObject({ okCount: 2, unchangedCount: 1, errorCount: 6, notRunCount: 0 });
    const [, missing, never] = answer.body.items;
    expect({ ...missing, postId: 0 }).toEqual({ ...never, postId: 0 });
    expect(answer.body.items[7].error.currentOccToken).toBe(1);
    expect(answer.body.items[8].error.validationErrors.list[0]).toMatchObject({ customFieldId: Number(field()) });
    expect(await title(plain)).toMatchObject({ title: 'Patched', version: 2 });
    expect(await title(own)).toMatchObject({ title: 'Its own', version: 2 });
    for (const id of [same, stale, invalid]) expect(await title(id)).toMatchObject({ title: 'A post', version: 1 });
    expect([await countOf('changes'), await countOf('history_events')]).toEqual([before[0] + 2, before[1] + 2]);
  });

  test('answers a repeat with the same key as at first, and continues a request that broke off', async () => {
    const ids = (await posts(60)).sort((one, another) => one - another);
    const body = { postIds: [...ids, NEVER], patch: { title: 'Once' } };
    const headers = { 'Idempotency-Key': 'bulk-1' };
    const first = await ask('patch-posts', body, { headers });
    expect(first.body).toMatchObject({ okCount: 60, errorCount: 1 });
    const before = await countOf('history_events');
    expect((await ask('patch-posts', body, { headers })).body).toEqual(first.body);
    // As if the process had ended after some parts: their responses are kept, the rest is run.
    await world.rows(`UPDATE idempotency_keys SET response = NULL WHERE tenant_id = $1 AND key = 'bulk-1'`);
    await world.rows(`DELETE FROM idempotency_keys WHERE tenant_id = $1 AND key = $2`, ['bulk-1\n2']);
    const again = await ask('patch-posts', body, { headers });
    expect(outcomes(again).slice(0, 50)).toEqual(outcomes(first).slice(0, 50));
    expect(outcomes(again).slice(50)).toEqual([...Array(10).fill('UNCHANGED'), 'ERROR NOT_FOUND']);
    expect(await countOf('history_events')).toBe(before);
    expect((await ask('patch-posts', { ...body, patch: { title: null } }, { headers })).status).toBe(422);
  });

  test('says dry what it would do, and writes nothing', async () => {
    const ids = await posts(30);
    const body = { postIds: [...ids, NEVER], patch: { title: 'Dry' } };
    const before = [await countOf('changes'), await countOf('history_events')];
    const dry = await ask('patch-posts', body, { dry: true });
    const { dryRun, ...rest } = dry.body;
    expect(dryRun.changes.filter(({ entity }: { entity: string }) => entity === 'post')).toHaveLength(30);
    expect([await countOf('changes'), await countOf('history_events')]).toEqual(before);
    expect((await ask('patch-posts', body)).body).toEqual(rest);
  });

  test('loses nothing under simultaneous writes of the same posts in any order', async () => {
    const ids = await posts(40);
    const { author, manager } = world.people;
    const answers = await Promise.all(
      [author, manager, author].map((as, index) => {
        const body = {
          postIds: index === 1 ? [...ids].reverse() : ids,
          patch: { customData: { [field()]: index + 1 } },
        };
        return ask('patch-posts', body, { as });
      }),
    );
    for (const answer of answers) expect(answer.body, answer.text).toMatchObject({ okCount: 40 });
    const versions = await Promise.all(ids.map(async (id) => (await title(id)).version));
    expect(versions).toEqual(Array(40).fill(4));
  });
});

describe('transitionPosts', () => {
  const [FINISH, DECIDE] = [0, 1];
  const run = (index: number, body: object) =>
    ask('transition-posts', { workflowOperationId: world.workflow!.transitionIds[index]!, ...body });

  test('runs the transition where it may be run; a post that is there already is unchanged', async () => {
    const [one, done, stale] = (await posts(3)) as [number, number, number];
    const theirs = await world.post(world.people.manager);
    expect(outcomes(await run(FINISH, { postIds: [done] }))).toEqual(['OK']);
    const answer = await run(FINISH, {
      postIds: [one, done, theirs, NEVER],
      posts: [{ postId: stale, screenOccToken: 9 }],
    });
    expect(outcomes(answer)).toEqual([
      'OK',
      'UNCHANGED',
      'ERROR FORBIDDEN',
      'ERROR NOT_FOUND',
      'ERROR CONFLICT_STALE_TOKEN',
    ]);
    const unknown = await ask('transition-posts', {
      workflowOperationId: other.workflow!.transitionIds[0],
      postIds: [one],
    });
    expect(outcomes(unknown)).toEqual(['ERROR NOT_FOUND']);
  });

  test('takes the values of a screen for all, and needs what the screen demands of each', async () => {
    const [one, two] = (await posts(2)) as [number, number];
    const reason = world.workflow!.fields.get('Reason')!.id;
    expect(outcomes(await run(DECIDE, { postIds: [one] }))).toEqual([`ERROR VALIDATION_FAILED screenData.${reason}`]);
    expect(outcomes(await run(DECIDE, { postIds: [one, two], screenData: { [reason]: 'since' } }))).toEqual([
      'OK',
      'OK',
    ]);
    expect(outcomes(await run(FINISH, { postIds: await posts(1), screenData: { [reason]: 'x' } }))).toEqual(
      ['ERROR INVALID_VALUE screenData'].map(() => 'ERROR VALIDATION_FAILED screenData'),
    );
  });
});

describe('deletePosts', () => {
  test('deletes what the caller may delete', async () => {
    const [one, stale] = (await posts(2)) as [number, number];
    const theirs = await world.post(world.people.manager);
    const answer = await ask('delete-posts', { postIds: [one, theirs], posts: [{ postId: stale, occToken: 5 }] });
    expect(outcomes(answer)).toEqual(['OK', 'ERROR FORBIDDEN', 'ERROR CONFLICT_STALE_TOKEN']);
    expect((await title(one)).deleted).toBe(true);
    expect(outcomes(await ask('delete-posts', { postIds: [one] }))).toEqual(['ERROR NOT_FOUND']);
  });
});

describe('createPosts', () => {
  const NDJSON = { 'Content-Type': 'application/x-ndjson' };
  const create = (text: unknown, options: Parameters<typeof ask>[2] = {}) =>
    ask(`create-posts/${world.communityId}`, text, { ...options, headers: { ...NDJSON, ...options?.headers } });

  test('makes a post of each line that is right, and says of each other what is wrong', async () => {
    const before = await countOf('posts');
    const lines = [
      JSON.stringify(fresh(1, { clientUid: 'line-1' })),
      '',
      '{"title": ',
      '[]',
      JSON.stringify(fresh(5, { colour: 'red' })),
      JSON.stringify(fresh(6, { title: 'x'.repeat(1_001), clientUid: 'line-6' })),
      JSON.stringify(fresh(7, { clientUid: 'line-1' })),
      JSON.stringify(fresh(8, { announcement: true })),
      JSON.stringify(fresh(9, { description: 'x'.repeat(bulkLimits.lineBytes) })),
      JSON.stringify(fresh(10, { customData: { [field()]: null } })),
    ];
    const answer = await create(lines.join('\n'));
    expect(answer.status, answer.text).toBe(200);
    expect(outcomes(answer)).toEqual([
      'OK',
      'ERROR MALFORMED_JSON $',
      'ERROR VALIDATION_FAILED $',
      'ERROR VALIDATION_FAILED colour',
      'ERROR VALIDATION_FAILED title',
      'ERROR DUPLICATE_CLIENT_UID clientUid',
      'ERROR FORBIDDEN',
      'ERROR BODY_TOO_LARGE',
      'OK',
    ]);
    expect(answer.body.items.map(({ line }: { line: number }) => line)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(answer.body.items[4].clientUid).toBe('line-6');
    expect(await countOf('posts')).toBe(before + 2);
    // An existing post is found again by its clientUid, in the other form too.
    const again = await ask(`create-posts/${world.communityId}`, { posts: [fresh(1, { clientUid: 'line-1' })] });
    expect(again.body.items).toEqual([
      { line: 1, clientUid: 'line-1', outcome: 'UNCHANGED', postId: answer.body.items[0].postId, nextOccToken: 1 },
    ]);
  });

  test('keeps clientUids apart over parts, repeats harmlessly, and makes nothing dry', async () => {
    const before = await countOf('posts');
    const all = Array.from({ length: 250 }, (_, index) => fresh(index, { clientUid: `many-${index % 240}` }));
    const text = all.map((one) => JSON.stringify(one)).join('\n');
    const dry = await create(text, { dry: true });
    expect(dry.body).toMatchObject({ okCount: 240, errorCount: 10 });
    expect(dry.body.dryRun.changes).toHaveLength(240);
    expect(await countOf('posts')).toBe(before);
    const headers = { 'Idempotency-Key': 'lines-1' };
    const [one, two] = await Promise.all([create(text, { headers }), create(text, { headers })]);
    expect(one.body).toMatchObject({ okCount: 240, errorCount: 10 });
    expect(two.body).toEqual(one.body);
    expect(await countOf('posts')).toBe(before + 240);
    expect((await create(text)).body).toMatchObject({ unchangedCount: 240, errorCount: 10 });
    expect((await create(`${text}\n`, { headers: { 'Idempotency-Key': 'lines-1' } })).body).toEqual(one.body);
    expect((await create(JSON.stringify(fresh(1)), { headers })).status).toBe(422);
  });

  test('leaves room for the other accounts of the tenant while bodies are slow to come', async () => {
    const { author, contributor, manager } = world.people;
    /** Starts a request with an unfinished body, which holds its place until it is ended. */
    const hold = async (as: number) => {
      const sent = httpRequest(`${portal.origin}${MANAGE}/create-posts/${world.communityId}`, {
        method: 'POST',
        headers: { ...NDJSON, Host: world.tenant.host, Authorization: `Bearer ${await world.tenant.token(as)}` },
      });
      sent.write(`${JSON.stringify(fresh(1))}\n`.repeat(100));
      held.push(sent);
      return once(sent, 'response');
    };
    const held: ClientRequest[] = [];
    const before = await countOf('posts');
    const answers: Promise<IncomingMessage[]>[] = [];
    for (const as of [author, author, contributor, contributor]) {
      answers.push(hold(as));
      await expect.poll(() => countOf('posts')).toBe(before + answers.length * 100);
      if (answers.length === bulkLimits.ofAccount) {
        const refused = await ask('delete-posts', { postIds: [NEVER] }, { as: author });
        expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_AT_ONCE']);
        expect(refused.body.message).toContain('of this account');
        expect(refused.headers.get('retry-after')).toBe('5');
        expect((await ask('delete-posts', { postIds: [NEVER] }, { as: contributor })).status).toBe(200);
      }
    }
    const refused = await ask('delete-posts', { postIds: [NEVER] }, { as: manager });
    expect(refused.body.message).toContain('of this tenant');
    for (const sent of held) sent.end();
    for (const answer of answers) expect((await answer)[0]!.resume().statusCode).toBe(200);
    expect((await ask('delete-posts', { postIds: [NEVER] }, { as: author })).status).toBe(200);
  });

  test('is refused before anything is read, and beyond its limits', async () => {
    const line = JSON.stringify(fresh(1));
    expect((await create(line, { as: world.people.reader })).status).toBe(403);
    expect((await create(line, { as: world.people.outsider })).status).toBe(404);
    const many = await create('x\n'.repeat(bulkLimits.lines + 1));
    expect([many.status, many.body.validationErrors.list[0].code]).toEqual([400, 'TOO_MANY_ITEMS']);
    const elsewhere = await ask('patch-posts', line, { headers: NDJSON });
    expect(elsewhere.status).toBe(415);
  });
});
