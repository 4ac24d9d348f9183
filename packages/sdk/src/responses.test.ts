import { afterEach, describe, expect, it } from 'vitest';
import { ConfigurationError, FieldType, PorticoClient, ServerError, ValidationError } from './node.ts';
import { type ScriptedAnswer, type SeenRequest, startWireServer, type WireServer } from './testing/wire-server.ts';

const servers: WireServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function portal(answer?: (request: SeenRequest) => ScriptedAnswer | undefined, retries = 0) {
  const server = await startWireServer(answer);
  servers.push(server);
  const client = new PorticoClient({ baseUrl: server.origin, credentials: { accessToken: 'x' }, retries });
  return { client, server };
}

describe('responses', () => {
  it('have the request id and the rate limits, also without a body', async () => {
    const headers = {
      'RateLimit-Policy': '"account";q=600;w=60, "tenant";q=9000;w=60',
      RateLimit: '"account";r=599;t=42, "tenant";r=12;t=3',
    };
    const { client } = await portal(() => ({ headers, body: '' }));
    const { data, status, requestId, rateLimits } = await client.posts
      .updateWatchers({ postId: 1, addWatcherUserIds: [2] })
      .withResponse();
    expect([data, status, requestId]).toEqual([undefined, 200, 'r-1']);
    expect(rateLimits).toEqual([
      { name: 'account', limit: 600, remaining: 599, resetSeconds: 42, windowSeconds: 60 },
      { name: 'tenant', limit: 9000, remaining: 12, resetSeconds: 3, windowSeconds: 60 },
    ]);
  });

  it('fail once, by whichever way they are awaited', async () => {
    const { client } = await portal(() => ({ status: 503, body: {} }));
    await expect(client.posts.get({ postId: 1 }).withResponse()).rejects.toBeInstanceOf(ServerError);
    await expect(client.posts.get({ postId: 1 })).rejects.toBeInstanceOf(ServerError);
    const items = async () => {
      for await (const _ of client.posts.list({ communityId: 1 })) expect.unreachable();
    };
    await expect(items()).rejects.toBeInstanceOf(ServerError);
  });

  it('of a list are a page when awaited and all items when iterated, with one request for each page', async () => {
    const { client, server } = await portal(({ body }) =>
      body.pageToken === undefined
        ? { body: { items: [{ id: 1 }, { id: 2 }], nextPageToken: 'next' } }
        : { body: { items: [{ id: 3 }] } },
    );
    const page = await client.posts.list({ communityId: 1 });
    expect(page.items?.map(({ id }) => id)).toEqual([1, 2]);
    expect(server.requests).toHaveLength(1);
    const ids: unknown[] = [];
    for await (const { id } of client.posts.list({ communityId: 1 })) ids.push(id);
    expect(ids).toEqual([1, 2, 3]);
    expect(server.requests).toHaveLength(3);
  });
});

describe('writes', () => {
  it('are repeated with the key of the first attempt', async () => {
    let failures = 0;
    const { client, server } = await portal(() => (failures++ === 0 ? { status: 503, body: {} } : undefined), 2);
    await client.comments.create({ postId: 1, comment: 'x' });
    await client.comments.create({ postId: 1, comment: 'x' });
    const [first, second, other] = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
    expect(other).not.toBe(first);
  });

  it('are not repeated if their response shows a secret once', async () => {
    const { client, server } = await portal(() => ({ status: 503, body: {} }), 2);
    await expect(client.serviceAccounts.createKey({ serviceAccountId: 1 })).rejects.toBeInstanceOf(ServerError);
    expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined]);
  });
});

describe('wrong inputs', () => {
  it('are refused with the nearest name, before anything is sent', async () => {
    const { client, server } = await portal();
    const wrong = client.posts as unknown as Record<string, (input: object) => Promise<unknown>>;
    for (const [call, near] of [
      [wrong['get']?.({ postID: 1 }), 'postId'],
      [wrong['create']?.({ communityId: 1, titel: 'x' }), 'title'],
      [wrong['list']?.({ communityId: 1, pagesize: 1 }), 'pageSize'],
    ] as const) {
      const error = await call?.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ConfigurationError);
      expect((error as Error).message).toContain(`did you mean "${near}"?`);
    }
    expect(server.requests).toEqual([]);
  });

  it('are named once by a refusal', async () => {
    const fault = { code: 'INVALID_TYPE', field: 'postId', defaultMessage: 'postId must be of type integer.' };
    const body = { message: 'postId must be of type integer.', validationErrors: { list: [fault] } };
    const { client } = await portal(() => ({ status: 400, body }));
    const error = await client.posts.get({ postId: 'x' as never }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as Error).message).toBe('getPostDetailById: 400 postId must be of type integer.');
  });
});

describe('texts', () => {
  it('are plain unless they are deltas or say their format', async () => {
    const { client, server } = await portal();
    const delta = '[{"insert":"x\\n"}]';
    await client.posts.create({ communityId: 1, title: 'x', description: 'First draft.' });
    await client.posts.create({ communityId: 1, title: 'x', description: delta });
    await client.posts.create({ communityId: 1, title: 'x', description: 'x', descriptionFormat: 1 });
    await client.comments.create({ postId: 1, comment: '[draft]' });
    const formats = server.requests.map(({ body }) => body.descriptionFormat ?? body.commentFormat);
    expect(formats).toEqual([2, undefined, 1, 2]);
  });
});

describe('labels', () => {
  it('are resolved in bulk, with Date and bigint', async () => {
    const fieldDefinitions = [
      { id: 78, label: 'Code', type: FieldType.STRING },
      { id: 80, label: 'Due', type: FieldType.DATETIME },
    ];
    const { client, server } = await portal(({ path }) =>
      path.includes('/post-definition') ? { body: { fieldDefinitions } } : { body: { items: [{ outcome: 'OK' }] } },
    );
    const customData = { Code: 'A-1', 80: new Date(86_400_000) };
    await client.posts.createMany({ communityId: 1, posts: [{ title: 'x', customData }] });
    for await (const { outcome } of client.posts.createAll(1, [{ title: 'x', customData }])) expect(outcome).toBe('OK');
    const writes = server.requests.filter(({ method }) => method === 'POST');
    expect(writes[0]?.body.posts[0].customData).toEqual({ 78: 'A-1', 80: 86_400_000 });
    expect(JSON.parse(writes[1]?.text ?? '').customData).toEqual({ 78: 'A-1', 80: 86_400_000 });
  });
});
