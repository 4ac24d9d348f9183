// Clients that write, read and follow through two nodes, and the count of what went wrong. A write is repeated with its
// idempotency key until it is acknowledged, as docs/interface.md tells clients to.
import { randomUUID, sign } from 'node:crypto';
import { Agent, request } from 'node:http';
import { wait } from './machines.mjs';

const API = '/portal/api/external/v2/';
const WRITERS = 8;
const READERS = 4;
/** How long after its end a write may wait to be told by the stream. Milliseconds. */
const TOLD_WITHIN = 30_000;
/** What a client expects of a portal in trouble: to come back later. */
const LATER = new Set([503]);

/** @param origins gives the addresses of the nodes; `key` is a service-account key file's content */
export async function makeLoad({ origins, key }) {
  const agent = new Agent({ keepAlive: true });
  let token;
  let turn = 0;

  /** One request to one node. @returns status 0 when the connection broke or nothing came within 30 seconds */
  function send(method, path, { body, headers = {} } = {}) {
    const origin = origins[turn++ % origins.length];
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve) => {
      const asked = request(
        new URL(API + path, origin),
        {
          agent,
          method,
          timeout: 30_000,
          headers: {
            ...headers,
            ...(token && { Authorization: `Bearer ${token}` }),
            ...(text !== undefined && { 'Content-Type': 'application/json' }),
          },
        },
        (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.once('error', () => resolve({ status: 0 }));
          response.once('end', () => {
            const content = Buffer.concat(chunks).toString();
            resolve({
              status: response.statusCode,
              later: Number(response.headers['retry-after'] ?? 1),
              body: content === '' ? undefined : JSON.parse(content),
            });
          });
        },
      );
      asked.once('timeout', () => asked.destroy());
      asked.once('error', () => resolve({ status: 0 }));
      asked.end(text);
    });
  }

  /** Repeats a request until it is answered by something else than "later". */
  async function insist(method, path, options) {
    for (;;) {
      const answer = await send(method, path, options);
      if (answer.status !== 0 && !LATER.has(answer.status)) return answer;
      if (answer.status !== 0) state.unavailable++;
      else state.broken++;
      await wait(Math.min(answer.later ?? 0.2, 1) * 1000);
    }
  }

  async function expect200(method, path, options) {
    const answer = await insist(method, path, options);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async function signIn() {
    const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Math.floor(Date.now() / 1000);
    const unsigned = `${encode({ alg: 'RS512', typ: 'JWT', kid: key.private_key_id })}.${encode({
      iss: key.client_id,
      aud: 'portico/portal-authenticator',
      iat: now,
      exp: now + 300,
      jti: randomUUID().replaceAll('-', ''),
    })}`;
    const jwtAssertion = `${unsigned}.${sign('RSA-SHA512', Buffer.from(unsigned), key.private_key).toString('base64url')}`;
    token = undefined;
    ({ accessToken: token } = await expect200('POST', 'core/auth/create-access-token-by-service-account', {
      body: { jwtAssertion },
    }));
  }

  const state = { unavailable: 0, broken: 0 };
  /** Acknowledged posts by id, with their titles. */
  const acknowledged = new Map();
  const times = [];
  const wrong = [];
  const told = new Set();
  let position;
  let going = false;
  let loops = [];
  let number = 0;

  await signIn();
  const { workspaceId } = await expect200('POST', 'admin/manage/workspaces', {
    body: { name: `Rehearsal ${randomUUID().slice(0, 8)}` },
  });
  const { communityId } = await expect200('POST', 'admin/manage/communities', {
    body: { workspaceId, name: 'Rehearsal', draft: false },
  });

  async function write() {
    const title = `Write ${++number}`;
    const answer = await insist('POST', `communication/posts/manage/create-post/${communityId}`, {
      body: { title },
      headers: { 'Idempotency-Key': randomUUID() },
    });
    if (answer.status !== 200)
      return wrong.push(`a write: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
    acknowledged.set(answer.body.postId, title);
    times.push(Date.now());
  }

  async function read() {
    const ids = [...acknowledged.keys()];
    if (ids.length === 0) return wait(50);
    const id = ids[Math.floor(Math.random() * ids.length)];
    const answer = await insist('GET', `communication/posts/data/post-detail-by-id/${id}`);
    if (answer.status !== 200 || answer.body.title !== acknowledged.get(id))
      wrong.push(`a read of post ${id}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
  }

  async function follow() {
    let pageToken;
    for (;;) {
      const query = new URLSearchParams({ ...(position && { syncToken: position }), ...(pageToken && { pageToken }) });
      const answer = await insist('POST', `communication/posts/data/global-stream?${query}`, { body: {} });
      if (answer.status !== 200)
        return wrong.push(`the stream: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
      for (const { id } of answer.body.items) told.add(id);
      pageToken = answer.body.nextPageToken;
      if (pageToken) continue;
      position = answer.body.nextSyncToken;
      return undefined;
    }
  }

  const repeat = async (step, pause) => {
    try {
      for (; going; await wait(pause)) await step();
    } catch (error) {
      wrong.push(error.stack);
    }
  };

  return {
    acknowledged: () => acknowledged.size,
    /** The time of the first acknowledged write after `moment`, once there is one. Milliseconds of the epoch. */
    firstAfter: (moment) => times.find((time) => time > moment),
    async start() {
      await signIn();
      Object.assign(state, { unavailable: 0, broken: 0 });
      wrong.length = 0;
      times.length = 0;
      going = true;
      loops = [
        ...Array.from({ length: WRITERS }, () => repeat(write, 100)),
        ...Array.from({ length: READERS }, () => repeat(read, 100)),
        repeat(follow, 500),
      ];
    },
    /** Ends the clients and compares. Counts, the longest time without an acknowledged write in seconds, and wrong answers. */
    async end() {
      going = false;
      await Promise.all(loops);
      // The stream tells a change when all that began before it has ended: in a moment, not at once.
      const untold = () => [...acknowledged.keys()].filter((id) => !told.has(id));
      const ended = Date.now();
      for (await follow(); untold().length > 0 && Date.now() - ended < TOLD_WITHIN; await wait(500)) await follow();
      const titles = new Map();
      for (let pageToken; ; ) {
        const page = await expect200('POST', `communication/posts/data/list/community/${communityId}`, {
          body: { pageSize: 500, ...(pageToken && { pageToken }) },
        });
        for (const { title } of page.items) titles.set(title, (titles.get(title) ?? 0) + 1);
        pageToken = page.nextPageToken;
        if (!pageToken) break;
      }
      const gaps = times.slice(1).map((time, index) => time - times[index]);
      return {
        acknowledged: acknowledged.size,
        lost: [...acknowledged.values()].filter((title) => !titles.has(title)).length,
        doubled: [...titles.values()].filter((count) => count > 1).length,
        untold: untold().length,
        secondsWithoutWrites: Math.max(0, ...gaps) / 1000,
        wrong: [...wrong],
        ...state,
      };
    },
    close: () => agent.destroy(),
  };
}
