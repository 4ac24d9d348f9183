// Tries the places to run in a plain folder, for machines without Docker and Kubernetes:
//   node deploy/try.mjs [FOLDER]
// Runs the steps of the Dockerfile, starts the service as its CMD says, as an account that may not write to the program, and
// asks the health check; then the same on a PostgreSQL made by the steps of compose.yaml, behind Caddy, where both are
// installed. Lints all files with hadolint, helm and systemd-analyze where they are found, and says what was not run.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const docker = join(root, 'deploy/docker');
const given = process.argv[2];
const folder = given ? resolve(given) : mkdtempSync(join(tmpdir(), 'portico-places-'));
const program = join(folder, 'program');
const isRoot = process.getuid() === 0;
/** A copy that the account of the service can reach. */
const node = join(folder, 'bin/node');
const started = [];
const notRun = [];

const say = (text) => process.stdout.write(`${text}\n`);
const read = (path) => readFileSync(path, 'utf8');

/** Returns a program on the path, or undefined after noting what cannot be run without it. */
function find(name, purpose, folders = []) {
  const found = [...folders, ...process.env.PATH.split(':')].map((path) => join(path, name)).find(existsSync);
  if (!found) notRun.push(`${purpose} (no ${name})`);
  return found;
}

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error ?? ''}${stdout}${stderr}`);
  return stdout;
}

/** User and group ids of an account. */
function idsOf(name) {
  const id = (flag) => Number(run('id', [flag, name]));
  return { uid: id('-u'), gid: id('-g') };
}
const accountOf = (name) => (isRoot ? idsOf(name) : {});

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Repeats a step until it succeeds. @param seconds after which it fails */
async function until(what, step, seconds = 180) {
  for (let left = seconds * 4; ; left--) {
    try {
      return await step();
    } catch (error) {
      if (left <= 0 || error.code === 'ENDED') throw new Error(`${what}: ${error.message}`, { cause: error });
      await sleep(250);
    }
  }
}

function start(command, args, options) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  child.said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (child.said += text));
  started.push(child);
  return child;
}

async function stop(child) {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  }
  return child.exitCode;
}

/** The instructions of a Dockerfile, by stage, with lines joined and without comments. */
function stagesOf(text) {
  const stages = [];
  for (const line of text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')) {
    const [, instruction, rest] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (instruction === 'FROM') stages.push([]);
    else if (instruction) stages.at(-1).push({ instruction, rest: rest.replaceAll(/\s+/g, ' ') });
  }
  return stages;
}

/** Copies the context: files of the repository that .dockerignore does not leave out. */
function copyContext() {
  const rules = read(join(docker, 'Dockerfile.dockerignore'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const isIgnored = (file) => {
    let ignored = false;
    for (const rule of rules) {
      const pattern = rule.replace(/^!/, '');
      if (matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`)) ignored = !rule.startsWith('!');
    }
    return ignored;
  };
  const tracked = existsSync(join(root, '.git'))
    ? run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root }).split('\0')
    : run('find', ['.', '-type', 'f', '-printf', '%P\\0'], { cwd: root }).split('\0');
  const files = tracked.filter((file) => file !== '' && existsSync(join(root, file)) && !isIgnored(file));
  for (const file of files) {
    mkdirSync(dirname(join(program, file)), { recursive: true });
    cpSync(join(root, file), join(program, file));
  }
  say(`ok    copied ${files.length} files`);
}

/** Runs the build stage, and reads from the last one how the service is started. */
function buildImage() {
  const [build, image] = stagesOf(read(join(docker, 'Dockerfile')));
  copyContext();
  for (const { instruction, rest } of build) {
    if (instruction !== 'RUN') continue;
    run('sh', ['-c', rest], { cwd: program, stdio: ['ignore', 'ignore', 'pipe'] });
    say(`ok    RUN ${rest}`);
  }
  const words = (name, pattern = /.*/) =>
    JSON.parse(pattern.exec(image.find(({ instruction }) => instruction === name).rest)[0]);
  const variables = image.filter(({ instruction }) => instruction === 'ENV').flatMap(({ rest }) => rest.split(' '));
  return {
    command: words('CMD'),
    health: words('HEALTHCHECK', /\[.*\]/),
    env: Object.fromEntries(variables.map((text) => text.split(/=(.*)/).slice(0, 2))),
  };
}

