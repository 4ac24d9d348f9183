// The setup of docs/operating/grow.md on loopback addresses: a TLS proxy in front of two nodes with one
// external PostgreSQL and one directory of files. A client signs in, reads from both nodes with one
// token, and keeps sending requests while both nodes are restarted one after the other. Ends with 0
// if no request failed. Leaves nothing behind.
// usage: node examples/two-nodes.mjs   (after npm ci; DATABASE_URL may name a PostgreSQL server)
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { useNode24 } from './node-24.mjs';
import { selfSignedCertificate } from './self-signed-certificate.mjs';
import { runAndUndo } from './shared.mjs';
import { makeClient } from './two-nodes/client.mjs';
import { startNode, stopNode } from './two-nodes/node.mjs';
import { startProxy } from './two-nodes/proxy.mjs';

await useNode24();
const { makeDatabase } = await import('./two-nodes/database.mjs');

const CLIENTS = 6;
/** Between two rounds of a client: the load must not slow down the node that starts. Milliseconds. */
const PAUSE_MS = 20;
const say = (text) => console.log(text);
const undo = [];

async function run() {
  const directory = mkdtempSync(join(tmpdir(), 'portico-two-nodes-'));
  undo.push(() => rmSync(directory, { recursive: true, force: true }));

  say('1. PostgreSQL: a database of its own, whose owner is no superuser');
  const database = await makeDatabase(directory);
  undo.push(() => database.remove());
  say(`   on ${database.description}`);

  say('2. Two nodes, started at the same moment on the empty database');
  const secret = join(directory, 'database-url');
  writeFileSync(secret, database.url, { mode: 0o600 });
  const keys = join(directory, 'encryption-keys');
  writeFileSync(keys, randomBytes(32).toString('base64'), { mode: 0o600 });
  const settings = (name) => ({
    DATABASE_URL_FILE: secret,
    PORTICO_ENCRYPTION_KEYS_FILE: keys,
    PORTICO_DATA_DIR: join(directory, name),
    PORTICO_FILES_DIR: join(directory, 'files'),
    PORTICO_TRUSTED_PROXIES: '127.0.0.1',
    // The proxy looks every 100 ms: after a second it has turned away from a node that stops.
    PORTICO_DRAIN_MS: '1000',
    PORTICO_DEMO: 'true',
  });
  const nodes = ['node-1', 'node-2'].map((name) => ({ name, settings: settings(name) }));
  for (const node of nodes) mkdirSync(node.settings.PORTICO_DATA_DIR, { mode: 0o700 });
  const start = async (node) => {
    node.running = await startNode(node.name, node.settings);
    node.origin = node.running.origin;
  };
  undo.push(() => Promise.all(nodes.map((node) => node.running && stopNode(node.running))));
  await Promise.all(nodes.map(start));
  for (const node of nodes) say(`   ${node.name} is ready at ${node.origin}`);

  say('3. A TLS proxy in front of them');
  const { cert, key } = selfSignedCertificate(['localhost', '127.0.0.1']);
  const proxy = await startProxy({ cert, key, nodes });
  undo.push(() => proxy.close());
  await until(() => proxy.healthy.size === nodes.length);
  say(`   https://localhost:${proxy.port}`);

  say('4. A client signs in once and reads from both nodes');
  const keyFile = nodes
    .map((node) => join(node.settings.PORTICO_DATA_DIR, 'demo-service-account.json'))
    .find((file) => existsSync(file));
  const client = makeClient(proxy.port, cert);
  undo.push(() => client.close());
  const signedIn = await client.signIn(JSON.parse(readFileSync(keyFile, 'utf8')));
  say(`   signed in by ${signedIn.node}`);
  const community = await findCommunity(client);
  const list = `communication/posts/data/list/community/${community.id}`;
  const page = { pageSize: 20, calculateTotalItemsCount: true };
  for (const { name } of nodes) {
    const answer = await client.ask('POST', list, { body: page, node: name });
    expect(answer.node === name, `${name} was asked, ${answer.node} answered`);
    say(`   ${name}: ${answer.body.totalItemsCount} posts in "${community.name}"`);
  }
  await compareAddresses(client, nodes, proxy.port, community);

  say(`5. Both nodes are restarted, one after the other, while ${CLIENTS} clients keep asking`);
  const load = keepAsking(client, list, community.post);
  for (const node of nodes) {
    const before = load.requests();
    const code = await stopNode(node.running);
    expect(code === 0, `${node.name} ended with ${code}:\n${node.running.output()}`);
    say(`   ${node.name} ended with exit code 0`);
    await start(node);
    await until(() => proxy.healthy.size === nodes.length);
    say(`   ${node.name} is back at ${node.origin}; ${load.requests() - before} requests meanwhile`);
  }
  const { requests, failures, by } = await load.end();
  for (const failure of failures.slice(0, 5)) say(`   failed: ${failure}`);
  expect(failures.length === 0, `${failures.length} of ${requests} requests failed`);
  expect(by.size === nodes.length, 'one node answered nothing');
  const comments = await client.ask('POST', `communication/posts/data/comments-list/${community.post}`, {
    body: { pageSize: 1, calculateTotalItemsCount: true },
  });
  say(`   ${requests} requests, none failed; the post has ${comments.body.totalItemsCount} comments now`);
}

