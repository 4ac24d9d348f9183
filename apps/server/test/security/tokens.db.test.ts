/**
 * Attacks on everything signed: access tokens, assertions, page and sync tokens, links to files. Whatever was altered,
 * made by somebody else, meant for another use or used before is refused, on every node alike.
 */
import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILE_LINK_PATH, fileLinks } from '../../src/kernel/file-links.ts';
import { createServiceAccountKey, type ServiceAccountKeyFile } from '../../src/modules/people/index.ts';
import { buildApp } from '../../src/process/app.ts';
import { createServices, type Services } from '../../src/process/services.ts';
import { privateJwk } from '../support/encryption.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../support/index.ts';
import { type Attacked, makeAttacked, ROOT } from './objects.fixture.ts';

const EXCHANGE = `${ROOT}/core/auth/create-access-token-by-service-account`;
const ME = `${ROOT}/core/auth/current-user-data`;
let now = Date.now();
const clock = { now: () => now };
let portal: TestPortal;
let mine: Attacked;
let theirs: Attacked;
/** A second node on the same database. */
let node: { services: Services; app: FastifyInstance };

beforeAll(async () => {
  portal = await createTestPortal({ clock });
  mine = await makeAttacked(portal, 'Quagganar');
  theirs = await makeAttacked(portal, 'Zebracorn');
  const services = await createServices({
    config: portal.services.config,
    database: portal.database.service,
    sealer: portal.services.sealer,
    log: portal.services.log,
    clock,
  });
  node = { services, app: await buildApp({ services }) };
});

afterAll(async () => {
  await node.app.close();
  await node.services.close();
  await portal.close();
});

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function statusOf(tenant: TestTenant, authorization: string): Promise<number> {
  const answer = await tenant.request(null, 'GET', ME, undefined, { Authorization: authorization });
  if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toBe('INVALID_AUTH_TOKEN');
  return answer.status;
}

