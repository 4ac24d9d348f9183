import { createVerify, generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import type { ClientOptions } from './client-options.ts';
import {
  AuthenticationError,
  ConfigurationError,
  ConflictError,
  MemoryTokenCache,
  NetworkError,
  NotFoundError,
  PermissionError,
  PorticoClient,
  type PorticoClientError,
  RateLimitedError,
  ResponseError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './node.ts';
import {
  accessToken,
  prefix,
  type ScriptedAnswer,
  type SeenRequest,
  startWireServer,
  type WireServer,
} from './testing/wire-server.ts';
import { version } from './version.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const key = { type: 'service_account', private_key_id: 7, private_key: privateKey, client_id: -4 };

const servers: WireServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function portal(
  answer?: (request: SeenRequest, count: number) => ScriptedAnswer | undefined,
  options: Partial<ClientOptions> = {},
): Promise<{ server: WireServer; client: PorticoClient }> {
  const server = await startWireServer(answer);
  servers.push(server);
  const client = new PorticoClient({ baseUrl: server.origin, credentials: { serviceAccount: key }, ...options });
  return { server, client };
}

const isSignIn = ({ path }: SeenRequest) => path.includes('create-access-token');

describe('signing in', () => {
  it('signs the assertion of a service account as the specification says', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { server, client } = await portal(undefined, { audience: 'vendor/portal-authenticator' });
    await client.auth.currentUser();
    const [signIn] = server.signIns();
    expect(signIn?.path).toBe(`${prefix}/core/auth/create-access-token-by-service-account`);
    expect(signIn?.headers.authorization).toBeUndefined();
    const jwtAssertion = String(signIn?.body.jwtAssertion);
    const [header, claims, signature] = jwtAssertion.split('.') as [string, string, string];
    const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(decode(header)).toEqual({ alg: 'RS512', typ: 'JWT', kid: 7 });
    const { jti, iat, exp, ...rest } = decode(claims);
    expect(rest).toEqual({ aud: 'vendor/portal-authenticator', iss: -4 });
    expect(jti).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(exp - iat).toBe(300);
    expect(iat).toBeGreaterThanOrEqual(before);
    const verify = createVerify('RSA-SHA512').update(`${header}.${claims}`);
    expect(verify.verify(publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  it.each([
    ['absent', { ...key, type: undefined }],
    ['another one', { ...key, type: 'authorized_user' }],
    ['null', { ...key, type: null }],
  ])('refuses a key whose type is %s, before it asks anything', async (_, serviceAccount) => {
    const { server, client } = await portal(undefined, {
      credentials: { serviceAccount: serviceAccount as typeof key },
    });
    await expect(client.auth.currentUser()).rejects.toThrow(/type must be service_account/);
    expect(server.requests).toEqual([]);
  });

  it('uses a token again, and one sign-in for many calls at once', async () => {
    const { server, client } = await portal();
    await Promise.all([client.auth.currentUser(), client.auth.currentUser(), client.communities.list()]);
    await client.auth.currentUser();
    expect(server.signIns()).toHaveLength(1);
    expect(new Set(server.calls().map(({ headers }) => headers.authorization)).size).toBe(1);
  });

  it('takes a token until 60 seconds before its end', async () => {
    let lifetime = 59;
    const { server, client } = await portal((request) =>
      isSignIn(request) ? { body: { accessToken: accessToken(lifetime) } } : undefined,
    );
    await client.auth.currentUser();
    lifetime = 63;
    await client.auth.currentUser();
    await client.auth.currentUser();
    expect(server.signIns()).toHaveLength(2);
  });

  it('drops the token on a 401 and does not repeat the request; the next one signs in again', async () => {
    let refuse = true;
    const { server, client } = await portal((request) =>
      !isSignIn(request) && refuse
        ? { status: 401, headers: { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' }, body: { code: 'INVALID_AUTH_TOKEN' } }
        : undefined,
    );
    await expect(client.auth.currentUser()).rejects.toBeInstanceOf(AuthenticationError);
    expect(server.calls()).toHaveLength(1);
    refuse = false;
    await client.auth.currentUser();
    expect(server.signIns()).toHaveLength(2);
    expect(server.calls()[1]?.headers.authorization).not.toBe(server.calls()[0]?.headers.authorization);
  });

  it('never takes a token for another base address', async () => {
    const tokenCache = new MemoryTokenCache();
    const first = await portal(undefined, { tokenCache });
    const second = await portal(undefined, { tokenCache });
    await first.client.auth.currentUser();
    await second.client.auth.currentUser();
    expect(second.server.signIns()).toHaveLength(1);
    await expect(second.client.request('GET', '@other.example/x')).resolves.toBeDefined();
    expect(second.server.calls().at(-1)?.path).toBe(`${prefix}/@other.example/x`);
  });

  it('exchanges a token of the identity provider below the plain prefix, a fresh one from a function each time', async () => {
    let given = 0;
    const { server, client } = await portal(
      (request) => (isSignIn(request) ? { body: { access_token: accessToken(30) } } : undefined),
      { credentials: { providerToken: async () => `provider-${++given}` } },
    );
    await client.auth.currentUser();
    await client.auth.currentUser();
    expect(server.signIns().map(({ path, body }) => [path, body])).toEqual([
      [
        '/portal/api/core/auth/create-access-token-by-google-oauth2-access-token-credentials',
        { googleOAuth2Token: 'provider-1' },
      ],
      [
        '/portal/api/core/auth/create-access-token-by-google-oauth2-access-token-credentials',
        { googleOAuth2Token: 'provider-2' },
      ],
    ]);
  });

  it('signs a person in with a password, for this client only', async () => {
    const tokenCache = new MemoryTokenCache();
    const { server, client } = await portal(undefined, {
      credentials: { username: 'ada', password: 'a password of hers' },
      tokenCache,
    });
    await client.auth.currentUser();
    await client.auth.currentUser();
    expect(server.signIns().map(({ path, body }) => [path, body])).toEqual([
      [`${prefix}/core/auth/create-access-token-by-credentials`, { username: 'ada', password: 'a password of hers' }],
    ]);
    const wrong = new PorticoClient({
      baseUrl: server.origin,
      credentials: { username: 'ada', password: 'wrong' },
      tokenCache,
    });
    await wrong.auth.currentUser();
    expect(server.signIns()).toHaveLength(2);
  });

  it('sends no token where a session signs in, and ends the session to sign out', async () => {
    const { server, client } = await portal(undefined, { credentials: 'session' });
    await client.auth.currentUser();
    await client.signOut();
    expect(server.requests.map(({ method, path }) => [method, path])).toEqual([
      ['GET', `${prefix}/core/auth/current-user-data`],
      ['POST', `${prefix}/core/auth/end-session`],
    ]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
    await expect(client.accessToken()).rejects.toBeInstanceOf(ConfigurationError);
  });

  it('uses a static token as it is, and not again after a 401', async () => {
    const { server, client } = await portal(() => ({ status: 401, body: {} }), {
      credentials: { accessToken: 'opaque' },
    });
    await expect(client.auth.currentUser()).rejects.toBeInstanceOf(AuthenticationError);
    await expect(client.auth.currentUser()).rejects.toBeInstanceOf(AuthenticationError);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer opaque');
  });

  it.each([
    ['opaque'],
    [
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"exp":9999999999}').toString('base64url')}.x`,
    ],
    [''],
  ])('refuses a token that is no readable JWT (%s)', async (token) => {
    const { client, server } = await portal((request) =>
      isSignIn(request) ? { body: { accessToken: token } } : undefined,
    );
    await expect(client.auth.currentUser()).rejects.toBeInstanceOf(AuthenticationError);
    expect(server.calls()).toHaveLength(0);
  });
});

describe('requests', () => {
  it('follows no redirect, and sends its token nowhere else', async () => {
    const elsewhere = await startWireServer();
    servers.push(elsewhere);
    const { client } = await portal((request) =>
      isSignIn(request) ? undefined : { status: 302, headers: { Location: `${elsewhere.origin}/stolen` } },
    );
    const error = await client.auth.currentUser().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ResponseError);
    expect((error as ResponseError).status).toBe(302);
    expect(elsewhere.requests).toHaveLength(0);
  });

  it('puts path, query and body where the contract wants them', async () => {
    const { server, client } = await portal();
    await client.posts.list({ communityId: 3, loadCapabilities: true, pageSize: 5, title: 'x', pageToken: undefined });
    await client.posts.getByClientUid({ clientUid: 'a/b ü' });
    await client.posts.delete({ postId: 9, dryRun: true }, { idempotencyKey: 'k' });
    await client.changes.page({ syncToken: 's' });
    const [list, uid, remove, stream] = server.calls();
    expect(list?.path).toBe(`${prefix}/communication/posts/data/list/community/3`);
    expect(list?.query.toString()).toBe('loadCapabilities=true');
    expect(list?.body).toEqual({
      pageSize: 5,
      title: 'x',
      orderBy: 'postLastModifyAndCommentTimestamp',
      orderDesc: true,
    });
    expect(uid?.path).toBe(`${prefix}/communication/posts/data/post-detail-by-client-uid/a%2Fb%20%C3%BC`);
    expect(remove?.method).toBe('DELETE');
    expect(remove?.query.get('dryRun')).toBe('true');
    expect(remove?.headers['idempotency-key']).toBe('k');
    expect(remove?.headers['content-type']).toBeUndefined();
    expect(stream?.query.get('syncToken')).toBe('s');
  });

  it.each([
    ['portal.example.org', 'https://portal.example.org'],
    [' https://portal.example.org/ ', 'https://portal.example.org'],
    ['http://127.0.0.1:8080/base//', 'http://127.0.0.1:8080/base'],
  ])('takes %j as base address', (given, wanted) => {
    expect(new PorticoClient({ baseUrl: given, credentials: { accessToken: 'x' } }).baseUrl).toBe(wanted);
  });

  it('asks for the version that it is told, in the number of the path', async () => {
    const { server, client } = await portal(undefined, { apiVersion: 3, credentials: { accessToken: accessToken() } });
    await client.auth.currentUser();
    expect(server.calls()[0]?.path).toBe('/portal/api/external/v3/core/auth/current-user-data');
    const root = (options: Partial<ClientOptions>) =>
      new PorticoClient({ baseUrl: 'https://portal.example', credentials: { accessToken: 'a.b.c' }, ...options })
        .apiRoot;
    expect(root({ apiVersion: 2 })).toBe('https://portal.example/portal/api/external/v2');
    expect(root({ apiPath: '/api/external/v2', apiVersion: 2 })).toBe('https://portal.example/api/external/v2');
    expect(root({ apiPath: '/portal/api', apiVersion: 2 })).toBe('https://portal.example/portal/api');
    expect(() => root({ apiPath: '/api/external/v2', apiVersion: 3 })).toThrow(ConfigurationError);
    for (const wrong of [0, -2, 2.5, '2'])
      expect(() => root({ apiVersion: wrong as number })).toThrow(ConfigurationError);
  });

  it('always says in which order posts are listed, and users only when asked to', async () => {
    const { server, client } = await portal();
    await client.posts.list({ communityId: 5, title: 'x' });
    await client.posts.list({ communityId: 5, orderBy: 'postTitle', orderDesc: false });
    for await (const _ of client.posts.iterate({ communityId: 5, orderBy: undefined as never }))
      expect(_).toBeDefined();
    // An order that the types do not know goes to the server, which refuses it.
    await client.users.list({ orderTypeId: 'shoeSize' });
    await client.groups.list({ orderTypeId: 'colour', orderDesc: false });
    expect(server.calls().map(({ body }) => body)).toEqual([
      { orderBy: 'postLastModifyAndCommentTimestamp', orderDesc: true, title: 'x' },
      { orderBy: 'postTitle', orderDesc: false },
      { orderBy: 'postLastModifyAndCommentTimestamp', orderDesc: true },
      { orderTypeId: 'shoeSize' },
      { orderTypeId: 'colour', orderDesc: false },
    ]);
  });

  it('repeats reads with a pause', async () => {
    let failures = 0;
    const flaky = (request: SeenRequest): ScriptedAnswer | undefined => {
      if (isSignIn(request) || failures >= 2) return undefined;
      failures++;
      return failures === 1 ? { cut: true } : { status: 503, body: {} };
    };
    const retried: number[] = [];
    const { server, client } = await portal(flaky, { hooks: { onRetry: ({ attempt }) => retried.push(attempt) } });
    await client.posts.get({ postId: 1 });
    expect(server.calls()).toHaveLength(3);
    expect(retried).toEqual([1, 2]);
  });

  it('waits as long as a 429 asks', async () => {
    let first = true;
    const flaky = (request: SeenRequest): ScriptedAnswer | undefined => {
      if (isSignIn(request) || !first) return undefined;
      first = false;
      return { status: 429, headers: { 'Retry-After': '1' }, body: {} };
    };
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const { server, client } = await portal(flaky);
    await client.posts.get({ postId: 1 });
    expect(server.calls()).toHaveLength(2);
    expect(timers.mock.calls.map(([, delayMs]) => delayMs)).toContain(1_000);
    timers.mockRestore();
  });

  it('asks no sooner than it is told, and does not wait for what takes minutes', async () => {
    for (const [status, header] of [
      [429, '3600'],
      [503, new Date(Date.now() + 3_600_000).toUTCString()],
    ] as const) {
      const { client, server } = await portal((request) =>
        isSignIn(request) ? undefined : { status, headers: { 'Retry-After': header }, body: {} },
      );
      const error = await client.posts.get({ postId: 1 }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(status === 429 ? RateLimitedError : ServerError);
      const { retryAfterSeconds } = error as RateLimitedError;
      expect(Math.abs((retryAfterSeconds as number) - 3600)).toBeLessThan(60);
      expect(server.calls()).toHaveLength(1);
    }
  });

  it('lets one caller give up while others wait for the same sign-in', async () => {
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { client } = await portal(undefined, {
      credentials: {
        providerToken: async () => {
          await held;
          return 'late';
        },
      },
    });
    const controller = new AbortController();
    const given = client.auth.currentUser({}, { signal: controller.signal });
    const other = client.auth.currentUser();
    controller.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    release?.();
    await expect(other).resolves.toEqual({});
  });

  it('works with a server that answers little, and with one that answers more than is known', async () => {
    const { client } = await portal();
    const none: unknown[] = [];
    for await (const post of client.posts.iterate({ communityId: 1 })) none.push(post);
    for await (const item of client.changes.follow({ once: true })) none.push(item);
    expect(none).toEqual([]);
    expect(await client.definition(1)).toEqual({});
    await expect(client.posts.list({ communityId: 1, where: { Status: 'x' } })).rejects.toThrow('no field "Status"');
    await expect(client.files.upload(new Blob(['x']))).rejects.toThrow('no address to upload to');
    const more = { items: [{ id: 1, title: null, colour: { of: 'tomorrow' } }], nextPageToken: null, hint: [1] };
    const { client: other } = await portal((request) => (isSignIn(request) ? undefined : { body: more }));
    expect(await other.posts.list({ communityId: 1 })).toEqual(more);
    for await (const post of other.posts.iterate({ communityId: 1 })) none.push(post);
    expect(none).toEqual(more.items);
  });

  it('gives up in time, and when the caller says so', async () => {
    let hang = false;
    const { client, server } = await portal(() => (hang ? { hang } : undefined), { retries: 0 });
    // The sign-in counts towards the time, too.
    await client.auth.currentUser();
    hang = true;
    const error = await client.posts.get({ postId: 1 }, { timeoutMs: 100 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(NetworkError);
    expect((error as PorticoClientError).operation).toBe('getPostDetailById');
    const controller = new AbortController();
    const pending = client.posts.get({ postId: 2 }, { signal: controller.signal });
    pending.catch(() => undefined);
    await expect.poll(() => server.calls().some(({ path }) => path.endsWith('/2'))).toBe(true);
    controller.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
  });

  it('signs in once more, with another assertion, where the connection broke', async () => {
    const { client, server } = await portal((request, count) =>
      isSignIn(request) && count === 1 ? { cut: true } : undefined,
    );
    await client.auth.currentUser();
    const assertions = server.signIns().map(({ body }) => body.jwtAssertion);
    expect(new Set(assertions).size).toBe(2);
  });

  it('says which host does not answer', async () => {
    const client = new PorticoClient({ baseUrl: 'http://127.0.0.1:1', credentials: { accessToken: 'x' }, retries: 0 });
    await expect(client.auth.currentUser()).rejects.toBeInstanceOf(NetworkError);
  });

  it.each([
    [400, ValidationError],
    [401, AuthenticationError],
    [403, PermissionError],
    [404, NotFoundError],
    [409, ConflictError],
    [429, RateLimitedError],
    [500, ServerError],
    [418, ResponseError],
  ])('turns %i into its class', async (status, wanted) => {
    const body = {
      code: 'SOME_CODE',
      message: 'Said so.',
      requestId: 'r-2',
      currentOccToken: 12,
      changedAt: 5,
      changedBy: { id: 3, firstName: 'Ada' },
      validationErrors: { list: [{ code: 'REQUIRED_FIELD', field: 'title', defaultMessage: 'send a value' }] },
    };
    const { client } = await portal((request) => (isSignIn(request) ? undefined : { status, body }), { retries: 0 });
    const error = (await client.posts.get({ postId: 1 }).catch((reason: unknown) => reason)) as ResponseError;
    expect(error).toBeInstanceOf(wanted);
    expect(error.name).toBe(wanted.name);
    expect(error).toMatchObject({ status, code: 'SOME_CODE', requestId: 'r-1', operation: 'getPostDetailById' });
    if (error instanceof ValidationError) expect(error.errors).toEqual(body.validationErrors.list);
    if (error instanceof ConflictError) expect(error).toMatchObject({ currentOccToken: 12, changedAt: 5 });
  });

  it('says each fault once, whether or not the message of the answer names it', async () => {
    const list = ['title', 'state'].map((field) => ({ code: 'REQUIRED_FIELD', field, defaultMessage: 'send a value' }));
    const body = { code: 'VALIDATION_FAILED', message: 'title: send a value', validationErrors: { list } };
    const { client } = await portal((request) => (isSignIn(request) ? undefined : { status: 400, body }));
    const error = (await client.posts.get({ postId: 1 }).catch((reason: unknown) => reason)) as ValidationError;
    expect(error.message).toBe('getPostDetailById: 400 title: send a value (state: send a value)');
  });

  it('takes an empty answer to a GET as not found, and one to a write as done', async () => {
    const { client } = await portal((request) =>
      isSignIn(request) ? undefined : { status: request.method === 'GET' ? 204 : 200 },
    );
    await expect(client.users.readForEdit({ userId: 1 })).rejects.toBeInstanceOf(NotFoundError);
    await expect(client.users.delete({ userId: 1 })).resolves.toBeUndefined();
  });

  it('lets hooks see everything but secrets', async () => {
    const seen: unknown[] = [];
    const hooks = { onRequest: (event: unknown) => seen.push(event), onResponse: (event: unknown) => seen.push(event) };
    const signature = 'aB3_'.repeat(11);
    const links = {
      accountPhotoUrl: `https://files.example/portal/files/eyJ0IjoxfQ.${signature}`,
      temporaryContentViewLink: `https://bucket.example/key?Signature=${signature}`,
      webViewLink: 'https://drive.example/documents/a-plan-for-the-year-2026-with-a-rather-long-name.html',
    };
    const { client, server } = await portal((request) => (isSignIn(request) ? undefined : { body: links }), { hooks });
    await client.users.create({
      firstname: 'Ada',
      lastname: 'Rossi',
      resetUserCustomCredentialsCommand: { password: ['geheim'] },
    });
    const text = JSON.stringify(seen);
    expect(seen).toHaveLength(4);
    expect(text).toContain('Ada');
    expect(text).not.toContain(signature);
    expect(text).toContain(links.webViewLink);
    expect(text).not.toContain('geheim');
    expect(text).not.toContain(server.calls()[0]?.headers.authorization?.slice('Bearer '.length));
    expect(text).not.toContain(server.signIns()[0]?.body.jwtAssertion);
  });

  it('goes over pages with the same filters, empty ones too, up to the limit', async () => {
    const pages: Record<string, object> = {
      '': { items: [{ id: 1 }, { id: 2 }], nextPageToken: 'a' },
      a: { items: [], nextPageToken: 'b' },
      b: { items: [{ id: 3 }], nextPageToken: '' },
    };
    const { client, server } = await portal((request) =>
      isSignIn(request) ? undefined : { body: pages[request.body.pageToken ?? ''] },
    );
    const order = { orderBy: 'postLastModifyAndCommentTimestamp', orderDesc: true };
    const ids: (number | undefined)[] = [];
    for await (const post of client.posts.iterate({ communityId: 1, title: 'x' })) ids.push(post.id);
    expect(ids).toEqual([1, 2, 3]);
    expect(server.calls().map(({ body }) => body)).toEqual([
      { ...order, title: 'x' },
      { ...order, title: 'x', pageToken: 'a' },
      { ...order, title: 'x', pageToken: 'b' },
    ]);
    const some: (number | undefined)[] = [];
    for await (const post of client.posts.iterate({ communityId: 1, limit: 1 })) some.push(post.id);
    expect(some).toEqual([1]);
    expect(server.calls()).toHaveLength(4);
  });
});

it('knows its own version', () => {
  expect(version).toBe(manifest.version);
});
