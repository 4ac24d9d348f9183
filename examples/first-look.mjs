// Signs in with a service-account key file and lists the newest posts of the first community: the two steps that every
// client of the interface begins with. Needs nothing but Node.js.
// usage: node examples/first-look.mjs KEY_FILE [BASE_URL]
import { randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [keyFile = '.portico/demo-service-account.json', baseUrl = 'http://localhost:8080'] = process.argv.slice(2);
const api = `${baseUrl.replace(/\/+$/, '')}/portal/api/external/v2`;

async function ask(method, path, { token, body } = {}) {
  const response = await fetch(`${api}/${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${answer.code}: ${answer.message}`);
  return answer;
}

// 1. Sign in: a JWT signed RS512 with the key is exchanged for an access token.
const key = JSON.parse(readFileSync(keyFile, 'utf8'));
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = Math.floor(Date.now() / 1000);
const unsigned = [
  encode({ alg: 'RS512', typ: 'JWT', kid: key.private_key_id }),
  encode({
    iss: key.client_id,
    aud: 'portico/portal-authenticator',
    iat: now,
    exp: now + 300,
    jti: randomUUID().replaceAll('-', ''),
  }),
].join('.');
const jwtAssertion = `${unsigned}.${sign('RSA-SHA512', Buffer.from(unsigned), key.private_key).toString('base64url')}`;
const { accessToken: token } = await ask('POST', 'core/auth/create-access-token-by-service-account', {
  body: { jwtAssertion },
});

// 2. List: the communities one may post in, then the newest posts of the first of them.
const { userData } = await ask('GET', 'core/auth/current-user-data', { token });
const { communities } = await ask('GET', 'communication/settings/communities', { token });
const [community] = communities;
if (!community) {
  console.log(`Signed in as ${userData.firstName} ${userData.lastName}; there is no community yet.`);
  process.exit();
}
const { items, totalItemsCount } = await ask('POST', `communication/posts/data/list/community/${community.id}`, {
  token,
  body: { pageSize: 5, calculateTotalItemsCount: true },
});
console.log(`Signed in as ${userData.firstName} ${userData.lastName}; ${communities.length} communities.`);
console.log(`The newest of ${totalItemsCount} posts in "${community.name}":`);
for (const post of items) console.log(`  ${post.customId.padStart(5)}  ${post.title}`);
