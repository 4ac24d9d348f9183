/**
 * The built data against the product: the description, the lists and the details agree; posts
 * created again through the interface leave the same rows; and the same number of posts gives the
 * same rows.
 */
import { request as httpRequest } from 'node:http';
import { FieldType, FilterType } from '@portico/contract';
import { createTestDatabase, createTestPortal, type TestDatabase, type TestPortal } from '@portico/server/testing';
import { tables, tablesBelow } from '@portico/server/testing/dataset';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertionBody, type KeyFile, TOKEN_PATH } from '../sign-in.ts';
import { buildDataset } from './build.ts';
import type { Dataset, DatasetField } from './dataset.ts';
import { remakePost, rowsOf } from './remake-post.fixture.ts';
import { STREAM_START } from './timeline.ts';

const POSTS = 300;
/** Building and making again take a while on a busy machine. Milliseconds. */
const PATIENCE = 240_000;
const READ = '/portal/api/external/v2/communication/posts/data';

let portal: TestPortal;
let dataset: Dataset;
let owner: pg.Client;
let token: string;

const build = (database: TestDatabase, posts = POSTS) => {
  const { user, password, host, port } = database.owner;
  const login = password ? `${user}:${encodeURIComponent(String(password))}` : user;
  // The host may be the directory of a socket, which has no place before the path.
  const server = new URLSearchParams({ host: String(host), port: String(port) });
  const ownerUrl = `postgres://${login}@/${database.name}?${server}`;
  return buildDataset({ posts, ownerUrl, serviceRole: String(database.service.user), indexMemory: '64MB' });
};

/** Sends a request as a client of the tenant; `fetch` does not allow a Host header. */
function send(host: string, bearer: string | undefined, method: string, path: string, body?: unknown) {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: any }>();
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const headers = {
    Host: host,
    ...(bearer && { Authorization: `Bearer ${bearer}` }),
    ...(text !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
  };
  const outgoing = httpRequest(`${portal.origin}${path}`, { method, headers }, (incoming) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const answer = Buffer.concat(chunks).toString();
      resolve({ status: incoming.statusCode ?? 0, body: answer === '' ? undefined : JSON.parse(answer) });
    });
  });
  outgoing.on('error', reject);
  outgoing.end(text);
  return promise;
}

const signIn = async (host: string, key: KeyFile) =>
  (await send(host, undefined, 'POST', TOKEN_PATH, assertionBody(key))).body.accessToken as string;