describe('access tokens', () => {
  test('that were altered or made up are refused', async () => {
    const { tenant } = mine.world;
    const token = await tenant.token(mine.chief);
    const [head, body, signature] = token.split('.') as [string, string, string];
    const header = decodeProtectedHeader(token);
    const claims = decodeJwt(token);
    expect(await statusOf(tenant, `Bearer ${token}`)).toBe(200);
    const [row] = await portal.services.databases
      .for(tenant.tenant.id)
      .query<{ jwk: JWK }>('SELECT public_jwk AS jwk FROM signing_keys WHERE tenant_id = $1', [tenant.tenant.id]);
    const publicJwk = row!.jwk;
    const asSecret = (secret: string, alg = 'HS256') => {
      const signed = `${encode({ ...header, alg })}.${body}`;
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    };
    const own = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(own.publicKey);
    const forged = (change: object, payload: object = claims) =>
      new SignJWT({ ...payload }).setProtectedHeader({ ...header, alg: 'ES256', ...change }).sign(own.privateKey);
    const flip = (text: string) => (text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`);
    const attempts: Record<string, string> = {
      'alg none': `${encode({ ...header, alg: 'none' })}.${body}.`,
      'alg None': `${encode({ ...header, alg: 'None' })}.${body}.`,
      'alg none with signature': `${encode({ ...header, alg: 'none' })}.${body}.${signature}`,
      'public key as secret': asSecret(JSON.stringify(publicJwk)),
      'x of the public key as secret': asSecret(String(publicJwk.x)),
      'empty secret': asSecret(''),
      'no signature': `${head}.${body}.`,
      'two parts': `${head}.${body}`,
      'five parts': `${head}.${body}.${signature}.${signature}.${signature}`,
      'another user': `${head}.${encode({ ...claims, sub: String(mine.world.people.admin) })}.${signature}`,
      'later expiry': `${head}.${encode({ ...claims, exp: Number(claims.exp) + 9e6 })}.${signature}`,
      'signature altered': `${head}.${body}.${flip(signature)}`,
      'zero signature': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
      'own key': await forged({}),
      'own key in the header': await forged({ jwk }),
      'own key set address': await forged({ jku: 'https://example.org/keys.json' }),
      'critical extension': await forged({ crit: ['b64'], b64: false }).catch(() => `${head}.${body}.x`),
      'not a token': 'a.b.c',
      'nothing but dots': '..',
      huge: `${'a'.repeat(4_000)}.${'b'.repeat(4_000)}.c`,
    };
    for (const kid of ['', 'x', '../../../../dev/null', "' OR '1'='1", '\u0000', '__proto__', 'x'.repeat(3_000)]) {
      attempts[`kid ${kid.slice(0, 20)}`] = await forged({ kid });
    }
    for (const kid of [1, null, true, ['x'], { toString: 1 }]) {
      attempts[`kid ${JSON.stringify(kid)}`] = `${encode({ ...header, kid })}.${body}.${signature}`;
    }
    const accepted: string[] = [];
    for (const [name, attempt] of Object.entries(attempts)) {
      for (const authorization of [`Bearer ${attempt}`, attempt]) {
        const status = await statusOf(tenant, authorization);
        if (status !== 401) accepted.push(`${name}: ${status}`);
      }
    }
    for (const odd of ['Bearer', 'Bearer ', `Basic ${token}`, `Bearer ${token} x`, `Bearer  ${token}, x`]) {
      const status = await statusOf(tenant, odd);
      if (status !== 401) accepted.push(`${odd.slice(0, 20)}: ${status}`);
    }
    expect(accepted).toEqual([]);
  });

  test('of another tenant are refused, also with the ids of this one', async () => {
    const { tenant } = mine.world;
    expect(await statusOf(tenant, `Bearer ${await theirs.world.tenant.token(theirs.chief)}`)).toBe(401);
    const theirToken = await theirs.world.tenant.token(theirs.chief);
    const { kid } = decodeProtectedHeader(theirToken) as { kid: string };
    const jwk = await privateJwk(portal.services.databases.for(theirs.world.tenant.tenant.id), kid);
    // The holder of another tenant's signing key can still make no token for this one.
    const key = await importJWK(jwk, 'ES256');
    const claims = decodeJwt(await tenant.token(mine.chief));
    for (const tid of [tenant.tenant.id, theirs.world.tenant.tenant.id, String(tenant.tenant.id)]) {
      const token = await new SignJWT({ ...claims, tid })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
        .sign(key);
      expect(await statusOf(tenant, `Bearer ${token}`)).toBe(401);
    }
    // Refused here, it stays refused after it was accepted there, and the other way round.
    const token = await theirs.world.tenant.token(theirs.chief);
    expect(await statusOf(theirs.world.tenant, `Bearer ${token}`)).toBe(200);
    expect(await statusOf(tenant, `Bearer ${token}`)).toBe(401);
    expect(await statusOf(theirs.world.tenant, `Bearer ${token}`)).toBe(200);
  });

  test('end with their time, their user and on every node', async () => {
    const { tenant, portal: of } = mine.world;
    const token = await tenant.token(mine.blocked);
    const elsewhere = () =>
      node.app.inject({ url: ME, headers: { host: tenant.host, authorization: `Bearer ${token}` } });
    expect(await statusOf(tenant, `Bearer ${token}`)).toBe(200);
    expect((await elsewhere()).statusCode).toBe(200);
    await of.services.databases
      .for(tenant.tenant.id)
      .execute('UPDATE users SET blocked = true WHERE tenant_id = $1 AND id = $2', [tenant.tenant.id, mine.blocked]);
    expect(await statusOf(tenant, `Bearer ${token}`)).toBe(401);
    expect((await elsewhere()).statusCode).toBe(401);
    const short = await tenant.token(mine.chief);
    expect(await statusOf(tenant, `Bearer ${short}`)).toBe(200);
    now += 3_600_000;
    expect(await statusOf(tenant, `Bearer ${short}`)).toBe(401);
    now -= 3_600_000;
  });
});

describe('assertions of service accounts', () => {
  function assertion(key: ServiceAccountKeyFile, change: { header?: object; claims?: object; pem?: string } = {}) {
    const at = Math.floor(now / 1000);
    const head = encode({ alg: 'RS512', typ: 'JWT', kid: key.private_key_id, ...change.header });
    const aud = 'injenia/portal-authenticator';
    const jti = randomUUID();
    const body = encode({ iss: key.client_id, aud, iat: at, exp: at + 300, jti, ...change.claims });
    const signature = sign('RSA-SHA512', Buffer.from(`${head}.${body}`), change.pem ?? key.private_key);
    return `${head}.${body}.${signature.toString('base64url')}`;
  }
  const exchange = (tenant: TestTenant, jwtAssertion: unknown) =>
    tenant.request(null, 'POST', EXCHANGE, { jwtAssertion });

  async function account(of: Attacked): Promise<ServiceAccountKeyFile> {
    const { tenant } = of.world;
    const userId = await tenant.createUser({ service: true });
    return createServiceAccountKey(portal.services.databases.for(tenant.tenant.id), userId, now);
  }

  test('sign in once, whichever nodes they are sent to and however often at a time', async () => {
    const { tenant } = mine.world;
    const jwtAssertion = assertion(await account(mine));
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        index % 2 === 0
          ? (await exchange(tenant, jwtAssertion)).status
          : (
              await node.app.inject({
                method: 'POST',
                url: EXCHANGE,
                headers: { host: tenant.host },
                payload: { jwtAssertion },
              })
            ).statusCode,
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(19);
  });

  test('are known by jti, iat and exp together, and name the account in digits too', async () => {
    const { tenant } = mine.world;
    const key = await account(mine);
    const jti = randomUUID().replaceAll('-', '');
    const at = now / 1000;
    const signed = (claims: object) => assertion(key, { claims: { iss: String(key.client_id), jti, ...claims } });
    const first = signed({ iat: at + 0.25, exp: at + 300.25 });
    expect((await exchange(tenant, first)).status).toBe(200);
    // The claims count, not the text: the same four, signed again with another claim beside them, were used.
    expect((await exchange(tenant, signed({ iat: at + 0.25, exp: at + 300.25, note: 'again' }))).status).toBe(401);
    expect((await exchange(tenant, signed({ iat: at + 0.5, exp: at + 300.25 }))).status).toBe(200);
    expect((await exchange(tenant, signed({ iat: at + 0.5, exp: at + 300.5 }))).status).toBe(200);
    // An assertion that a node of the former version recorded stays used.
    await portal.services.databases
      .for(tenant.tenant.id)
      .execute(`INSERT INTO used_assertions (tenant_id, key_id, jti, expires_at) VALUES ($1, $2, $3, $4)`, [
        tenant.tenant.id,
        key.private_key_id,
        'f'.repeat(32),
        new Date(now + 300_000),
      ]);
    expect((await exchange(tenant, signed({ jti: 'f'.repeat(32) }))).status).toBe(401);
  });

  describe('of the older line, which names the account in digits,', () => {
    const older = (key: ServiceAccountKeyFile) => assertion(key, { claims: { iss: String(key.client_id) } });
    const atNode = async (tenant: TestTenant, jwtAssertion: string, remoteAddress = '127.0.0.1') => {
      const headers = { host: tenant.host };
      const answer = await node.app.inject({
        method: 'POST',
        url: EXCHANGE,
        headers,
        payload: { jwtAssertion },
        remoteAddress,
      });
      return { status: answer.statusCode, body: answer.json() };
    };
    /** Lets the first use of the assertions of a key be some seconds ago. */
    const age = (tenant: TestTenant, key: ServiceAccountKeyFile, seconds: number) =>
      portal.services.databases
        .for(tenant.tenant.id)
        .execute(
          'UPDATE used_assertions SET used_at = used_at - make_interval(secs => $3) WHERE tenant_id = $1 AND key_id = $2',
          [tenant.tenant.id, key.private_key_id, seconds],
        );

    test('are answered with the same token for two seconds, on every node and however many at once', async () => {
      const { tenant } = mine.world;
      const key = await account(mine);
      const jwtAssertion = older(key);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          index % 2 === 0 ? exchange(tenant, jwtAssertion) : atNode(tenant, jwtAssertion),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      const [token, ...others] = new Set(answers.map(({ body }) => body.accessToken as string));
      expect(others).toEqual([]);
      expect(await statusOf(tenant, `Bearer ${token}`)).toBe(200);
      const rows = await portal.services.databases
        .for(tenant.tenant.id)
        .query<{ sealed: Buffer }>(
          'SELECT sealed_token AS sealed FROM used_assertions WHERE tenant_id = $1 AND key_id = $2',
          [tenant.tenant.id, key.private_key_id],
        );
      expect(rows).toHaveLength(1);
      expect(rows[0]!.sealed.includes(token!)).toBe(false);
      await age(tenant, key, 2);
      const late = [await exchange(tenant, jwtAssertion), await atNode(tenant, jwtAssertion)];
      expect(late.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([401, 'INVALID_ASSERTION']));
    });

    test('are refused to another address, for another signature of the same claims, and without the key', async () => {
      const { tenant } = mine.world;
      const key = await account(mine);
      const claims = { iss: String(key.client_id), jti: randomUUID() };
      const [first, again] = [assertion(key, { claims }), assertion(key, { claims: { ...claims, note: 'again' } })];
      expect((await exchange(tenant, first)).status).toBe(200);
      expect((await atNode(tenant, first, '192.0.2.7')).status).toBe(401);
      expect((await exchange(tenant, again)).status).toBe(401);
      expect((await exchange(theirs.world.tenant, first)).status).toBe(401);
      expect((await exchange(tenant, first)).status).toBe(200);
      await portal.services.databases
        .for(tenant.tenant.id)
        .execute('UPDATE users SET blocked = true WHERE tenant_id = $1 AND id = $2', [tenant.tenant.id, key.client_id]);
      expect((await exchange(tenant, first)).status).toBe(401);
    });
  });

  test('that are not the account’s own are refused with 401, all of them', async () => {
    const { tenant } = mine.world;
    const key = await account(mine);
    const other = await account(mine);
    const foreign = await account(theirs);
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const claims = (change: object) => assertion(key, { claims: change });
    const at = Math.floor(now / 1000);
    const [head, body] = assertion(key).split('.') as [string, string];
    const attempts: unknown[] = [
      assertion(foreign),
      assertion(key, { pem: privateKey }),
      assertion(key, { pem: other.private_key }),
      claims({ iss: other.client_id }),
      claims({ iss: mine.world.people.admin }),
      claims({ iss: String(other.client_id) }),
      claims({ iss: `${key.client_id}.0` }),
      claims({ iss: ` ${key.client_id}` }),
      claims({ iss: `0${key.client_id}` }),
      claims({ iss: [key.client_id] }),
      claims({ iss: '' }),
      assertion(key, { header: { kid: String(key.private_key_id) } }),
      assertion(key, { header: { kid: [key.private_key_id] } }),
      assertion(key, { header: { alg: 'none' } }),
      assertion(key, { header: { alg: 'HS512' } }),
      assertion(key, { header: { alg: 'RS256' } }),
      `${encode({ alg: 'none', kid: key.private_key_id })}.${body}.`,
      `${head}.${body}.`,
      claims({ jti: undefined }),
      claims({ jti: 'short' }),
      claims({ jti: 'nul\u0000nul\u0000nul' }),
      claims({ jti: '\ud800'.repeat(20) }),
      claims({ jti: ['aaaaaaaaaaaa'] }),
      claims({ iat: at, exp: at + 601 }),
      claims({ exp: at - 100, iat: at - 200 }),
      claims({ iat: at + 120, exp: at + 200 }),
      claims({ iat: String(at) }),
      claims({ iat: -9e15, exp: -9e15 + 10 }),
      claims({ aud: 'somebody else' }),
      claims({ aud: [] }),
      claims({ aud: { 0: 'injenia/portal-authenticator' } }),
      '..',
      'x'.repeat(4_000),
    ];
    const wrong: string[] = [];
    for (const [index, attempt] of attempts.entries()) {
      const answer = await exchange(tenant, attempt);
      if (answer.status !== 401) wrong.push(`${index}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
    expect(wrong).toEqual([]);
    expect((await exchange(tenant, '')).status).toBe(400);
    expect((await exchange(tenant, 'x'.repeat(100_000))).status).toBe(400);
    expect((await exchange(tenant, assertion(key))).status).toBe(200);
  });
});

describe('page and sync tokens', () => {
  const list = (of: Attacked) => `${ROOT}/communication/posts/data/list/community/${of.open.communityId}`;
  const stream = `${ROOT}/communication/posts/data/global-stream`;

  async function firstPage(of: Attacked, actor: number): Promise<string> {
    const page = await of.world.tenant.request(actor, 'POST', list(of), { pageSize: 1 });
    expect(page.body.nextPageToken).toBeTruthy();
    return page.body.nextPageToken;
  }

  test('are good for their caller, list and tenant only, and unaltered', async () => {
    const { tenant } = mine.world;
    const token = await firstPage(mine, mine.chief);
    const next = (actor: number, pageToken: string, path = list(mine)) =>
      tenant.request(actor, 'POST', path, { pageSize: 1, pageToken });
    expect((await next(mine.chief, token)).status).toBe(200);
    const { nextSyncToken } = (await tenant.request(mine.chief, 'POST', stream)).body;
    const [body, mac] = token.split('.') as [string, string];
    const edited = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), k: [0, 0, 1] }),
    ).toString('base64url');
    for (const wrong of [
      `${edited}.${mac}`,
      `${body}.${mac.slice(1)}A`,
      `${body}.`,
      body,
      nextSyncToken,
      'x',
      '\u0000',
    ]) {
      expect((await next(mine.chief, wrong)).status, wrong).toBe(400);
    }
    expect((await next(mine.world.people.manager, token)).status).toBe(400);
    expect((await next(mine.chief, await firstPage(theirs, theirs.chief))).status).toBe(400);
    const elsewhere = `${ROOT}/communication/posts/data/list/community/${mine.elsewhere.communityId}`;
    expect((await next(mine.chief, token, elsewhere)).status).toBe(400);
    const older = `${ROOT}/communication/posts/data/community-list/${mine.open.communityId}`;
    expect((await next(mine.chief, token, older)).status).toBe(400);
    for (const path of [
      '/admin/data/users',
      '/admin/data/groups',
      `/communication/posts/data/comments-list/${mine.open.postId}`,
    ]) {
      expect((await next(mine.chief, token, `${ROOT}${path}`)).status, path).toBe(400);
    }
  });

  test('of the stream likewise', async () => {
    const { tenant } = mine.world;
    const { nextSyncToken } = (await tenant.request(mine.chief, 'POST', stream)).body;
    const follow = (of: Attacked, actor: number, query: Record<string, string>) =>
      of.world.tenant.request(actor, 'POST', `${stream}?${new URLSearchParams(query)}`);
    expect((await follow(mine, mine.chief, { syncToken: nextSyncToken })).status).toBe(200);
    expect((await follow(mine, mine.world.people.reader, { syncToken: nextSyncToken })).status).toBe(400);
    expect((await follow(theirs, theirs.chief, { syncToken: nextSyncToken })).status).toBe(400);
    const [body, mac] = nextSyncToken.split('.') as [string, string];
    const moved = JSON.parse(Buffer.from(body, 'base64url').toString());
    for (const change of [
      { s: moved.s + 1 },
      { u: mine.world.people.reader },
      { r: moved.r + 1 },
      { t: moved.t + 9e9 },
    ]) {
      const altered = `${Buffer.from(JSON.stringify({ ...moved, ...change })).toString('base64url')}.${mac}`;
      expect((await follow(mine, mine.chief, { syncToken: altered })).status).toBe(400);
    }
    const page = await firstPage(mine, mine.chief);
    expect((await follow(mine, mine.chief, { syncToken: page })).status).toBe(400);
    expect((await follow(mine, mine.chief, { pageToken: page })).status).toBe(400);
    expect((await follow(mine, mine.chief, { pageToken: nextSyncToken, syncToken: nextSyncToken })).status).toBe(400);
  });
});

