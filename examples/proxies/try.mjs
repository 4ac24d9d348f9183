// Tries the configurations beside it: two nodes behind each proxy, on loopback addresses, are restarted one after the other
// while clients read and write. Prints how many requests were sent and how many failed; ends with 0 when none did.
// usage: node examples/proxies/try.mjs [nginx] [haproxy] [caddy]   (after npm ci; DATABASE_URL may name a PostgreSQL server)
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { selfSignedCertificate } from '../self-signed-certificate.mjs';
import { freePort, runAndUndo } from '../shared.mjs';
import { makeClient } from '../two-nodes/client.mjs';
import { makeDatabase } from '../two-nodes/database.mjs';
import { startNode, stopNode } from '../two-nodes/node.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const CLIENTS = 8;
/** How long docs/operating/upgrade.md says to wait between the restarts of two nodes. Milliseconds. */
const WAIT_MS = 5_000;
const undo = [];

/** How each proxy is started. Its file is changed only in the ports and paths of this machine. */
const proxies = {
  nginx: ({ directory, file }) => {
    const text = file('nginx.conf').replace('listen 443 ssl', `listen 127.0.0.1:${ports.proxy} ssl`);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${directory}/${name};`)
      .join(' ');
    const main = join(directory, 'main.conf');
    writeFileSync(
      main,
      `daemon off; pid ${directory}/pid; error_log ${directory}/error.log; events {}\nhttp { access_log off; ${temporary}\n${text}}\n`,
    );
    return ['nginx', '-p', directory, '-c', main, '-e', `${directory}/error.log`];
  },
  haproxy: ({ directory, file }) => {
    const path = join(directory, 'haproxy.cfg');
    writeFileSync(path, file('haproxy.cfg').replace('bind :443', `bind 127.0.0.1:${ports.proxy}`));
    return ['haproxy', '-db', '-f', path];
  },
  caddy: ({ directory, file }) => {
    const path = join(directory, 'Caddyfile');
    writeFileSync(path, file('Caddyfile').replace('{\n', '{\n\tadmin off\n').replace(':443', `:${ports.proxy}`));
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', path];
  },
};

const ports = {};

async function run(names) {
  const directory = mkdtempSync(join(tmpdir(), 'portico-proxies-'));
  undo.push(() => rmSync(directory, { recursive: true, force: true }));
  const database = await makeDatabase(directory);
  undo.push(() => database.remove());
  const secret = join(directory, 'database-url');
  writeFileSync(secret, database.url, { mode: 0o600 });
  const keys = join(directory, 'encryption-keys');
  writeFileSync(keys, randomBytes(32).toString('base64'), { mode: 0o600 });
  for (const name of ['one', 'two', 'proxy']) ports[name] = await freePort();
  const nodes = ['one', 'two'].map((name) => ({
    name,
    settings: {
      PORT: String(ports[name]),
      DATABASE_URL_FILE: secret,
      PORTICO_ENCRYPTION_KEYS_FILE: keys,
      PORTICO_DATA_DIR: join(directory, name),
      PORTICO_FILES_DIR: join(directory, 'files'),
      PORTICO_TRUSTED_PROXIES: '127.0.0.1',
      PORTICO_DEMO: 'true',
    },
  }));
  undo.push(() => Promise.all(nodes.map((node) => node.running && stopNode(node.running))));
  for (const node of nodes) {
    mkdirSync(node.settings.PORTICO_DATA_DIR, { mode: 0o700 });
    node.running = await startNode(node.name, node.settings);
  }
  const { cert, key } = selfSignedCertificate(['localhost', '127.0.0.1']);
  writeFileSync(join(directory, 'portal.pem'), cert);
  writeFileSync(join(directory, 'portal.key'), key);
  writeFileSync(join(directory, 'portal-with-key.pem'), `${cert}\n${key}`);

  const faults = [];
  for (const name of names) {
    const failed = await tryProxy(name, directory, nodes, cert);
    if (failed > 0) faults.push(`${failed} requests through ${name} failed`);
  }
  return faults;
}

async function tryProxy(name, above, nodes, cert) {
  const directory = join(above, name);
  mkdirSync(directory);
  const file = (path) =>
    readFileSync(join(HERE, path), 'utf8')
      .replaceAll('10.0.0.11:8080', `127.0.0.1:${ports.one}`)
      .replaceAll('10.0.0.12:8080', `127.0.0.1:${ports.two}`)
      .replaceAll('/etc/ssl/', `${above}/`)
      .replaceAll('portal.acme.example', 'localhost');
  const [program, ...args] = proxies[name]({ directory, file });
  const proxy = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
  });
  let output = '';
  for (const stream of [proxy.stdout, proxy.stderr])
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-4_000);
    });
  const ended = new Promise((resolve) => {
    proxy.once('error', (error) => resolve(error.message));
    proxy.once('exit', (code) => resolve(`it ended with ${code}`));
  });
  const stop = () => {
    proxy.kill('SIGTERM');
    return ended;
  };
  undo.push(stop);
  await Promise.race([untilReady(cert), ended.then((why) => Promise.reject(new Error(`${name}: ${why}\n${output}`)))]);

  const client = makeClient(ports.proxy, cert);
  const keyFile = nodes
    .map((node) => join(node.settings.PORTICO_DATA_DIR, 'demo-service-account.json'))
    .find((path) => existsSync(path));
  await client.signIn(JSON.parse(readFileSync(keyFile, 'utf8')));
  const load = await keepAsking(client);
  for (const node of nodes) {
    const code = await stopNode(node.running);
    if (code !== 0) throw new Error(`a node ended with ${code}:\n${node.running.output()}`);
    node.running = await startNode(node.name, node.settings);
    // The proxy has to notice that this node is ready before the next one stops.
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  const { sent, writes, failed } = await load.end();
  client.close();
  await stop();
  console.log(`${name}: ${sent} requests sent (${writes} of them writes), ${failed.length} failed`);
  for (const failure of failed.slice(0, 5)) console.log(`  ${failure}`);
  if (failed.length > 0) {
    const log = existsSync(`${directory}/error.log`) ? readFileSync(`${directory}/error.log`, 'utf8') : '';
    // A node that is being restarted refuses connections, which the proxy is there for.
    const lines = log.split('\n').filter((line) => !line.includes('Connection refused'));
    console.log(output, lines.join('\n').slice(0, 4_000));
  }
  return failed.length;
}

/** Waits until the portal answers through the proxy. */
async function untilReady(ca) {
  for (let attempt = 0; attempt < 200; attempt++) {
    const status = await new Promise((resolve) => {
      const probe = request(`https://localhost:${ports.proxy}/readyz`, { ca, agent: false, family: 4 }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      probe.once('error', () => resolve(0)); // it is still being started
      probe.end();
    });
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the proxy did not answer within 20 seconds');
}

