/** The identity-provider exchange against a real OpenID provider on loopback, and against providers that misbehave. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTestPortal,
  settingsReadAnew,
  type TestPortal,
  type TestTenant,
} from '../../../../test/support/index.ts';

const EXCHANGE = '/portal/api/core/auth/create-access-token-by-google-oauth2-access-token-credentials';
const INTROSPECTION_CLIENT = { id: 'portico-introspection', secret: 'introspection-secret' };

let portal: TestPortal;
let tenant: TestTenant;
let issuer: Server;
let provider: Provider;
let issuerUrl: string;

async function listen(server: Server): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const close = (server: Server) =>
  new Promise<void>((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });

beforeAll(async () => {
  // The provider must know its address before it starts, so find a free port first.
  const probe = createServer();
  issuerUrl = await listen(probe);
  await close(probe);
  provider = new Provider(issuerUrl, {
    clients: [
      {
        client_id: 'portal-app',
        client_secret: 'app-secret',
        grant_types: ['authorization_code'],
        redirect_uris: ['https://portal.example/callback'],
        response_types: ['code'],
      },
      {
        client_id: 'other-app',
        client_secret: 'other-secret',
        grant_types: ['authorization_code'],
        redirect_uris: ['https://other.example/callback'],
        response_types: ['code'],
      },
      {
        client_id: INTROSPECTION_CLIENT.id,
        client_secret: INTROSPECTION_CLIENT.secret,
        grant_types: [],
        redirect_uris: [],
        response_types: [],
      },
    ],
    scopes: ['openid', 'profile', 'email'],
    features: {
      devInteractions: { enabled: false },
      introspection: { enabled: true, allowedPolicy: async () => true },
    },
    findAccount: async (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  });
  issuer = createServer(provider.callback());
  const port = Number(new URL(issuerUrl).port);
  const { promise, resolve } = Promise.withResolvers<void>();
  issuer.listen(port, '127.0.0.1', resolve);
  await promise;
  portal = await createTestPortal({
    env: {
      PORTICO_PROVIDER_TOKENINFO_URL: `${issuerUrl}/token/introspection`,
      PORTICO_PROVIDER_CLIENT_ID: INTROSPECTION_CLIENT.id,
      PORTICO_PROVIDER_CLIENT_SECRET: INTROSPECTION_CLIENT.secret,
      PORTICO_PROVIDER_TIMEOUT_MS: '1000',
    },
  });
  tenant = await portal.createTenant();
  await portal.services.databases
    .for(tenant.tenant.id)
    .execute(`UPDATE tenant_settings SET provider_client_ids = '{portal-app}' WHERE tenant_id = $1`, [
      tenant.tenant.id,
    ]);
});
afterAll(async () => {
  await portal.close();
  await close(issuer);
});

/** Returns an access token as the provider issues it at the end of a sign-in. */
async function providerToken(accountId: string, scope = 'openid profile', clientId = 'portal-app'): Promise<string> {
  const client = await provider.Client.find(clientId);
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(scope);
  const grantId = await grant.save();
  const token = new provider.AccessToken({
    accountId,
    client: client!,
    grantId,
    scope,
    gty: 'authorization_code',
  } as never);
  return token.save();
}

async function linkedUser(account: string, change: { enabled?: boolean; blocked?: boolean } = {}): Promise<number> {
  const userId = await tenant.createUser();
  await portal.services.databases
    .for(tenant.tenant.id)
    .execute(
      'UPDATE users SET google_account_id = $3, google_enabled = $4, blocked = $5 WHERE tenant_id = $1 AND id = $2',
      [tenant.tenant.id, userId, account, change.enabled ?? true, change.blocked ?? false],
    );
  return userId;
}

const exchange = (googleOAuth2Token: string, within = tenant) =>
  within.request(null, 'POST', EXCHANGE, { googleOAuth2Token });

