/**
 * Rotation and withdrawal of keys: signatures stay valid until their key is withdrawn, and not a
 * request longer.
 */
import type { FastifyInstance } from 'fastify';
import { decodeJwt, decodeProtectedHeader, importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileLinks } from '../../src/kernel/file-links.ts';
import { MAX_TOKEN_SECONDS } from '../../src/modules/people/index.ts';
import { listKeys, rotateKey, withdrawKey } from '../../src/operator/keys.ts';
import { buildApp } from '../../src/process/app.ts';
import { createServices, type Services } from '../../src/process/services.ts';
import { privateJwk, testSealer } from '../support/encryption.ts';
import { createTestPortal, settingsReadAnew, type TestPortal, type TestTenant } from '../support/index.ts';

const API = '/portal/api/external/v2';
const ME = `${API}/core/auth/current-user-data`;
const STREAM = `${API}/communication/posts/data/global-stream`;
const USERS = `${API}/admin/data/users`;
let now = Date.now();
const clock = { now: () => now };
let portal: TestPortal;
let node: { services: Services; app: FastifyInstance };

beforeAll(async () => {
  portal = await createTestPortal({ clock });
  const { config, log, sealer } = portal.services;
  const services = await createServices({ config, database: portal.database.service, sealer, log, clock });
  node = { services, app: await buildApp({ services }) };
});
afterAll(async () => {
  await node.app.close();
  await node.services.close();
  await portal.close();
});

async function statuses(tenant: TestTenant, token: string): Promise<number[]> {
  const authorization = `Bearer ${token}`;
  const here = await tenant.request(null, 'GET', ME, undefined, { Authorization: authorization });
  const there = await node.app.inject({ url: ME, headers: { host: tenant.host, authorization } });
  return [here.status, there.statusCode];
}

const database = (tenant: TestTenant) => portal.services.databases.for(tenant.tenant.id);

describe('signing keys', () => {
  /** A thief of the signing key signs arbitrary tokens with it. */
  async function thief(tenant: TestTenant, userId: number) {
    const token = await tenant.token(userId);
    const header = decodeProtectedHeader(token);
    const claims = decodeJwt(token);
    const key = await importJWK(await privateJwk(database(tenant), header.kid!), 'ES256');
    return {
      kid: header.kid!,
      token,
      forge: (iat: number, exp: number) =>
        new SignJWT({ ...claims, iat, exp })
          .setProtectedHeader({ alg: 'ES256', kid: header.kid!, typ: 'JWT' })
          .sign(key),
    };
  }

  test('overlap: both nodes sign with the new one at once and take what the old one signed', async () => {
    const tenant = await portal.createTenant();
    const userId = await tenant.createUser();
    const before = await tenant.token(userId);
    expect(await statuses(tenant, before)).toEqual([200, 200]);
    const kid = await rotateKey(database(tenant), testSealer, 'signing', now);
    const after = await tenant.token(userId);
    expect(decodeProtectedHeader(after).kid).toBe(kid);
    expect(await statuses(tenant, after)).toEqual([200, 200]);
    expect(await statuses(tenant, before)).toEqual([200, 200]);
    expect((await listKeys(database(tenant))).filter(({ kind }) => kind === 'signing')).toMatchObject([
      { id: kid, state: 'signs', unusedFrom: null },
      { id: decodeProtectedHeader(before).kid, state: 'verifies' },
    ]);
  });

  test('that were retired sign nothing more', async () => {
    const tenant = await portal.createTenant();
    const { forge } = await thief(tenant, await tenant.createUser());
    const at = Math.floor(now / 1000);
    expect(await statuses(tenant, await forge(at, at + 3_600))).toEqual([200, 200]);
    await rotateKey(database(tenant), testSealer, 'signing', now);
    now += 120_000;
    try {
      const later = Math.floor(now / 1000);
      expect(await statuses(tenant, await forge(later, later + 3_600))).toEqual([401, 401]);
      expect(await statuses(tenant, await forge(at, at + 3_600))).toEqual([200, 200]);
      // Dated back, a token still ends a day after its key was retired.
      expect(await statuses(tenant, await forge(at, at + MAX_TOKEN_SECONDS + 1))).toEqual([401, 401]);
    } finally {
      now -= 120_000;
    }
  });

  test('sign no token that lives longer than a day, or is from the future', async () => {
    const tenant = await portal.createTenant();
    const { forge } = await thief(tenant, await tenant.createUser());
    const at = Math.floor(now / 1000);
    expect(await statuses(tenant, await forge(at, at + MAX_TOKEN_SECONDS))).toEqual([200, 200]);
    expect(await statuses(tenant, await forge(at, at + MAX_TOKEN_SECONDS + 1))).toEqual([401, 401]);
    expect(await statuses(tenant, await forge(at + 86_400, at + 90_000))).toEqual([401, 401]);
    const claims = decodeJwt(await tenant.token(tenant.systemUserId));
    expect(claims.exp! - claims.iat!).toBe(3_600);
  });

  test('that were withdrawn verify nothing more, on any node, from the next request on', async () => {
    const tenant = await portal.createTenant();
    const userId = await tenant.createUser();
    const { kid, token } = await thief(tenant, userId);
    await expect(withdrawKey(database(tenant), kid)).rejects.toThrow('is in use');
    expect(await statuses(tenant, token)).toEqual([200, 200]);
    await rotateKey(database(tenant), testSealer, 'signing', now);
    // Both nodes have checked it with the keys as they are now.
    expect(await statuses(tenant, token)).toEqual([200, 200]);
    await withdrawKey(database(tenant), kid);
    expect(await statuses(tenant, token)).toEqual([401, 401]);
    expect(await statuses(tenant, await tenant.token(userId))).toEqual([200, 200]);
    await expect(withdrawKey(database(tenant), kid)).rejects.toThrow('has no key');
  });

  test('can be replaced at one stroke, and no other tenant notices', async () => {
    const [tenant, other] = [await portal.createTenant(), await portal.createTenant()];
    const userId = await tenant.createUser();
    const [stolen, theirs] = [await tenant.token(userId), await other.token(await other.createUser())];
    expect(await statuses(tenant, stolen)).toEqual([200, 200]);
    await rotateKey(database(tenant), testSealer, 'signing', now, { withdrawOthers: true });
    expect(await statuses(tenant, stolen)).toEqual([401, 401]);
    expect(await statuses(tenant, await tenant.token(userId))).toEqual([200, 200]);
    expect(await statuses(other, theirs)).toEqual([200, 200]);
  });

  test('and secrets are bounded in number', async () => {
    const tenant = await portal.createTenant();
    for (const kind of ['signing', 'page', 'link'] as const) {
      for (let count = 1; count < 10; count++) await rotateKey(database(tenant), testSealer, kind, now);
      await expect(rotateKey(database(tenant), testSealer, kind, now)).rejects.toThrow('withdraw old ones first');
      expect((await listKeys(database(tenant))).filter((key) => key.kind === kind)).toHaveLength(10);
      await rotateKey(database(tenant), testSealer, kind, now, { withdrawOthers: true });
      expect((await listKeys(database(tenant))).filter((key) => key.kind === kind)).toMatchObject([{ state: 'signs' }]);
    }
  });
});