/** Starts the service as the image does, in a place of its own, and waits until it is healthy. */
async function serve(image, name, settings) {
  const data = join(folder, name);
  const account = accountOf('nobody');
  mkdirSync(join(data, 'tmp'), { recursive: true });
  if (isRoot) for (const path of [data, join(data, 'tmp')]) chownSync(path, account.uid, account.gid);
  const moved = Object.fromEntries(
    Object.entries(image.env).map(([key, value]) => [key, value.replaceAll('/var/lib/portico', data)]),
  );
  const env = {
    ...moved,
    PATH: `${dirname(node)}:${process.env.PATH}`,
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    TMPDIR: join(data, 'tmp'),
    ...settings,
  };
  const [command, ...args] = image.command;
  const service = start(command, args, { cwd: program, env, ...account });
  const [check, ...checkArgs] = image.health;
  await until('the service is healthy', async () => {
    if (service.exitCode !== null) throw Object.assign(new Error(service.said), { code: 'ENDED' });
    run(check, checkArgs, { cwd: program, env, ...account });
  });
  say(`ok    the service is healthy (${name})`);
  return { service, env };
}

async function expectPage(address, headers = {}) {
  const answer = await fetch(address, { headers: { Accept: 'text/html', ...headers } });
  if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}`);
}

async function expectStop(service) {
  const code = await stop(service);
  if (code !== 0) throw new Error(`the service ended with ${code}: ${service.said}`);
}

/** The database of compose.yaml: initialised, started, and filled by its script. @returns its address */
async function database(secrets) {
  const binaries = ['/usr/lib/postgresql/18/bin', '/usr/lib/postgresql/17/bin', '/usr/lib/postgresql/15/bin'];
  const initdb = find('initdb', 'the database of compose.yaml', binaries);
  if (!initdb || !find('psql', 'the database of compose.yaml')) return undefined;
  const account = accountOf('postgres');
  const data = join(folder, 'database');
  mkdirSync(data);
  if (isRoot) chownSync(data, account.uid, account.gid);
  const port = await freePort();
  run(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'], {
    cwd: data,
    ...account,
  });
  const settings = ['-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${data}`];
  start(join(dirname(initdb), 'postgres'), ['-D', data, ...settings], { cwd: data, ...account });
  const env = { ...process.env, PGHOST: '127.0.0.1', PGPORT: String(port) };
  await until(
    'the database answers',
    () => run('psql', ['-U', 'postgres', '-d', 'postgres', '-c', 'SELECT 1'], { env }),
    60,
  );
  const password = join(secrets, 'database-password');
  run('sh', [join(docker, 'create-database.sh')], { env: { ...env, PORTICO_PASSWORD_FILE: password } });
  say('ok    the database of compose.yaml');
  return read(join(secrets, 'database-url')).trim().replace('@database:5432/', `@127.0.0.1:${port}/`);
}

/** Secrets as secrets.sh makes them; every one that compose.yaml names must be there. */
function makeSecrets() {
  const place = join(folder, 'compose');
  mkdirSync(place);
  cpSync(join(docker, 'secrets.sh'), join(place, 'secrets.sh'));
  run('sh', [join(place, 'secrets.sh')]);
  const { secrets } = parse(read(join(docker, 'compose.yaml')), { merge: true });
  for (const [name, { file }] of Object.entries(secrets))
    if (!existsSync(join(place, file))) throw new Error(`secrets.sh does not make ${name}`);
  say('ok    secrets.sh makes the secrets of compose.yaml');
  return join(place, 'secrets');
}