const read = async (method: string, path: string, body?: unknown) => {
  const answer = await send(dataset.tenant.host, token, method, `${READ}${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const total = async (filters: object) =>
  (
    await read('POST', `/list/community/${dataset.community.id}`, {
      ...filters,
      pageSize: 1,
      calculateTotalItemsCount: true,
    })
  ).totalItemsCount as number;
const fieldTotal = (field: DatasetField, typeId: FilterType, ...parameters: unknown[]) =>
  total({ postFieldFilters: [{ columnId: field.id, typeId, parameters }] });

beforeAll(async () => {
  portal = await createTestPortal({});
  dataset = await build(portal.database);
  owner = portal.owner;
  token = await signIn(dataset.tenant.host, dataset.people.manager.key);
}, PATIENCE);
afterAll(() => portal?.close());

const fieldOf = (type: FieldType) => dataset.community.fields.find((field) => field.type === type && field.searchable)!;

/** Ids of all live posts in an order, page by page, with their custom data as shown. */
// biome-ignore lint/suspicious/noExplicitAny: items are read as they came
async function everyPost(body: object = {}): Promise<any[]> {
  const items = [];
  let pageToken: string | undefined;
  do {
    const page = await read('POST', `/list/community/${dataset.community.id}?loadPostDetails=true`, {
      pageSize: 100,
      pinnedFirst: false,
      ...body,
      ...(pageToken && { pageToken }),
    });
    items.push(...page.items);
    pageToken = page.nextPageToken;
  } while (pageToken);
  return items;
}

describe('a description', () => {
  test('counts posts, states, hashtags and authors as lists do', async () => {
    const { community } = dataset;
    expect(community.counts.posts).toBe(POSTS);
    expect(await total({})).toBe(community.counts.live);
    expect(await total({ visibility: 1 })).toBe(community.counts.private);
    for (const state of community.states)
      expect(await total({ currentWorkflowStatusIds: [state.id] })).toBe(state.count);
    for (const tag of community.hashtags.slice(0, 5)) expect(await total({ hashtagIds: [tag.id] })).toBe(tag.count);
    for (const user of community.creators.slice(0, 5))
      expect(await total({ createdByUserIds: [user.id] })).toBe(user.count);
    for (const { word, count } of Object.values(community.words)) {
      // The list finds words with this beginning; the description counts any place in a text.
      const found = await total({ containsText: word });
      expect(found).toBeGreaterThan(0);
      expect(found).toBeLessThanOrEqual(count);
    }
  });

  test('counts values of fields as filters do', async () => {
    for (const field of dataset.community.fields.filter((one) => one.searchable)) {
      expect(await fieldTotal(field, FilterType.IS_EMPTY), field.name).toBe(field.empty);
      const operator = field.type === FieldType.FLAG ? FilterType.EQUAL : FilterType.IN;
      for (const { id, count } of field.values?.slice(0, 3) ?? []) {
        const parameter = field.type === FieldType.FLAG ? id === 1 : id;
        expect(await fieldTotal(field, operator, parameter), field.name).toBe(count);
      }
      if (field.range) {
        expect(await fieldTotal(field, FilterType.INTERVAL, field.range.min, field.range.max)).toBe(field.filled);
        if (field.type !== FieldType.DATE && field.type !== FieldType.DATETIME)
          expect(await fieldTotal(field, FilterType.IN, field.common!.id)).toBe(field.common!.count);
      }
      for (const { word, count } of Object.values(field.words ?? {}))
        expect(await fieldTotal(field, FilterType.LIKE, word), field.name).toBe(count);
      if (field.exact !== undefined) expect(await fieldTotal(field, FilterType.EQUAL, field.exact)).toBeGreaterThan(0);
    }
  });

  test('names people who see what their roles say', async () => {
    const { contributor, reader, outsider } = dataset.people;
    const path = `${READ}/list/community/${dataset.community.id}`;
    const body = { pageSize: 1, calculateTotalItemsCount: true };
    const { live, private: hidden } = dataset.community.counts;
    for (const person of [contributor, reader]) {
      const { host } = dataset.tenant;
      const { body: answer } = await send(host, await signIn(host, person.key), 'POST', path, body);
      expect(answer.totalItemsCount).toBeGreaterThanOrEqual(live - hidden);
      expect(answer.totalItemsCount).toBeLessThan(live);
    }
    const { host } = dataset.tenant;
    expect((await send(host, await signIn(host, outsider.key), 'POST', path, body)).status).toBe(404);
    for (const { host: small, key, communityId } of dataset.smallTenants) {
      const list = `${READ}/list/community/${communityId}`;
      const { body: answer } = await send(small, await signIn(small, key), 'POST', list, body);
      expect(answer.totalItemsCount).toBeGreaterThan(0);
    }
  });
});

describe('details and lists', () => {
  test('values of details are what filters and orders go by', async () => {
    const posts = await everyPost();
    expect(posts).toHaveLength(dataset.community.counts.live);
    const quantity = dataset.community.fields.find((field) => field.name === 'Quantity')!;
    const held = posts.flatMap((post) => post.customData?.[quantity.id] ?? []);
    expect(held).toHaveLength(quantity.filled);
    const middle = held.toSorted((a, b) => a - b)[held.length >> 1];
    const upTo = held.filter((value) => value <= middle).length;
    expect(await fieldTotal(quantity, FilterType.INTERVAL, 0, middle)).toBe(upTo);
    const ordered = await everyPost({ orderBy: `postCustomField-${quantity.id}`, orderDesc: false });
    expect(ordered.flatMap((post) => post.customData?.[quantity.id] ?? [])).toEqual(held.toSorted((a, b) => a - b));
    const newest = await everyPost({ orderBy: 'postCreationTimestamp', orderDesc: true });
    const times = newest.map((post) => post.creationTimestamp);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  test('comments are as many as the post says', async () => {
    const { id, comments } = dataset.community.specialPosts.manyComments;
    const { totalItemsCount } = await read('POST', `/comments-list/${id}`, { calculateTotalItemsCount: true });
    expect(totalItemsCount).toBe(comments);
  });

  test('the stream goes on from an old and from a recent position', async () => {
    const { old, recent } = dataset.stream.tokens.manager;
    const changed = async (syncToken: string) => {
      const ids = new Set<number>();
      let pageToken: string | undefined;
      do {
        const query = new URLSearchParams({ syncToken, ...(pageToken && { pageToken }) });
        const page = await read('POST', `/global-stream?${query}`);
        for (const item of page.items) ids.add(item.id);
        pageToken = page.nextPageToken;
      } while (pageToken);
      return ids;
    };
    const [many, few] = [await changed(old), await changed(recent)];
    expect(few.size).toBeGreaterThan(0);
    expect(many.size).toBeGreaterThan(few.size);
    for (const id of few) expect(many).toContain(id);
  });
});

test('posts made again through the interface leave the same rows', { timeout: PATIENCE }, async () => {
  const { community, tenant } = dataset;
  const tokens = new Map<number, string>();
  const as = async (userId: number, method: string, path: string, body: unknown) => {
    if (!tokens.has(userId)) tokens.set(userId, await portalToken(userId));
    const answer = await send(tenant.host, tokens.get(userId), method, path, body);
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body;
  };
  const { rows } = await owner.query<{ id: string; remembered: boolean }>(
    `SELECT p.id, p.created_at > to_timestamp($4) AS remembered FROM posts p
      WHERE p.tenant_id = $1 AND p.community_id = $2 AND p.attachments_count = 0 AND NOT p.custom_data ? $3 AND NOT p.pinned
        AND p.comments_count < 8 AND NOT EXISTS (SELECT FROM post_watchers w WHERE w.tenant_id = $1 AND w.post_id = p.id AND w.principal < 0)
        AND NOT EXISTS (SELECT FROM post_user_state s WHERE s.tenant_id = $1 AND s.post_id = p.id AND s.viewed_at IS NOT NULL
              AND (s.user_id <> p.creator_id OR s.views_count > 1))
      ORDER BY p.id DESC LIMIT 35`,
    [tenant.id, community.id, String(fieldOf(FieldType.LINK).id), STREAM_START / 1000],
  );
  let compared = 0;
  for (const { id, remembered } of rows) {
    const remade = await remakePost(owner, dataset, Number(id), as);
    if (remade === undefined) continue;
    const [made, built] = [await rowsOf(owner, tenant.id, remade), await rowsOf(owner, tenant.id, Number(id))];
    // The stream has forgotten the changes of older posts.
    if (!remembered) built['changes'] = made['changes']!;
    expect(made, `post ${id}`).toEqual(built);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(20);
});

async function portalToken(userId: number): Promise<string> {
  const { tenantScope } = await import('@portico/server/testing/dataset');
  const { services } = portal;
  const { id, name, host } = dataset.tenant;
  const scope = await tenantScope(services, { id, name, displayName: name }, `http://${host}`);
  return services.tokens.issue(scope, { userId, keyId: null, sessionVersion: 1 });
}

test('the same number of posts gives the same rows', { timeout: PATIENCE }, async () => {
  const other = await createTestDatabase();
  const first = await createTestDatabase();
  try {
    const digests = [];
    for (const database of [first, other]) {
      await build(database, 100);
      const client = new pg.Client(database.owner);
      await client.connect();
      const digest: Record<string, string> = {};
      for (const table of [
        'posts',
        ...tablesBelow(tables, 'posts').map(({ name }) => name),
        'fields',
        'group_members',
        'community_roles',
      ]) {
        const { rows } = await client.query(
          `SELECT md5(string_agg(md5(t::text), '' ORDER BY t::text)) AS digest FROM ${table} t`,
        );
        digest[table] = rows[0].digest;
      }
      await client.end();
      digests.push(digest);
    }
    expect(digests[0]).toEqual(digests[1]);
  } finally {
    await other.drop();
    await first.drop();
  }
});

test('indexes, keys and settings of tables are as the migrations made them', async () => {
  const untouched = await createTestDatabase();
  const client = new pg.Client(untouched.owner);
  await client.connect();
  try {
    const schemaOf = async (of: pg.Client) =>
      (
        await of.query(
          `SELECT c.relname, c.relkind, c.reloptions, pg_get_indexdef(i.indexrelid) AS index, k.conname, pg_get_constraintdef(k.oid) AS key
             FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid LEFT JOIN pg_constraint k ON k.conindid = c.oid AND k.contype = 'p'
            WHERE c.relnamespace = 'public'::regnamespace ORDER BY c.relname`,
        )
      ).rows;
    expect(await schemaOf(owner)).toEqual(await schemaOf(client));
  } finally {
    await client.end();
    await untouched.drop();
  }
});
