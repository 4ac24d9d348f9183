/**
 * Events that end a sign-in: blocking, signing out, and removing or replacing a credential. Earlier
 * tokens are refused from the next request on, on every node, and stay refused.
 */
import { randomUUID, sign } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServiceAccountKey, type ServiceAccountKeyFile } from '../../src/modules/people/index.ts';
import { tenantScope } from '../../src/modules/tenants/index.ts';
import { OperatorError, OperatorSession } from '../../src/operator/index.ts';
import { buildApp } from '../../src/process/app.ts';
import { createServices, type Services } from '../../src/process/services.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../support/index.ts';

const API = '/portal/api/external/v2';
const ME = `${API}/core/auth/current-user-data`;
let portal: TestPortal;
let tenant: TestTenant;
let other: TestTenant;
let node: { services: Services; app: FastifyInstance };
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  other = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
  const { config, log, sealer } = portal.services;
  const services = await createServices({ config, database: portal.database.service, sealer, log });
  node = { services, app: await buildApp({ services }) };
});
afterAll(async () => {
  await node.app.close();
  await node.services.close();
  await portal.close();
});

const rows = <R>(sql: string, values: unknown[] = []) =>
  portal.services.databases.for(tenant.tenant.id).query<R>(sql, [tenant.tenant.id, ...values]);

/** A token as a sign-in of this moment gives it. */
async function signIn(userId: number): Promise<string> {
  const [user] = await rows<{ version: number }>(
    'SELECT session_version AS version FROM users WHERE tenant_id = $1 AND id = $2',
    [userId],
  );
  const scope = await tenantScope(portal.services, tenant.tenant, `http://${tenant.host}`);
  return portal.services.tokens.issue(scope, { userId, keyId: null, sessionVersion: user!.version });
}

/** Returns the responses of both nodes to a token. */
async function statuses(token: string): Promise<number[]> {
  const authorization = `Bearer ${token}`;
  const here = await tenant.request(null, 'GET', ME, undefined, { Authorization: authorization });
  const there = await node.app.inject({ url: ME, headers: { host: tenant.host, authorization } });
  return [here.status, there.statusCode];
}

const access = (userId: number, verb: 'block' | 'unblock' | 'sign-out', by = admin, at = tenant) =>
  at.request(by, 'POST', `${API}/admin/manage/users/${userId}/${verb}`);

describe('tokens from before', () => {
  test('an account was blocked are refused at once, and still when it is unblocked', async () => {
    const userId = await tenant.createUser();
    const token = await signIn(userId);
    // Both nodes have seen it: their caches must not count.
    expect(await statuses(token)).toEqual([200, 200]);
    const blocked = await access(userId, 'block');
    expect(blocked.body).toEqual({ userId, blocked: true, nextOccToken: 2 });
    expect(await statuses(token)).toEqual([401, 401]);
    expect((await access(userId, 'block')).body).toEqual(blocked.body);
    expect((await access(userId, 'unblock')).body).toEqual({ userId, blocked: false, nextOccToken: 3 });
    expect(await statuses(token)).toEqual([401, 401]);
    expect(await statuses(await signIn(userId))).toEqual([200, 200]);
  });

  test('an account was signed out are refused at once; it may sign in anew', async () => {
    const userId = await tenant.createUser();
    const token = await signIn(userId);
    expect(await statuses(token)).toEqual([200, 200]);
    expect((await access(userId, 'sign-out')).body).toEqual({ userId, blocked: false, nextOccToken: 1 });
    expect(await statuses(token)).toEqual([401, 401]);
    // A sign-in that had checked its credential before, and gets its token only now.
    const scope = await tenantScope(portal.services, tenant.tenant, `http://${tenant.host}`);
    const late = await portal.services.tokens.issue(scope, { userId, keyId: null, sessionVersion: 1 });
    expect(await statuses(late)).toEqual([401, 401]);
    expect(await statuses(await signIn(userId))).toEqual([200, 200]);
  });

  test('a service account was signed out or blocked are refused, its keys go on', async () => {
    const userId = await tenant.createUser({ service: true });
    const key = await createServiceAccountKey(portal.services.databases.for(tenant.tenant.id), userId, Date.now());
    const exchange = async () => {
      const path = `${API}/core/auth/create-access-token-by-service-account`;
      return tenant.request(null, 'POST', path, { jwtAssertion: assertion(key) });
    };
    const first = (await exchange()).body.accessToken as string;
    expect(await statuses(first)).toEqual([200, 200]);
    await access(userId, 'sign-out');
    expect(await statuses(first)).toEqual([401, 401]);
    const second = (await exchange()).body.accessToken as string;
    expect(await statuses(second)).toEqual([200, 200]);
    await access(userId, 'block');
    expect(await statuses(second)).toEqual([401, 401]);
    expect((await exchange()).status).toBe(401);
    await access(userId, 'unblock');
    expect(await statuses(second)).toEqual([401, 401]);
    expect(await statuses((await exchange()).body.accessToken)).toEqual([200, 200]);
  });

  test('a credential was removed or replaced are refused; a first one ends nothing', async () => {
    const userId = await tenant.createUser();
    const edit = async (block: object) => {
      const path = `${API}/admin/manage/users/${userId}/credentials`;
      const { occToken } = (await tenant.request(admin, 'GET', `${path}/edit`)).body;
      const body = { occToken, userCredentialsConfiguration: block };
      const answer = await tenant.request(admin, 'PUT', path, body);
      expect(answer.status, answer.text).toBe(200);
    };
    const steps: [block: object, ends: boolean][] = [
      [{ google: { googleAccountId: 'one', enabled: true } }, false],
      [{ google: { googleAccountId: 'one', enabled: true } }, false],
      [{ google: { googleAccountId: 'two', enabled: true } }, true],
      [{ microsoft: { microsoftAccountId: 'm', enabled: true } }, false],
      [{ custom: { active: true, username: 'name' } }, false],
      [{ custom: { active: true, canUserManageCustomCredentials: true } }, false],
      [{ custom: { active: true, username: 'other' } }, true],
      [{ google: { enabled: false } }, true],
      [{ microsoft: { enabled: false } }, true],
      [{ custom: { active: false } }, true],
      [{}, false],
    ];
    for (const [block, ends] of steps) {
      const token = await signIn(userId);
      expect(await statuses(token)).toEqual([200, 200]);
      await edit(block);
      expect(await statuses(token), JSON.stringify(block)).toEqual(ends ? [401, 401] : [200, 200]);
    }
  });
});