/** Starts Caddy with the Caddyfile, with certificates of its own authority, and asks for the page through it. */
async function throughCaddy(env) {
  const caddy = find('caddy', 'Caddy of compose.yaml');
  if (!caddy) return;
  const port = await freePort();
  const home = join(folder, 'caddy');
  mkdirSync(home);
  const settings = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
    PORTAL_HOST: `localhost:${port}`,
    FILES_HOST: `files.localhost:${port}`,
    PORTAL_UPSTREAM: `127.0.0.1:${env.PORT}`,
  };
  // A copy for this machine: no administration port, no port 80, no change of the machine's certificates.
  const file = join(home, 'Caddyfile');
  const text = read(join(docker, 'Caddyfile'));
  writeFileSync(
    file,
    text.replace('auto_https disable_redirects', 'auto_https disable_redirects\nadmin off\nskip_install_trust'),
  );
  run(caddy, ['validate', '--config', file, '--adapter', 'caddyfile'], { env: settings });
  const proxy = start(caddy, ['run', '--config', file, '--adapter', 'caddyfile'], { env: settings });
  const authority = join(home, 'caddy/pki/authorities/local/root.crt');
  const page = `https://localhost:${port}/portal/`;
  await until(
    'the page through Caddy',
    () => run('curl', ['-fsS', '--cacert', authority, '-H', 'Accept: text/html', page]),
    60,
  );
  await stop(proxy);
  say('ok    the page through Caddy');
}

function lint() {
  const hadolint = find('hadolint', 'the lint of the Dockerfile');
  if (hadolint) {
    run(hadolint, [join(docker, 'Dockerfile')]);
    say('ok    hadolint');
  }
  const helm = find('helm', 'the lint of the chart');
  if (helm) lintChart(helm);
  const promtool = find('promtool', 'the tests of the alert rules');
  if (promtool) checkMonitoring(promtool);
  const analyze = find('systemd-analyze', 'the rating of the systemd unit');
  if (analyze) {
    const unit = join(root, 'deploy/systemd/portico.service');
    run(analyze, ['security', '--offline=true', '--no-pager', '--threshold=30', unit]);
    say('ok    systemd-analyze security: 3.0 at most');
  }
}

/** Runs the tests of the alert rules, and parses the expressions of the dashboard as rules. */
function checkMonitoring(promtool) {
  const place = join(root, 'deploy/monitoring');
  run(promtool, ['test', 'rules', join(place, 'alerts.test.yaml')]);
  const expressions = JSON.parse(read(join(place, 'dashboard.json'))).panels.flatMap(({ targets }) => targets);
  const rules = expressions.map(({ expr }, index) => ({ record: `panel:${index}`, expr }));
  const file = join(folder, 'dashboard-rules.json');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  run(promtool, ['check', 'rules', file]);
  say('ok    promtool: alert rules and dashboard');
}

function lintChart(helm) {
  const chart = join(root, 'deploy/helm/portico');
  run(helm, ['lint', '--strict', chart]);
  const variants = [[], ['files.bucket='], ['ingress.enabled=true', 'metrics.serviceMonitor=true', 'replicas=1']];
  for (const values of variants) {
    const rendered = run(helm, [
      'template',
      'portico',
      chart,
      '--kube-version=1.31.0',
      ...values.flatMap((value) => ['--set', value]),
    ]);
    if (!/readOnlyRootFilesystem: true/.test(rendered)) throw new Error('the chart has no read-only root');
  }
  say('ok    helm lint, helm template');
}

try {
  mkdirSync(program, { recursive: true });
  // Another account passes through the folder.
  chmodSync(folder, 0o755);
  mkdirSync(dirname(node));
  cpSync(realpathSync(process.execPath), node);
  lint();
  const image = buildImage();
  const first = await serve(image, 'embedded', {});
  await expectPage(`http://127.0.0.1:${first.env.PORT}/portal/`);
  await expectStop(first.service);
  const secrets = makeSecrets();
  const url = await database(secrets);
  if (url) {
    const keys = read(join(secrets, 'encryption-keys')).trim();
    const second = await serve(image, 'external', { DATABASE_URL: url, PORTICO_ENCRYPTION_KEYS: keys });
    await throughCaddy(second.env);
    await expectStop(second.service);
  }
  notRun.push(
    'docker build for both architectures',
    'docker compose up with the S3 server',
    'helm install',
    'systemctl start',
  );
  for (const what of notRun) say(`not run: ${what}`);
} finally {
  // The database last: it waits for its connections.
  for (const child of started.toReversed()) await stop(child);
  if (!given) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
