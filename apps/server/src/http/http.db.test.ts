/** The HTTP spine through the public door: tenants, prefixes, sign-in, errors. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../test/support/index.ts';
import { revokeServiceAccountKey } from '../modules/people/auth/service-account-keys.ts';
import { createServiceAccountKey, type ServiceAccountKeyFile } from '../modules/people/index.ts';

let portal: TestPortal;
let alpha: TestTenant;
let beta: TestTenant;
const EXCHANGE = '/portal/api/external/v2/core/auth/create-access-token-by-service-account';

beforeAll(async () => {
  portal = await createTestPortal();
  [alpha, beta] = [await portal.createTenant(), await portal.createTenant()];
});
afterAll(() => portal.close());

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function assertion(
  key: ServiceAccountKeyFile,
  change: { header?: object; claims?: object; privateKey?: string; digest?: string } = {},
): string {
  const now = Math.floor(Date.now() / 1000);
  const head = encode({ alg: 'RS512', typ: 'JWT', kid: key.private_key_id, ...change.header });
  const body = encode({
    iss: key.client_id,
    aud: 'injenia/portal-authenticator',
    iat: now,
    exp: now + 300,
    jti: randomUUID().replaceAll('-', ''),
    ...change.claims,
  });
  const signature = sign(
    change.digest ?? 'RSA-SHA512',
    Buffer.from(`${head}.${body}`),
    change.privateKey ?? key.private_key,
  );
  return `${head}.${body}.${signature.toString('base64url')}`;
}

async function account(tenant: TestTenant): Promise<{ userId: number; key: ServiceAccountKeyFile }> {
  const userId = await tenant.createUser({ service: true });
  return {
    userId,
    key: await createServiceAccountKey(portal.services.databases.for(tenant.tenant.id), userId, Date.now()),
  };
}

describe('signing in with a service account', () => {
  it('exchanges an assertion for a JWT that works below both prefixes', async () => {
    const { key } = await account(alpha);
    const answer = await alpha.request(null, 'POST', EXCHANGE, { jwtAssertion: assertion(key) });
    expect(answer.status).toBe(200);
    const token = answer.body.accessToken as string;
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
    expect(claims.exp - claims.iat).toBe(3600);
    for (const prefix of ['/portal/api', '/portal/api/external/v2']) {
      const seen = await alpha.request(null, 'GET', `${prefix}/core/auth/current-user-data`, undefined, {
        Authorization: `Bearer ${token}`,
      });
      expect(seen.status).not.toBe(401);
      const raw = await alpha.request(null, 'GET', `${prefix}/core/auth/current-user-data`, undefined, {
        Authorization: token,
      });
      expect(raw.status).not.toBe(401);
    }
    const elsewhere = await beta.request(null, 'GET', '/portal/api/core/auth/current-user-data', undefined, {
      Authorization: `Bearer ${token}`,
    });
    expect(elsewhere.status).toBe(401);
    expect(elsewhere.headers.get('www-authenticate')).toBe('INVALID_AUTH_TOKEN');
  });

  it('takes the audience of any vendor, until the tenant names those it takes', async () => {
    const { key } = await account(alpha);
    const exchange = async (aud: unknown) =>
      (await alpha.request(null, 'POST', EXCHANGE, { jwtAssertion: assertion(key, { claims: { aud } }) })).status;
    expect(await exchange('acme/portal-authenticator')).toBe(200);
    expect(await exchange(['nobody', 'portico/portal-authenticator'])).toBe(200);
    const named = await portal.createTenant();
    const db = portal.services.databases.for(named.tenant.id);
    await db.execute(`UPDATE tenant_settings SET audiences = '{acme/portal-authenticator}' WHERE tenant_id = $1`, [
      db.tenantId,
    ]);
    const other = await account(named);
    for (const [aud, status] of [
      ['acme/portal-authenticator', 200],
      ['portico/portal-authenticator', 401],
    ]) {
      const jwtAssertion = assertion(other.key, { claims: { aud } });
      expect((await named.request(null, 'POST', EXCHANGE, { jwtAssertion })).status).toBe(status);
    }
  });

  it('refuses every assertion that is not as the specification says', async () => {
    const { key } = await account(alpha);
    const stranger = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const now = Math.floor(Date.now() / 1000);
    const wrong = [
      assertion(key, { privateKey: stranger.privateKey }),
      assertion(key, { header: { alg: 'RS256' }, digest: 'RSA-SHA256' }),
      assertion(key, { header: { alg: 'none' } }),
      assertion(key, { header: { kid: String(key.private_key_id) } }),
      assertion(key, { header: { kid: 999_999 } }),
      assertion(key, { claims: { iss: `client ${key.client_id}` } }),
      assertion(key, { claims: { aud: 'somebody/else' } }),
      assertion(key, { claims: { aud: 'portal-authenticator' } }),
      assertion(key, { claims: { aud: '/portal-authenticator' } }),
      assertion(key, { claims: { aud: 'a/b/portal-authenticator' } }),
      assertion(key, { claims: { iat: now, exp: now + 601 } }),
      assertion(key, { claims: { iat: now - 700, exp: now - 400 } }),
      assertion(key, { claims: { iat: now + 120, exp: now + 300 } }),
      assertion(key, { claims: { jti: undefined } }),
      'not.a.jwt',
      '',
    ];
    for (const jwtAssertion of wrong) {
      const answer = await alpha.request(null, 'POST', EXCHANGE, { jwtAssertion });
      expect([400, 401], jwtAssertion).toContain(answer.status);
      if (jwtAssertion) expect(answer.status).toBe(401);
    }
    expect((await beta.request(null, 'POST', EXCHANGE, { jwtAssertion: assertion(key) })).status).toBe(401);
  });

  it('takes an assertion once', async () => {
    const { key } = await account(alpha);
    const jwtAssertion = assertion(key);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => alpha.request(null, 'POST', EXCHANGE, { jwtAssertion })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(401)]);
  });

  it('refuses the token from the next request on once the key is revoked, the user blocked or deleted', async () => {
    const db = portal.services.databases.for(alpha.tenant.id);
    for (const end of [
      (userId: number, keyId: number) => db.transaction((tx) => revokeServiceAccountKey(tx, userId, keyId, Date.now())),
      (userId: number) =>
        db.execute('UPDATE users SET blocked = true WHERE tenant_id = $1 AND id = $2', [db.tenantId, userId]),
      (userId: number) =>
        db.execute('UPDATE users SET deleted_at = now() WHERE tenant_id = $1 AND id = $2', [db.tenantId, userId]),
    ]) {
      const { userId, key } = await account(alpha);
      const { body } = await alpha.request(null, 'POST', EXCHANGE, { jwtAssertion: assertion(key) });
      const ask = () =>
        alpha.request(
          null,
          'POST',
          '/portal/api/communication/posts/data/check-visibility',
          { ids: [] },
          { Authorization: `Bearer ${body.accessToken}` },
        );
      expect((await ask()).status).not.toBe(401);
      await end(userId, key.private_key_id);
      const refused = await ask();
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toBe('INVALID_AUTH_TOKEN');
      expect((await alpha.request(null, 'POST', EXCHANGE, { jwtAssertion: assertion(key) })).status).toBe(401);
    }
  });
});

describe('what every request meets', () => {
  it('finds the tenant by host and answers 404 for an unknown one', async () => {
    const answer = await alpha.request(null, 'GET', '/portal/api/core/auth/current-user-data', undefined, {
      Host: 'nobody.test',
    });
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: 'UNKNOWN_TENANT', status: 404 });
    expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
  });

  it('serves a tenant made while it runs', async () => {
    const gamma = await portal.createTenant();
    expect((await gamma.request(null, 'GET', '/portal/api/core/auth/current-user-data')).status).toBe(401);
  });

  it('answers 401 without a token, 405 with Allow for a wrong method, 404 for an unknown path', async () => {
    const without = await alpha.request(null, 'GET', '/portal/api/core/auth/current-user-data');
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'INVALID_AUTH_TOKEN']);
    const wrong = await alpha.request(null, 'DELETE', '/portal/api/external/v2/core/auth/current-user-data');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    // `members` is no id of a group: this path has other methods than a group.
    const literal = await alpha.request(null, 'PATCH', '/portal/api/admin/manage/groups/members');
    expect([literal.status, literal.headers.get('allow')]).toEqual([405, 'PUT']);
    expect((await alpha.request(null, 'GET', '/portal/api/nothing/here')).status).toBe(404);
  });

  it('refuses bodies that are not as declared, naming the field', async () => {
    const ask = (body: unknown, headers?: Record<string, string>) =>
      alpha.request(null, 'POST', EXCHANGE, body, headers);
    expect((await ask('{"jwtAssertion": ')).body.code).toBe('MALFORMED_JSON');
    const wrongType = await ask({ jwtAssertion: 5 });
    expect(wrongType.status).toBe(400);
    expect(wrongType.body.validationErrors.list[0]).toMatchObject({ code: 'INVALID_TYPE', field: 'jwtAssertion' });
    expect((await ask({ jwtAssertion: 'a\u0000b' })).body.validationErrors.list[0].code).toBe('INVALID_TEXT');
    expect((await ask({})).status).toBe(400);
    expect((await ask('x'.repeat(2 * 1024 * 1024))).status).toBe(413);
    // Nobody has signed in: less is read.
    expect((await ask('x'.repeat(257 * 1024))).status).toBe(413);
    expect((await ask('<x/>', { 'Content-Type': 'application/xml' })).status).toBe(415);
    expect((await ask(`${'['.repeat(5000)}${']'.repeat(5000)}`)).status).toBe(400);
  });

  it('names the allowed values, null not among them, when a value is none of them', async () => {
    const { userId } = await account(alpha);
    const answer = await alpha.request(userId, 'POST', '/portal/api/admin/data/groups', { orderTypeId: 'size' });
    expect(answer.status).toBe(400);
    expect(answer.body.validationErrors.list).toEqual([
      {
        code: 'INVALID_VALUE',
        field: 'orderTypeId',
        defaultMessage: 'orderTypeId must be one of: name, email.',
        args: ['name', 'email'],
      },
    ]);
  });

  it('takes booleans of the query in any case, those that make a write harmless too', async () => {
    const userId = await alpha.createUser({ admin: true });
    const ask = (method: string, path: string, body?: unknown) => alpha.request(userId, method, path, body);
    const catalogs = '/portal/api/communication/settings/post-definition/catalogs';
    for (const value of ['True', 'FALSE', 'tRuE', 'false']) {
      expect((await ask('POST', `${catalogs}?loadEntries=${value}`, {})).status, value).toBe(200);
    }
    for (const value of ['yes', '1', 'TrueTrue', 'True%20']) {
      const refused = await ask('POST', `${catalogs}?loadEntries=${value}`, {});
      expect(refused.status, value).toBe(400);
      expect(refused.body.validationErrors.list[0].field).toBe('loadEntries');
    }
    const groups = async () =>
      (await ask('POST', '/portal/api/admin/data/groups', { calculateTotalItemsCount: true })).body.totalItemsCount;
    const before = await groups();
    const tried = await ask('POST', '/portal/api/admin/manage/groups?dryRun=True', { name: 'Only tried' });
    expect(tried.body.dryRun).toBeDefined();
    expect(await groups()).toBe(before);
  });

  it('keeps a sane request id of the caller and never redirects', async () => {
    const kept = await alpha.request(null, 'GET', '/portal/api/core/auth/current-user-data', undefined, {
      'X-Request-Id': 'abc-123',
    });
    expect(kept.headers.get('x-request-id')).toBe('abc-123');
    expect((await alpha.request(null, 'GET', '/portal/api/core/auth/current-user-data/')).status).toBe(404);
  });
});