describe('blocking and signing out', () => {
  test('ask for manageUsers, and say what is wrong', async () => {
    const userId = await tenant.createUser();
    const member = await tenant.createUser();
    for (const verb of ['block', 'unblock', 'sign-out'] as const) {
      expect((await access(userId, verb, member)).status, verb).toBe(403);
      expect((await access(999_999_999, verb)).status, verb).toBe(404);
      expect((await access(tenant.systemUserId, verb)).status, verb).toBe(403);
      expect((await access(await other.createUser(), verb)).status, verb).toBe(404);
    }
    const own = await access(admin, 'block');
    expect([own.status, own.body.code]).toEqual([403, 'FORBIDDEN']);
    const token = await signIn(admin);
    const out = await tenant.request(null, 'POST', `${API}/admin/manage/users/${admin}/sign-out`, undefined, {
      Authorization: `Bearer ${token}`,
    });
    expect(out.status).toBe(200);
    expect(await statuses(token)).toEqual([401, 401]);
    await rows('UPDATE users SET session_version = 1 WHERE tenant_id = $1 AND id = $2', [admin]);
  });

  test('are commands of the operator, by id or address', async () => {
    const session = new OperatorSession(portal.services, portal.owner, portal.database.owner);
    const userId = await tenant.createUser({ email: 'Ada@people.test' });
    const { name } = tenant.tenant;
    const token = await signIn(userId);
    expect(await session.signOutUser(name, 'ada@PEOPLE.test')).toBe(userId);
    expect(await statuses(token)).toEqual([401, 401]);
    const next = await signIn(userId);
    expect(await session.setUserBlocked(name, String(userId), true)).toBe(userId);
    expect(await statuses(next)).toEqual([401, 401]);
    expect(await session.setUserBlocked(name, 'ada@people.test', false)).toBe(userId);
    expect(await statuses(await signIn(userId))).toEqual([200, 200]);
    for (const nobody of ['nobody@people.test', '999999999', "' OR true --"])
      await expect(session.signOutUser(name, nobody)).rejects.toThrow(OperatorError);
  });
});

function assertion(key: ServiceAccountKeyFile): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const at = Math.floor(Date.now() / 1000);
  const head = encode({ alg: 'RS512', typ: 'JWT', kid: key.private_key_id });
  const claims = { iss: key.client_id, aud: 'portico/portal-authenticator', iat: at, exp: at + 300, jti: randomUUID() };
  const signed = `${head}.${encode(claims)}`;
  return `${signed}.${sign('RSA-SHA512', Buffer.from(signed), key.private_key).toString('base64url')}`;
}