describe('links to files', () => {
  test('open what they were made for, at their tenant and in their time', async () => {
    const { tenant } = mine.world;
    const scope = { ...(await tenant.scope(mine.chief)), baseUrl: '', clock };
    const contentRef = 'a'.repeat(64);
    const db = portal.services.databases.for(tenant.tenant.id);
    const stored = await portal.services.storage.receive(
      tenant.tenant.id,
      (async function* () {
        yield Buffer.from('secret bytes');
      })(),
      { maxBytes: 1_000 },
    );
    await stored.publish();
    await db.execute(
      `INSERT INTO file_contents (tenant_id, content_ref, storage_key, mime_type, size, md5, sha256, state, creator_id, created_at, uploaded_at)
        VALUES ($1, $2, $3, 'text/html', $4, 'x', $5, 1, $6, now(), now())`,
      [tenant.tenant.id, contentRef, stored.storageKey, stored.size, stored.sha256, mine.chief],
    );
    const link = fileLinks(scope).view({ contentRef, mimeType: 'text/html' })!;
    expect(link.startsWith(`${FILE_LINK_PATH}/`)).toBe(true);
    const get = (at: TestTenant, path: string, method = 'GET') => at.request(null, method, path);
    const good = await get(tenant, link);
    expect([good.status, good.text]).toEqual([200, 'secret bytes']);
    // Users' content cannot run as the portal.
    expect(good.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(good.headers.get('content-security-policy')).toContain('sandbox');
    expect(good.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await get(theirs.world.tenant, link)).status).toBeGreaterThanOrEqual(400);
    const [body, mac] = link.slice(FILE_LINK_PATH.length + 1).split('.') as [string, string];
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString());
    const changes = [{ c: 'b'.repeat(64) }, { e: payload.e + 9e9 }, { p: 'download' }, { t: 1 }, { a: 1, v: 1 }];
    for (const change of changes) {
      const altered = `${Buffer.from(JSON.stringify({ ...payload, ...change })).toString('base64url')}.${mac}`;
      for (const method of ['GET', 'HEAD']) {
        const answer = await get(tenant, `${FILE_LINK_PATH}/${altered}`, method);
        expect(answer.status, JSON.stringify(change)).toBe(403);
      }
    }
    const others = await theirs.world.tenant.scope(theirs.chief);
    const signedThere = others.settings.links.sign('file', payload);
    expect((await get(tenant, `${FILE_LINK_PATH}/${signedThere}`)).status).toBe(403);
    const page = scope.settings.opaqueTokens.sign('file', payload);
    expect((await get(tenant, `${FILE_LINK_PATH}/${page}`)).status).toBe(403);
    for (const odd of ['x', '..%2f..%2fetc%2fpasswd', '%00', 'a.b', `${body}.${mac}.x`]) {
      expect((await get(tenant, `${FILE_LINK_PATH}/${odd}`)).status, odd).toBeGreaterThanOrEqual(400);
      expect((await get(tenant, `${FILE_LINK_PATH}/${odd}`)).status, odd).toBeLessThan(500);
    }
    now += 3_600_000;
    expect((await get(tenant, link)).status).toBe(403);
    now -= 3_600_000;
  });
});
