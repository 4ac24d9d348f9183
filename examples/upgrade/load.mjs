// Clients that read and write through several nodes, count every answer by its operation, and compare at the end. A write
// is repeated with its idempotency key until it is acknowledged, as docs/writing-posts.md tells clients to.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { signAssertion } from '../shared.mjs';

const WRITERS = 4;
const READERS = 6;
/** Between two rounds of a client. Milliseconds. */
const PAUSE_MS = 20;

/** The operations that readers call, by name: method, path and body. */
const reads = {
  list: (at) => ['POST', `posts/data/list/community/${at.community}`, { pageSize: 20, calculateTotalItemsCount: true }],
  search: (at) => ['POST', `posts/data/list/community/${at.community}`, { containsText: 'Upgrade' }],
  detail: (at) => ['GET', `posts/data/post-detail-by-id/${at.post}`],
  definition: (at) => ['GET', `settings/communities/${at.community}/post-definition`],
  'data for create': (at) => ['GET', `posts/manage/post-data-for-create/${at.community}`],
  'data for edit': (at) => ['GET', `posts/manage/post-data-for-edit/${at.post}`],
  comments: (at) => ['POST', `posts/data/comments-list/${at.post}`, { pageSize: 20 }],
  history: (at) => ['POST', `posts/data/history-list/${at.post}`, { pageSize: 20 }],
  stream: () => ['POST', 'posts/data/global-stream', {}],
  tasks: () => ['POST', 'tasks/data/tasks', { pageSize: 20 }],
  communities: () => ['GET', 'settings/communities'],
};

/**
 * Signs in and prepares the clients.
 * @param origins addresses of the nodes; may change at any time
 * @param key content of a service-account key file
 */