/** A community with posts, and its newest post. */
async function findCommunity(client) {
  const { communities } = (await client.ask('GET', 'communication/settings/communities')).body;
  for (const { id, name } of communities) {
    const answer = await client.ask('POST', `communication/posts/data/list/community/${id}`, { body: { pageSize: 1 } });
    if (answer.body.items.length > 0) return { id, name, post: answer.body.items[0].id };
  }
  throw new Error('the demo tenant has no community with posts');
}

/** Addresses in answers are the proxy's, and each node serves the links of the other. */
async function compareAddresses(client, nodes, port) {
  const base = `https://localhost:${port}/`;
  for (const { name } of nodes) {
    const { body } = await client.send('GET', '/portal/api/openapi.json', { node: name });
    expect(body.servers[0].url === `${base}portal/api`, `${name} calls itself ${body.servers[0].url}`);
  }
  const { communities } = (await client.ask('GET', 'communication/settings/communities')).body;
  for (const { id } of communities) {
    const link = await findLink(client, id, nodes[0].name);
    if (!link) continue;
    expect(link.startsWith(base), `a link does not begin with the proxy's address: ${new URL(link).origin}`);
    const file = await client.send('GET', new URL(link).pathname, { node: nodes[1].name });
    expect(file.status === 200 && file.node === nodes[1].name, `the other node answered ${file.status} to a link`);
    say(`   a link that ${nodes[0].name} made is served by ${nodes[1].name}`);
    return;
  }
  throw new Error('the demo tenant has no post with an attachment');
}

/** A link to a file that hangs on one of the newest posts of a community. */
async function findLink(client, communityId, node) {
  const { items } = (
    await client.ask('POST', `communication/posts/data/list/community/${communityId}`, { body: { pageSize: 30 } })
  ).body;
  for (const { id } of items) {
    const { body } = await client.ask('POST', `communication/attachments/data/posts/${id}/attachments-list`, {
      body: { pageSize: 1 },
      node,
    });
    const [attachment] = body.items;
    if (attachment?.temporaryContentDownloadLink) return attachment.temporaryContentDownloadLink;
  }
  return undefined;
}

/** Clients that list, open and comment, until told to end. */
function keepAsking(client, list, postId) {
  let going = true;
  let requests = 0;
  const failures = [];
  const by = new Set();
  const one = async (method, path, body) => {
    requests++;
    try {
      const answer = await client.ask(method, path, { body });
      by.add(answer.node);
    } catch (error) {
      failures.push(error.message.slice(0, 300));
    }
  };
  const loops = Array.from({ length: CLIENTS }, async (_, index) => {
    for (let round = 0; going; round++) {
      await one('POST', list, { pageSize: 20, orderBy: 'postCreationTimestamp' });
      await one('GET', `communication/posts/data/post-detail-by-id/${postId}`);
      await sleep(PAUSE_MS);
      if (index > 0 || round % 10 > 0) continue;
      await one('POST', `communication/posts/manage/create-comment/${postId}`, {
        comment: `Round ${round}`,
        commentFormat: 2,
      });
    }
  });
  return {
    requests: () => requests,
    end: async () => {
      going = false;
      await Promise.all(loops);
      return { requests, failures, by };
    },
  };
}

async function until(condition) {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (condition()) return;
    await sleep(50);
  }
  throw new Error('the nodes were not ready after 30 seconds');
}

function expect(condition, otherwise) {
  if (!condition) throw new Error(otherwise);
}

const exitCode = await runAndUndo(run, undo);
if (exitCode === 0) say('6. Everything was ended and removed.');
process.exit(exitCode);
