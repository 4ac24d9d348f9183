/** OpenID Connect provider on loopback, and a browser that signs a person in there. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Claims of a person at the provider, by their subject. */
export type Person = Record<string, unknown> & { sub: string };

export interface TestProvider {
  issuer: string;
  /** As `PORTICO_INTERNAL_PROVIDERS` names it. */
  host: string;
  /** Registers the portal's redirect URIs for all later sign-ins. */
  register(redirectUris: readonly string[]): void;
  /** Replaces the keys that sign ID tokens. */
  rotateKeys(): void;
  /** Handles requests in place of the provider; returns whether it responded. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Paths that were asked for. */
  readonly asked: string[];
  /** Chooses who signs in at the next visit of a real browser; an empty subject cancels. */
  expect(person: Person): void;
  /** Signs a person in, like their browser. @returns the address that the provider redirects to */
  signIn(location: string, person: Person): Promise<URL>;
  close(): Promise<void>;
}

export const CLIENT = { id: 'portico', secret: 'a secret of the test client' };

const newKey = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  kid: `key-${Math.random()}`,
});

export async function startProvider(): Promise<TestProvider> {
  const people = new Map<string, Person>();
  let next: Person | undefined;
  let redirects: readonly string[] = ['https://portal.example/callback'];
  let key = newKey();
  let provider: Provider;
  const server: Server = createServer((request, response) => void handle(request, response));
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `http://${host}`;

  function build(): void {
    provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          grant_types: ['authorization_code'],
          redirect_uris: [...redirects],
          response_types: ['code'],
        },
      ],
      jwks: { keys: [key as never] },
      scopes: ['openid', 'profile', 'email', 'groups'],
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'given_name', 'family_name'],
        groups: ['groups', '_claim_names', '_claim_sources'],
      },
      features: { devInteractions: { enabled: false } },
      cookies: { keys: ['of the test'] },
      pkce: { required: () => true },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: async (_context, sub) => ({ accountId: sub, claims: async () => people.get(sub) ?? { sub } }),
      loadExistingGrant: async (context) => {
        const { client, session } = context.oidc;
        const grant = new context.oidc.provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! });
        grant.addOIDCScope('openid profile email groups');
        await grant.save();
        return grant;
      },
    });
  }
  build();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    result.asked.push(new URL(request.url ?? '/', issuer).pathname);
    if (result.intercept?.(request, response)) return;
    if (request.url?.startsWith('/interaction/')) {
      const outcome = next ? { login: { accountId: next.sub } } : { error: 'access_denied' };
      await provider.interactionFinished(request, response, outcome, { mergeWithLastSubmission: false });
    } else await provider.callback()(request, response);
  }

  const result: TestProvider = {
    issuer,
    host,
    intercept: undefined,
    asked: [],
    register: (uris) => {
      redirects = uris;
      build();
    },
    rotateKeys: () => {
      key = newKey();
      build();
    },
    expect: (person) => {
      if (person.sub !== '') people.set(person.sub, person);
      next = person.sub === '' ? undefined : person;
    },
    signIn: async (location, person) => {
      result.expect(person);
      const cookies = new Map<string, string>();
      for (let url = new URL(location), hops = 0; hops < 10; hops++) {
        const answer = await fetch(url, {
          redirect: 'manual',
          headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        });
        for (const line of answer.headers.getSetCookie()) {
          const [pair = ''] = line.split(';');
          cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
        }
        const target = answer.headers.get('location');
        if (target === null) throw new Error(`${url.pathname}: ${answer.status} ${await answer.text()}`);
        url = new URL(target, url);
        if (url.host !== host) return url;
      }
      throw new Error('the provider redirects without end');
    },
    close: async () => {
      server.closeAllConnections();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
  return result;
}
