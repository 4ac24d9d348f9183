// The packed client library on a page of another origin; scripts/browser.test.ts opens it in a real
// browser.
import {
  AuthenticationError,
  ConflictError,
  NetworkError,
  NotFoundError,
  PorticoClient,
  UnknownNameError,
  ValidationError,
} from '/sdk/index.js';

/** The class, status and request id of the error of a call. */
async function failure(call, expected) {
  try {
    await call();
  } catch (error) {
    return { is: error instanceof expected, name: error.name, status: error.status, requestId: error.requestId };
  }
  return { is: false, name: 'no failure' };
}

/** Signs in with the content of a key file. @returns the access token */
globalThis.signIn = ({ baseUrl, key }) =>
  new PorticoClient({ baseUrl, credentials: { serviceAccount: key } }).accessToken();

/** Calls a portal that does not know the origin of this page. */
globalThis.tryOut = ({ baseUrl, token }) => {
  const client = new PorticoClient({ baseUrl, credentials: { accessToken: token }, retries: 0 });
  return failure(() => client.auth.currentUser(), NetworkError);
};

const inSession = () => new PorticoClient({ baseUrl: location.origin, credentials: 'session', retries: 0 });

/** Signs in as a page of the portal. */
globalThis.startSession = async (credentials) => {
  const client = inSession();
  const before = await failure(() => client.auth.currentUser(), AuthenticationError);
  const { userId } = await client.auth.startSession(credentials);
  return { before, userId, cookie: document.cookie };
};

/** Returns the signed-in account and its number of browsers; undefined if nobody is signed in. */
globalThis.session = async () => {
  const client = inSession();
  const { name } = await failure(() => client.auth.currentUser(), AuthenticationError);
  if (name === 'AuthenticationError') return undefined;
  const { userData } = await client.auth.currentUser();
  const { sessions } = await client.auth.sessions();
  return { userId: userData.id, sessions: sessions.length };
};

globalThis.revokeOthers = () => inSession().auth.revokeOtherSessions();
globalThis.signOut = () => inSession().signOut();

/**
 * Sends a request that a page of another origin can send without permission.
 * @returns the browser's type of the answer, which it hides
 */
globalThis.forge = async ({ baseUrl }) => {
  const url = `${baseUrl}/portal/api/core/auth/manage/sessions/revoke-others`;
  return (await fetch(url, { method: 'POST', credentials: 'include', mode: 'no-cors' })).type;
};

/** Runs all functions of the library, with a token that the page was given. */
globalThis.use = async ({ baseUrl, token, community }) => {
  const urls = [];
  const client = new PorticoClient({
    baseUrl,
    credentials: { accessToken: token },
    hooks: { onRequest: ({ url, headers }) => urls.push(`${url} ${JSON.stringify(headers)}`) },
  });
  const { userData } = await client.auth.currentUser();
  const { communities = [] } = await client.communities.listWritable();
  const communityId = communities.find(({ name }) => name === community).id;
  const page = await client.posts.list({ communityId, pageSize: 3, calculateTotalItemsCount: true });
  const iterated = [];
  for await (const { id } of client.posts.iterate({ communityId, where: { Severity: 'High' }, pageSize: 2, limit: 5 }))
    iterated.push(id);

  let syncToken;
  const follow = { once: true, onSync: (next) => (syncToken = next) };
  let before = 0;
  for await (const _ of client.stream.follow(follow)) before++;

  const progress = [];
  const file = new File([new Uint8Array(3_000_000).fill(65)], 'measures.txt', { type: 'text/plain' });
  const uploaded = await client.files.upload(file, { onProgress: (now) => progress.push(now) });
  const { postId } = await client.posts.create({
    communityId,
    announcement: false,
    title: 'From a page of another origin',
    description: 'Written in a browser.',
    descriptionFormat: 2,
    customData: { Severity: 'High', Site: 'Kobe' },
    attachments: [uploaded],
  });
  const { items: files = [] } = await client.attachments.list({ postId });
  const text = await (await client.files.download(files[0].id)).text();

  const controller = new AbortController();
  const followed = [];
  for await (const item of client.stream.follow({ syncToken, intervalMs: 50, signal: controller.signal })) {
    followed.push([item.id, item.status]);
    controller.abort();
  }

  const { occToken } = await client.posts.readForEdit({ postId });
  return {
    origin: location.origin,
    me: userData.id,
    listed: page.items.length,
    total: page.totalItemsCount,
    iterated,
    before,
    progress,
    files: files.map(({ name, size }) => [name, size]),
    downloaded: text.length,
    postId,
    followed,
    failures: {
      notFound: await failure(() => client.posts.get({ postId: 999_999_999 }), NotFoundError),
      validation: await failure(
        () => client.posts.create({ communityId, announcement: false, title: '' }),
        ValidationError,
      ),
      conflict: await failure(
        () =>
          client.posts.replace({ postId, occToken: occToken - 1, title: 'x', description: 'x', descriptionFormat: 2 }),
        ConflictError,
      ),
      name: await failure(() => client.posts.list({ communityId, where: { Severty: 'High' } }), UnknownNameError),
    },
    tokenSeen: urls.some((line) => line.includes(token)),
  };
};
globalThis.ready = true;
