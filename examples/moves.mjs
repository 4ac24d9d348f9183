// Moves an installation from one size to the next, as docs/operating/grow.md says, and compares what clients see before and after: posts,
// files, a link and a token from before, the stream of changes. Prints how long each move took; ends with 0 when nothing differs.
// usage: node examples/moves.mjs [--patroni DIRECTORY] [--citus DIRECTORY]
// Embedded PostgreSQL to a server always; then to PostgreSQL under Patroni (examples/ha/README.md says what is needed) and to a Citus
// cluster (kept in DIRECTORY, as for examples/citus/rehearse.mjs), where these are given.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { freePort, portico, runAndUndo, signAssertion } from './shared.mjs';
import { startNode, stopNode } from './two-nodes/node.mjs';

await (await import('./node-24.mjs')).useNode24();
const { values } = parseArgs({ options: { patroni: { type: 'string' }, citus: { type: 'string' } } });
const work = mkdtempSync(join(tmpdir(), 'portico-moves-'));
const undo = [async () => rmSync(work, { recursive: true, force: true })];
const faults = [];

/** All nodes share a port, so that links stay the same. */
const port = await freePort();
const api = `http://localhost:${port}/portal/api/external/v2`;
let token;

async function ask(path, body) {
  const response = await fetch(`${api}/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function signIn(key) {
  const jwtAssertion = signAssertion(key);
  token = (await ask('core/auth/create-access-token-by-service-account', { jwtAssertion })).accessToken;
}

const digest = async (link) => {
  const response = await fetch(link);
  if (!response.ok) throw new Error(`a link answered ${response.status}`);
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
};

/** All pages of a list. */
async function all(path, body = {}) {
  const items = [];
  for (let pageToken; ; ) {
    const page = await ask(path, { ...body, pageSize: 100, ...(pageToken && { pageToken }) });
    items.push(...page.items);
    pageToken = page.nextPageToken;
    if (!pageToken) return items;
  }
}

/** Reads the stream to its end. @returns ids of the posts in it, and the token to continue with */
async function follow(syncToken) {
  const ids = [];
  for (let pageToken; ; ) {
    const query = new URLSearchParams({ ...(syncToken && { syncToken }), ...(pageToken && { pageToken }) });
    const round = await ask(`communication/posts/data/global-stream?${query}`, {});
    ids.push(...round.items.map(({ id }) => id));
    if (round.nextSyncToken) return { ids, syncToken: round.nextSyncToken };
    pageToken = round.nextPageToken;
  }
}

/** Reads the data that clients see: communities, posts, comments, and the content of files. */
async function readPortal() {
  const { communities } = await ask('communication/settings/communities');
  const seen = { communities: communities.map(({ id, name }) => [id, name]), posts: {}, files: {}, links: [] };
  for (const { id } of communities) {
    for (const post of await all(`communication/posts/data/list/community/${id}`)) {
      seen.posts[post.id] = [post.customId, post.title, post.creationTimestamp, post.commentsCount];
      if (!post.attachmentsCount) continue;
      for (const file of await all(`communication/attachments/data/posts/${post.id}/attachments-list`)) {
        const link = file.temporaryContentDownloadLink;
        seen.files[file.id] = [file.name, file.size, await digest(link)];
        seen.links.push([link, seen.files[file.id][2]]);
      }
    }
  }
  return seen;
}

async function rehearse() {
  const common = { PORT: String(port), PORTICO_DATA_DIR: join(work, 'data'), PORTICO_DRAIN_MS: '0' };
  let settings = common;
  let node = await startNode('embedded', settings);
  undo.push(() => stopNode(node));
  await signIn(JSON.parse(readFileSync(join(work, 'data', 'demo-service-account.json'), 'utf8')));
  let before = await readPortal();
  let { syncToken } = await follow();
  console.log(
    `${Object.keys(before.posts).length} posts, ${Object.keys(before.files).length} files in ${before.communities.length} communities`,
  );

  /** Creates a post in the first community that demands only a title. @returns its id */
  const write = async (title) => {
    let refusal;
    for (const [id] of before.communities) {
      try {
        const body = { announcement: false, title, visibility: 2 };
        return (await ask(`communication/posts/manage/create-post/${id}`, body)).postId;
      } catch (error) {
        refusal = error;
      }
    }
    throw refusal;
  };
  const move = async (to, url, more = {}) => {
    // Followers have not read this post yet: the stream has to tell it after the move.
    const last = await write(`Written before the move to ${to}`);
    before = await readPortal();
    await stopNode(node);
    const file = join(work, `${to.replaceAll(/\W/g, '-')}-url`);
    writeFileSync(file, url, { mode: 0o600 });
    const printed = await portico(settings, 'admin', 'db', 'copy', '--to', `@${file}`);
    for (const line of printed.split('\n')) console.log(`    ${line}`);
    settings = {
      ...common,
      DATABASE_URL_FILE: file,
      PORTICO_ENCRYPTION_KEYS_FILE: join(work, 'data', 'encryption-keys'),
      ...more,
    };
    node = await startNode(to, settings);
    const fault = (what) => faults.push(`after the move to ${to}, ${what}`);
    for (const [link, bytes] of before.links) if ((await digest(link)) !== bytes) fault('a link leads to another file');
    const after = await readPortal();
    for (const what of ['communities', 'posts', 'files'])
      if (!isDeepStrictEqual(after[what], before[what])) fault(`${what} differ`);
    const round = await follow(syncToken);
    if (!isDeepStrictEqual(round.ids, [last])) fault(`the stream told of ${round.ids} instead of ${last}`);
    const next = await write(`Written after the move to ${to}`);
    if (next <= last) fault(`a new post has the id ${next}`);
    ({ syncToken } = await follow(round.syncToken));
    console.log(`Moved to ${to}: ${before.links.length} links and ${Object.keys(before.posts).length} posts compared`);
  };

  const { makeDatabase } = await import('./two-nodes/database.mjs');
  const server = await makeDatabase(work);
  undo.push(() => server.remove());
  await move('a server', server.url);
  if (values.patroni !== undefined) {
    const { makeMachines } = await import('./ha/machines.mjs');
    const directory = mkdtempSync(join(tmpdir(), 'portico-ha-'));
    undo.push(async () => rmSync(directory, { recursive: true, force: true }));
    const machines = makeMachines({ directory, patroni: values.patroni });
    undo.push(() => machines.stop());
    await machines.startDatabase();
    await move('Patroni', machines.databaseUrl('127.0.0.11'));
  }
  if (values.citus !== undefined) {
    const { startCluster } = await import('./citus/cluster.mjs');
    const cluster = await startCluster(values.citus);
    undo.push(() => cluster.stop());
    const url = await cluster.create('portico_moved');
    undo.push(() => cluster.drop('portico_moved'));
    const options = encodeURIComponent('-c citus.shard_count=4');
    await move('Citus', `${url}?options=${options}`, { PORTICO_DATABASE_SCOPE: 'transaction' });
  }
  await stopNode(node);
  return faults;
}

process.exit(await runAndUndo(rehearse, undo));