describe('the exchange of a provider token', () => {
  it('signs the linked user in, below both prefixes', async () => {
    const userId = await linkedUser('ada-at-provider');
    const answer = await exchange(await providerToken('ada-at-provider'));
    expect(answer.status, answer.text).toBe(200);
    const me = await tenant.request(null, 'GET', '/portal/api/core/auth/current-user-data', undefined, {
      Authorization: `Bearer ${answer.body.accessToken}`,
    });
    expect(me.body.userData.id).toBe(userId);
    const other = await tenant.request(null, 'POST', EXCHANGE.replace('/portal/api', '/portal/api/external/v2'), {
      googleOAuth2Token: await providerToken('ada-at-provider'),
    });
    expect(other.status).toBe(200);
  });

  it.each([
    ['the scope profile is missing', () => providerToken('scope-at-provider', 'openid'), 'scope-at-provider', {}],
    [
      'it was issued for another application',
      () => providerToken('aud-at-provider', 'openid profile', 'other-app'),
      'aud-at-provider',
      {},
    ],
    ['the identity is linked to nobody', () => providerToken('nobody-at-provider'), undefined, {}],
    [
      'the provider block is not enabled',
      () => providerToken('off-at-provider'),
      'off-at-provider',
      { enabled: false },
    ],
    ['the user is blocked', () => providerToken('blocked-at-provider'), 'blocked-at-provider', { blocked: true }],
    ['the provider never issued it', async () => 'made-up', undefined, {}],
  ])('is 401 when %s', async (_reason, token, account, change) => {
    if (account) await linkedUser(account, change);
    const answer = await exchange(await token());
    expect(answer.status, answer.text).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('INVALID_AUTH_TOKEN');
  });

  it('is 401 in a tenant that has configured no client id, and for the user of another tenant', async () => {
    await linkedUser('grace-at-provider');
    const elsewhere = await portal.createTenant();
    expect((await exchange(await providerToken('grace-at-provider'), elsewhere)).status).toBe(401);
    await portal.services.databases
      .for(elsewhere.tenant.id)
      .execute(`UPDATE tenant_settings SET provider_client_ids = '{portal-app}' WHERE tenant_id = $1`, [
        elsewhere.tenant.id,
      ]);
    await settingsReadAnew(portal.services, elsewhere.tenant);
    expect((await exchange(await providerToken('grace-at-provider'), elsewhere)).status).toBe(401);
  });
});

