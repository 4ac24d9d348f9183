// An OpenID Connect provider on a loopback address, where one person is signed in without being asked for anything.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

/** Starts one. @param person claims of the person, with `sub` */
export async function startProvider(person) {
  const server = createServer();
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${server.address().port}`;
  return {
    host,
    issuer: `http://${host}`,
    /** Registers a client, and begins to answer. */
    register: (client) => {
      const provider = providerOf(`http://${host}`, client, person);
      server.on('request', async (request, response) => {
        if (!request.url.startsWith('/interaction/')) return provider.callback()(request, response);
        await provider.interactionFinished(request, response, { login: { accountId: person.sub } });
      });
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function providerOf(issuer, { id, secret, redirectUri }, person) {
  return new Provider(issuer, {
    clients: [
      {
        client_id: id,
        client_secret: secret,
        grant_types: ['authorization_code'],
        redirect_uris: [redirectUri],
        response_types: ['code'],
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name'],
    },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['of the example'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => person }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
}
