// Clients that write, read and follow the stream through two nodes, and count what went wrong. A write is repeated with its
// idempotency key until it is acknowledged, as docs/interface.md tells clients to.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { signAssertion } from '../shared.mjs';
import { wait } from './machines.mjs';

const API = '/portal/api/external/v2/';
const WRITERS = 8;
const READERS = 4;
/** How long after the last write the stream may take to tell it. Milliseconds. */
const STREAM_MS = 30_000;
/** Answers after which a client tries again later. */
const RETRIED = new Set([503]);

/** @param origins gives the addresses of the nodes; `key` is a service-account key file's content */
export async function makeLoad({ origins, key }) {
  const agent = new Agent({ keepAlive: true });
  let token;
  let turn = 0;

  /**
   * Sends a request to one node.
   * @returns status 0 if the connection broke or no answer arrived within 30 seconds
   */
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
              retryAfter: Number(response.headers['retry-after'] ?? 1),
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

  /** Repeats a request until its answer is not one to retry. */
  async function retry(method, path, options) {
    for (;;) {
      const answer = await send(method, path, options);
      if (answer.status !== 0 && !RETRIED.has(answer.status)) return answer;
      if (answer.status !== 0) state.unavailable++;
      else state.broken++;
      await wait(Math.min(answer.retryAfter ?? 0.2, 1) * 1000);
    }
  }

  async function expect200(method, path, options) {
    const answer = await retry(method, path, options);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async function signIn() {
    token = undefined;
    ({ accessToken: token } = await expect200('POST', 'core/auth/create-access-token-by-service-account', {
      body: { jwtAssertion: signAssertion(key) },
    }));
  }

  const state = { unavailable: 0, broken: 0 };
  /** Acknowledged posts by id, with their titles. */
  const acknowledged = new Map();
  const times = [];
  const wrong = [];
  const streamed = new Set();
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
    const answer = await retry('POST', `communication/posts/manage/create-post/${communityId}`, {
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
    const answer = await retry('GET', `communication/posts/data/post-detail-by-id/${id}`);
    if (answer.status !== 200 || answer.body.title !== acknowledged.get(id))
      wrong.push(`a read of post ${id}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
  }

  async function follow() {
    let pageToken;
    for (;;) {
      const query = new URLSearchParams({ ...(position && { syncToken: position }), ...(pageToken && { pageToken }) });
      const answer = await retry('POST', `communication/posts/data/global-stream?${query}`, { body: {} });
      if (answer.status !== 200)
        return wrong.push(`the stream: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
      for (const { id } of answer.body.items) streamed.add(id);
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
      const missing = () => [...acknowledged.keys()].filter((id) => !streamed.has(id));
      const ended = Date.now();
      for (await follow(); missing().length > 0 && Date.now() - ended < STREAM_MS; await wait(500)) await follow();
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
        missing: missing().length,
        secondsWithoutWrites: Math.max(0, ...gaps) / 1000,
        wrong: [...wrong],
        ...state,
      };
    },
    close: () => agent.destroy(),
  };
}