describe('what a provider says of an account', () => {
  let scripted: TestPortal;
  let within: TestTenant;
  let server: Server;
  const users = new Map<string, number>();

  beforeAll(async () => {
    // Responds with the content of the token.
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.writeHead(200).end(new URLSearchParams(body).get('token'));
    });
    scripted = await createTestPortal({ env: { PORTICO_PROVIDER_TOKENINFO_URL: await listen(server) } });
    within = await scripted.createTenant();
    const db = scripted.services.databases.for(within.tenant.id);
    await db.execute(`UPDATE tenant_settings SET provider_client_ids = '{portal-app}' WHERE tenant_id = $1`, [
      db.tenantId,
    ]);
    for (const account of ['Ada@acme.example', '1234567890', 'sub-MixedCase']) {
      const userId = await within.createUser();
      users.set(account, userId);
      await db.execute(
        'UPDATE users SET google_account_id = $3, google_enabled = true WHERE tenant_id = $1 AND id = $2',
        [db.tenantId, userId, account],
      );
    }
    const program = await within.createUser({ service: true });
    await db.execute(
      `UPDATE users SET google_account_id = 'program', google_enabled = true WHERE tenant_id = $1 AND id = $2`,
      [db.tenantId, program],
    );
  });
  afterAll(async () => {
    await scripted.close();
    await close(server);
  });

  const base = { aud: 'portal-app', scope: 'profile' };
  async function signsIn(claims: object): Promise<number | undefined> {
    const answer = await exchange(JSON.stringify({ ...base, ...claims }), within);
    if (answer.status !== 200) {
      expect(answer.status, answer.text).toBe(401);
      return undefined;
    }
    const me = await within.request(null, 'GET', '/portal/api/core/auth/current-user-data', undefined, {
      Authorization: `Bearer ${answer.body.accessToken}`,
    });
    return me.body.userData.id;
  }

  it('counts an e-mail address only when it is said to be verified', async () => {
    const email = 'ada@ACME.example';
    for (const email_verified of [true, 'true'])
      expect(await signsIn({ email, email_verified })).toBe(users.get('Ada@acme.example'));
    for (const email_verified of [undefined, null, false, 'false', 'False', 0, 1, '', 'TRUE', 'yes', [true], {}])
      expect(await signsIn({ email, email_verified }), String(email_verified)).toBeUndefined();
  });

  it('takes an id with @ for an address and any other for the subject', async () => {
    const verified = { email_verified: true };
    expect(await signsIn({ sub: '1234567890' })).toBe(users.get('1234567890'));
    expect(await signsIn({ sub: 'sub-MixedCase' })).toBe(users.get('sub-MixedCase'));
    expect(await signsIn({ sub: 'sub-mixedcase' })).toBeUndefined();
    expect(await signsIn({ sub: 'Ada@acme.example' })).toBeUndefined();
    expect(await signsIn({ sub: 'Ada@acme.example', email: 'eve@evil.example', ...verified })).toBeUndefined();
    expect(await signsIn({ email: '1234567890', ...verified })).toBeUndefined();
    expect(await signsIn({ sub: 'x\u0000', email: 'ada@acme.example\u0000', ...verified })).toBeUndefined();
  });

  it('refuses a token that is not active, in any spelling', async () => {
    for (const active of [false, 'false', 'False', 'FALSE', ' false ', 'no', 0, '0', null, '', [], {}])
      expect(await signsIn({ sub: '1234567890', active }), JSON.stringify(active)).toBeUndefined();
    for (const active of [true, 'true', 'True', 1])
      expect(await signsIn({ sub: '1234567890', active })).toBe(users.get('1234567890'));
  });

  it('never signs a program in', async () => {
    expect(await signsIn({ sub: 'program' })).toBeUndefined();
  });
});

describe('a provider that misbehaves', () => {
  let answer: (response: import('node:http').ServerResponse) => void;
  const server = createServer((_request, response) => answer(response));
  let other: TestPortal;
  let within: TestTenant;

  beforeAll(async () => {
    other = await createTestPortal({
      env: { PORTICO_PROVIDER_TOKENINFO_URL: await listen(server), PORTICO_PROVIDER_TIMEOUT_MS: '300' },
    });
    within = await other.createTenant();
    await other.services.databases
      .for(within.tenant.id)
      .execute(`UPDATE tenant_settings SET provider_client_ids = '{portal-app}' WHERE tenant_id = $1`, [
        within.tenant.id,
      ]);
  });
  afterAll(async () => {
    await other.close();
    await close(server);
  });

  async function against(given: typeof answer): Promise<number> {
    answer = given;
    return (await within.request(null, 'POST', EXCHANGE, { googleOAuth2Token: 'some-token' })).status;
  }

  it('is not followed where it redirects, nor waited for, nor believed when it talks nonsense', async () => {
    expect(await against((response) => response.writeHead(302, { Location: issuerUrl }).end())).toBe(503);
    expect(await against(() => undefined)).toBe(503);
    expect(await against((response) => response.writeHead(200).end('not json'))).toBe(401);
    expect(await against((response) => response.writeHead(200).end('x'.repeat(100_000)))).toBe(401);
    expect(await against((response) => response.writeHead(500).end())).toBe(503);
    expect(
      await against((response) =>
        response
          .writeHead(200)
          .end(JSON.stringify({ aud: 'portal-app', scope: 'profile', email: 'a@b.c', email_verified: false })),
      ),
    ).toBe(401);
  });
});
