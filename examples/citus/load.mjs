// The load of one tenant: a writer that repeats unacknowledged writes with the same key, and a
// follower of the stream. In the end, the acknowledged writes are compared with the list and with
// the stream.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { signAssertion } from '../shared.mjs';

/** Pauses between two writes and between two requests to the stream. Milliseconds. */
const WRITE_MS = 250;
const FOLLOW_MS = 1_000;
const POSTS = '/portal/api/communication/posts';

export class TenantLoad {
  name;
  #port;
  #key;
  #agent = new Agent({ keepAlive: true });
  #token;
  #communityId;
  #going = true;
  #loops = [];
  #syncToken;
  /** Titles that were acknowledged, with the time. */
  acknowledged = new Map();
  /** Writes that were not acknowledged: time and status; 0 for a broken connection. */
  refused = [];
  /** The slowest answer to a write. Milliseconds. */
  slowest = 0;
  /** Ids of posts in the stream. */
  streamed = new Set();
  /** Violations of the guarantees, a sentence each. */
  faults = [];

  constructor(name, port, key) {
    this.name = name;
    this.#port = port;
    this.#key = key;
  }

  async prepare() {
    await this.#signIn();
    const { workspaceId } = await this.#ask('/portal/api/admin/manage/workspaces', { name: 'Work' });
    const made = await this.#ask('/portal/api/admin/manage/communities', { workspaceId, name: 'Load' });
    this.#communityId = made.communityId;
    await this.#follow();
  }

  start() {
    this.#loops = [this.#write(), this.#followAll()];
  }

  async stop() {
    this.#going = false;
    await Promise.all(this.#loops);
  }

  /** Compares the acknowledged writes with the list and the stream. */
  async check() {
    const titles = [];
    const ids = new Map();
    for (let pageToken; ; ) {
      const { items, nextPageToken } = await this.#ask(`${POSTS}/data/list/community/${this.#communityId}`, {
        pageSize: 500,
        ...(pageToken && { pageToken }),
      });
      for (const { title, id } of items) {
        titles.push(title);
        ids.set(title, id);
      }
      if (!nextPageToken) break;
      pageToken = nextPageToken;
    }
    // The stream has the last writes a moment later.
    for (let turn = 0; turn < 50 && [...ids.values()].some((id) => !this.streamed.has(id)); turn++) {
      await sleep(100);
      await this.#follow();
    }
    return {
      acknowledged: this.acknowledged.size,
      lost: [...this.acknowledged.keys()].filter((title) => !ids.has(title)).length,
      doubled: titles.length - ids.size,
      missing: [...ids.values()].filter((id) => !this.streamed.has(id)).length,
    };
  }

  close() {
    this.#agent.destroy();
  }

  async #write() {
    for (let number = 1; this.#going; number++) {
      const title = `Post ${number}`;
      const key = randomUUID();
      for (;;) {
        const body = { announcement: false, title, visibility: 2 };
        const sent = performance.now();
        const { status, headers, text } = await this.#send(
          `${POSTS}/manage/create-post/${this.#communityId}`,
          body,
          key,
        );
        this.slowest = Math.max(this.slowest, performance.now() - sent);
        if (status === 200) {
          this.acknowledged.set(title, performance.now());
          break;
        }
        this.refused.push({ at: performance.now(), status });
        if (status === 401) await this.#signIn().catch(() => undefined);
        // 409: the first attempt with this key is still under way.
        else if (![0, 503, 409].includes(status))
          this.faults.push(`a write was answered ${status}: ${text.slice(0, 300)}`);
        else if (status === 503 && headers['retry-after'] === undefined) this.faults.push('a 503 has no Retry-After');
        await sleep(WRITE_MS);
      }
      await sleep(WRITE_MS);
    }
  }

  async #followAll() {
    while (this.#going) {
      await this.#follow().catch((error) => {
        if (![0, 503].includes(error.status)) this.faults.push(`the stream: ${error.message}`);
      });
      await sleep(FOLLOW_MS);
    }
  }

  /** Reads a round of the stream. */
  async #follow() {
    for (let pageToken; ; ) {
      const query = new URLSearchParams({
        ...(this.#syncToken && { syncToken: this.#syncToken }),
        ...(pageToken && { pageToken }),
      });
      const { items, nextPageToken, nextSyncToken } = await this.#ask(`${POSTS}/data/global-stream?${query}`, {});
      for (const { id } of items) this.streamed.add(id);
      if (!nextPageToken) {
        this.#syncToken = nextSyncToken;
        return;
      }
      pageToken = nextPageToken;
    }
  }

  async #signIn() {
    const { accessToken } = await this.#ask('/portal/api/core/auth/create-access-token-by-service-account', {
      jwtAssertion: signAssertion(this.#key),
    });
    this.#token = accessToken;
  }

  /** Sends a request that must succeed. */
  async #ask(path, body) {
    const { status, text } = await this.#send(path, body);
    if (status !== 200)
      throw Object.assign(new Error(`${path.split('?')[0]}: ${status} ${text.slice(0, 300)}`), { status });
    return JSON.parse(text);
  }

  /** @returns the answer; status 0 if there was none */
  #send(path, body, idempotencyKey) {
    const text = JSON.stringify(body);
    return new Promise((resolve) => {
      const broken = (error) => resolve({ status: 0, headers: {}, text: error.message });
      const outgoing = request(
        {
          agent: this.#agent,
          host: '127.0.0.1',
          port: this.#port,
          path,
          method: 'POST',
          headers: {
            Host: `${this.name}.test`,
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(text),
            ...(this.#token && { Authorization: `Bearer ${this.#token}` }),
            ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
          },
        },
        (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.once('error', broken);
          response.once('end', () =>
            resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() }),
          );
        },
      );
      outgoing.once('error', broken);
      outgoing.end(text);
    });
  }
}
