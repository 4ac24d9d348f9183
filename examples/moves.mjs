// Moves an installation from one size to the next, as docs/scaling.md says, and compares what clients see before and after: posts,
// files, a link and a token from before, the stream of changes. Prints how long each move took; ends with 0 when nothing differs.
// usage: node examples/moves.mjs [--patroni DIRECTORY] [--citus DIRECTORY]
// Embedded PostgreSQL to a server always; then to PostgreSQL under Patroni (examples/ha/README.md says what is needed) and to a Citus
// cluster (kept in DIRECTORY, as for examples/citus/rehearse.mjs), where these are given.
import { spawn } from 'node:child_process';
import { createHash, randomUUID, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { startNode, stopNode } from './two-nodes/node.mjs';

await (await import('./node-24.mjs')).useNode24();
const CLI = fileURLToPath(new URL('../packages/cli/bin/portico.mjs', import.meta.url));
const { values } = parseArgs({ options: { patroni: { type: 'string' }, citus: { type: 'string' } } });
const work = mkdtempSync(join(tmpdir(), 'portico-moves-'));
const undo = [async () => rmSync(work, { recursive: true, force: true })];
const faults = [];

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** One port for all nodes, so that links stay the same. */
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
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const unsigned = [
    encode({ alg: 'RS512', typ: 'JWT', kid: key.private_key_id }),
    encode({ iss: key.client_id, aud: 'portico/portal-authenticator', iat: now, exp: now + 300, jti: randomUUID() }),
  ].join('.');
  const jwtAssertion = `${unsigned}.${sign('RSA-SHA512', Buffer.from(unsigned), key.private_key).toString('base64url')}`;
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

/** Rounds of the stream until there is nothing more. @returns what was told, and the token to continue with */
async function follow(syncToken) {
  const told = [];
  for (let pageToken; ; ) {
    const query = new URLSearchParams({ ...(syncToken && { syncToken }), ...(pageToken && { pageToken }) });
    const round = await ask(`communication/posts/data/global-stream?${query}`, {});
    told.push(...round.items.map(({ id }) => id));
    if (round.nextSyncToken) return { told, syncToken: round.nextSyncToken };
    pageToken = round.nextPageToken;
  }
}

/** What clients see: communities, posts, comments, and the bytes of files. */
async function look() {
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

async function portico(settings, ...args) {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`portico ${args.join(' ')}: ${output}`);
  return output.trim();
}

async function rehearse() {
  const common = { PORT: String(port), PORTICO_DATA_DIR: join(work, 'data'), PORTICO_DRAIN_MS: '0' };
  let settings = common;
  let node = await startNode('embedded', settings);
  undo.push(() => stopNode(node));
  await signIn(JSON.parse(readFileSync(join(work, 'data', 'demo-service-account.json'), 'utf8')));
  let before = await look();
  let { syncToken } = await follow();
  console.log(
    `${Object.keys(before.posts).length} posts, ${Object.keys(before.files).length} files in ${before.communities.length} communities`,
  );

  /** Makes a post in the first community that takes one without more. @returns its id */
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
    // What followers have not been told yet is told after the move.
    const last = await write(`Written before the move to ${to}`);
    before = await look();
    await stopNode(node);
    const file = join(work, `${to.replaceAll(/\W/g, '-')}-url`);
    writeFileSync(file, url, { mode: 0o600 });
    const told = await portico(settings, 'db', 'copy', '--to', `@${file}`);
    for (const line of told.split('\n')) console.log(`    ${line}`);
    settings = {
      ...common,
      DATABASE_URL_FILE: file,
      PORTICO_ENCRYPTION_KEYS_FILE: join(work, 'data', 'encryption-keys'),
      ...more,
    };
    node = await startNode(to, settings);
    const fault = (what) => faults.push(`after the move to ${to}, ${what}`);
    for (const [link, bytes] of before.links) if ((await digest(link)) !== bytes) fault('a link leads to another file');
    const after = await look();
    for (const what of ['communities', 'posts', 'files'])
      if (!isDeepStrictEqual(after[what], before[what])) fault(`${what} are others`);
    const round = await follow(syncToken);
    if (!isDeepStrictEqual(round.told, [last])) fault(`the stream told of ${round.told} instead of ${last}`);
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
}

let exitCode = 1;
try {
  await rehearse();
  for (const fault of faults) console.log(`FAULT: ${fault}`);
  exitCode = faults.length > 0 ? 1 : 0;
} catch (error) {
  console.error(error);
}
for (const one of undo.toReversed()) await one();
process.exit(exitCode);