describe('page and link secrets', () => {
  test('overlap: tokens and links of before hold on every node until their secret is withdrawn', async () => {
    const tenant = await portal.createTenant();
    const admin = await tenant.createUser({ admin: true });
    const db = database(tenant);
    const first = (await listKeys(db)).filter(({ kind }) => kind !== 'signing');
    expect(first.map(({ kind, state }) => [kind, state])).toEqual([
      ['link', 'signs'],
      ['page', 'signs'],
    ]);
    const page = async () => (await tenant.request(admin, 'POST', USERS, { pageSize: 1 })).body.nextPageToken as string;
    const sync = async () => (await tenant.request(admin, 'POST', STREAM, {})).body.nextSyncToken as string;
    const link = async () => {
      const { settings } = await tenant.scope(admin);
      const payload = { t: tenant.tenant.id, c: 'a'.repeat(64), p: 'view', e: Math.floor(now / 1000) + 600 };
      return settings.links.sign('probe', payload);
    };
    const authorization = `Bearer ${await tenant.token(admin)}`;
    /** Whether each node takes a page token, a sync token and a link. */
    const taken = async (tokens: readonly string[]) => {
      const [pageToken, syncToken, linkToken] = tokens as [string, string, string];
      const found: unknown[] = [];
      for (const services of [portal.services, node.services]) {
        const app = services === portal.services ? portal.app : node.app;
        const post = async (url: string, payload: object) =>
          (await app.inject({ method: 'POST', url, payload, headers: { host: tenant.host, authorization } }))
            .statusCode;
        const { links } = await services.tenants.settings(tenant.tenant);
        found.push([
          await post(USERS, { pageSize: 1, pageToken }),
          await post(`${STREAM}?${new URLSearchParams({ syncToken })}`, {}),
          links.verify('probe', linkToken) !== null,
        ]);
      }
      return found;
    };
    const good = [
      [200, 200, true],
      [200, 200, true],
    ];
    const bothReadAnew = () =>
      Promise.all([portal.services, node.services].map((services) => settingsReadAnew(services, tenant.tenant)));
    const before = [await page(), await sync(), await link()];
    expect(await taken(before)).toEqual(good);
    // While the new secrets wait, the old ones sign: no node meets a token that it cannot read yet.
    for (const kind of ['page', 'link'] as const)
      await rotateKey(db, testSealer, kind, now, { signsAfterSeconds: 600 });
    await bothReadAnew();
    const waiting = [await page(), await sync(), await link()];
    expect(waiting[2]).toBe(before[2]);
    expect(await taken(waiting)).toEqual(good);
    for (const kind of ['page', 'link'] as const) await rotateKey(db, testSealer, kind, now, { signsAfterSeconds: 0 });
    await bothReadAnew();
    const after = [await page(), await sync(), await link()];
    expect(after[2]).not.toBe(before[2]);
    expect(await taken(after)).toEqual(good);
    expect(await taken(before)).toEqual(good);
    const inUse = (await listKeys(db)).find(({ kind, state }) => kind === 'page' && state === 'signs')!;
    const waits = (await listKeys(db)).find(({ kind, state }) => kind === 'page' && state === 'waits')!;
    for (const { id } of [inUse, waits]) await expect(withdrawKey(db, id)).rejects.toThrow('is in use');
    for (const { id } of first) await withdrawKey(db, id);
    await bothReadAnew();
    expect(await taken(before)).toEqual([
      [400, 400, false],
      [400, 400, false],
    ]);
    expect(await taken(after)).toEqual(good);
  });

  test('a withdrawn link is refused', async () => {
    const tenant = await portal.createTenant();
    const scope = { ...(await tenant.scope(tenant.systemUserId)), baseUrl: '', clock };
    const path = fileLinks(scope).view({ contentRef: 'a'.repeat(64), mimeType: 'image/png' })!;
    const before = (await tenant.request(null, 'GET', path)).status;
    await rotateKey(database(tenant), testSealer, 'link', now, { withdrawOthers: true });
    await settingsReadAnew(portal.services, tenant.tenant);
    const after = (await tenant.request(null, 'GET', path)).status;
    // The file does not exist; only the holder of a valid link learns that.
    expect([before, after]).toEqual([404, 403]);
  });
});