export async function makeLoad(origins, key) {
  /** Answers by operation and status. */
  const counts = new Map();
  const faults = [];
  /** Acknowledged posts by id: title, comment and state of the workflow that were acknowledged last. */
  const written = new Map();
  let token;
  let turn = 0;
  let number = 0;

  /** Sends one request to the next node. @returns status 0 when the connection broke */
  async function send(name, [method, path, body], idempotencyKey) {
    const origin = origins[turn++ % origins.length];
    let answer;
    try {
      const response = await fetch(`${origin}/portal/api/external/v2/${path}`, {
        method,
        headers: {
          ...(token && { Authorization: `Bearer ${token}` }),
          ...(body && { 'Content-Type': 'application/json' }),
          ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
        },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      });
      answer = {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        text: await response.text(),
      };
    } catch {
      answer = { status: 0 }; // counted as such, and repeated
    }
    const { status, retryAfter, text } = answer;
    const outcomes = counts.get(name) ?? {};
    counts.set(name, { ...outcomes, [status]: (outcomes[status] ?? 0) + 1 });
    if (status >= 400 && !(status === 503 && retryAfter !== null))
      faults.push(`${name} at ${origin}: ${status} ${text.slice(0, 400)}`);
    return { ...answer, body: status === 200 && text ? JSON.parse(text) : undefined };
  }

  /** Repeats a request while the node is unavailable. @returns the body; `undefined` after a refusal, which is a fault */
  async function ask(name, request, idempotencyKey) {
    for (;;) {
      const { status, body } = await send(name, request, idempotencyKey);
      if (status !== 0 && status !== 503) return body;
      await sleep(200);
    }
  }
  const communication = (name, [method, path, body], idempotencyKey) =>
    ask(name, [method, `communication/${path}`, body], idempotencyKey);
  const write = (name, path, body) => communication(name, ['POST', path, body], randomUUID());
  const detail = (post) => communication('detail', reads.detail({ post }));

  const assertion = { jwtAssertion: signAssertion(key) };
  const signedIn = await ask('sign-in', ['POST', 'core/auth/create-access-token-by-service-account', assertion]);
  token = signedIn.accessToken;
  const { userData } = await ask('own account', ['GET', 'core/auth/current-user-data']);
  const places = await findPlaces();

  /** Communities of the demo tenant that take a post with the fields of the first one there, and that post. */
  async function findPlaces() {
    const { communities } = await communication('communities', reads.communities());
    const found = [];
    for (const { id: community } of communities) {
      const { items } = await communication('list', reads.list({ community }));
      const { contentData } = await communication('data for edit', reads['data for edit']({ post: items[0].id }));
      // Entries of catalogs and people are read as objects and written as ids.
      const customData = Object.fromEntries(
        Object.entries(contentData.customData).map(([field, value]) => [
          field,
          Array.isArray(value) ? value.map((item) => item.id ?? item) : value,
        ]),
      );
      const path = `communication/posts/manage/create-post/${community}?dryRun=true`;
      const trial = await send('trial', ['POST', path, { title: 'Upgrade', customData }]);
      if (trial.body) found.push({ community, post: items[0].id, customData });
    }
    // A community with fields that only others write refuses the trial, which is no fault.
    faults.length = 0;
    counts.clear();
    if (found.length === 0) throw new Error('no community of the demo tenant takes the post of the trial');
    return found;
  }

  async function read(round) {
    const place = places[round % places.length];
    for (const [name, request] of Object.entries(reads)) await communication(name, request(place));
  }

  /**
   * Writes a post through its life: created, changed with its token, commented on, given a task,
   * and moved by a transition.
   */
  async function writeOnce(round) {
    const { community, customData } = places[round % places.length];
    const title = `Upgrade ${++number}`;
    const created = await write('create', `posts/manage/create-post/${community}`, { title, customData });
    if (!created) return;
    const post = created.postId;
    const kept = { community, title };
    written.set(post, kept);
    const change = { occToken: created.nextOccToken, title: `${title} changed` };
    if (await write('patch', `posts/manage/patch-post/${post}`, change)) kept.title = change.title;
    const comment = { comment: `Comment on ${title}`, commentFormat: 2 };
    if (await write('comment', `posts/manage/create-comment/${post}`, comment)) kept.comment = comment.comment;
    const expiration = { datetime: '2040-01-01T12:00:00Z' };
    const task = { title: `Task of ${title}`, expiration, assigneeUserId: userData.id };
    if (await write('task', `tasks/manage/create-task/${post}`, task)) kept.task = task.title;
    const capabilities = await communication('capabilities', ['GET', `posts/data/post-capabilities/${post}`]);
    const operation = capabilities?.workflowPermittedOperations?.find(({ screen }) => !screen);
    if (!operation) return;
    const path = `posts/manage/execute-post-workflow-operation/${post}/${operation.id}`;
    const moved = await write('transition', path, { applyDefaults: true });
    if (moved) kept.state = moved.newCurrentState.id;
  }

  let going = false;
  let loops = [];
  const repeat = async (step) => {
    for (let round = 0; going; round++) {
      await step(round);
      await sleep(PAUSE_MS);
    }
  };

  /** Reads the posts of every community. @returns how often each title is there */
  async function countTitles() {
    const titles = new Map();
    for (const { community } of places)
      for (let pageToken, first = true; first || pageToken; first = false) {
        const body = { pageSize: 500, ...(pageToken && { pageToken }) };
        const page = await communication('list', ['POST', `posts/data/list/community/${community}`, body]);
        for (const { title } of page.items) titles.set(title, (titles.get(title) ?? 0) + 1);
        pageToken = page.nextPageToken;
      }
    return titles;
  }

  return {
    /** Calls every reading operation on many connections at once, so that each of a node's has its statements prepared. */
    warm: () => Promise.all(Array.from({ length: 24 }, (_, index) => read(index))),
    start() {
      going = true;
      const loop = (step) => repeat(step).catch((error) => faults.push(error.stack));
      loops = [
        ...Array.from({ length: WRITERS }, () => loop(writeOnce)),
        ...Array.from({ length: READERS }, () => loop(read)),
      ];
    },
    /**
     * Ends the clients and compares the acknowledged writes with the stored posts.
     * @returns counts and faults
     */
    async end() {
      going = false;
      await Promise.all(loops);
      const titles = await countTitles();
      const result = { posts: written.size, lost: 0, doubled: 0, counts, faults };
      for (const [post, { title, comment, task, state }] of written) {
        const base = title.replace(/ changed$/, '');
        const copies = (titles.get(base) ?? 0) + (titles.get(`${base} changed`) ?? 0);
        const found = await detail(post);
        const { items } = await communication('comments', reads.comments({ post }));
        const comments = items.filter((item) => item.commentPlainText === comment).length;
        const open = await communication('tasks', ['POST', 'tasks/data/tasks', { postId: post }]);
        const tasks = open.items.filter((item) => item.title === task).length;
        const moved = state === undefined || found?.currentWorkflowState?.id === state;
        const missing = (comment && comments === 0) || (task && tasks === 0) || !moved;
        if (copies === 0 || found?.title !== title || missing) result.lost++;
        if (copies > 1 || comments > 1 || tasks > 1) result.doubled++;
      }
      return result;
    },
  };
}