/** Clients that list, open and comment without a pause, until told to end. */
async function keepAsking(client) {
  const { communities } = (await client.ask('GET', 'communication/settings/communities')).body;
  let post;
  for (const { id } of communities) {
    const { items } = (
      await client.ask('POST', `communication/posts/data/list/community/${id}`, { body: { pageSize: 1 } })
    ).body;
    post ??= items[0] && { id: items[0].id, community: id };
  }
  let going = true;
  let sent = 0;
  let writes = 0;
  const failed = [];
  const one = async (method, path, body) => {
    sent++;
    await client
      .ask(method, path, { body })
      .catch((error) => failed.push(`${method} ${path}: ${error.message.slice(0, 200)}`));
  };
  const loops = Array.from({ length: CLIENTS }, async (_, index) => {
    for (let round = 0; going; round++) {
      await one('POST', `communication/posts/data/list/community/${post.community}`, { pageSize: 5 });
      await one('GET', `communication/posts/data/post-detail-by-id/${post.id}`);
      if (index > 1) continue;
      writes++;
      await one('POST', `communication/posts/manage/create-comment/${post.id}`, {
        comment: `Round ${round}`,
        commentFormat: 2,
      });
    }
  });
  return {
    end: async () => {
      going = false;
      await Promise.all(loops);
      return { sent, writes, failed };
    },
  };
}

const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(proxies);
process.exit(await runAndUndo(() => run(names), undo));
