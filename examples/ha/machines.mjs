// The machines of this folder's files as processes on loopback addresses: 127.0.0.21 to .23 for the database, 127.0.0.11 and
// .12 for the nodes. Every process is known by its own id, and ended by it.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const START = fileURLToPath(new URL('../../apps/server/start.mjs', import.meta.url));
export const MEMBERS = ['db-1', 'db-2', 'db-3'];
export const NODES = ['node-1', 'node-2'];
const ADDRESS = {
  'db-1': '127.0.0.21',
  'db-2': '127.0.0.22',
  'db-3': '127.0.0.23',
  'node-1': '127.0.0.11',
  'node-2': '127.0.0.12',
};
export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until `condition` gives a value, asking every 100 ms. @throws after `seconds` */
export async function until(what, seconds, condition) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await wait(100)) {
    const value = await condition();
    if (value) return value;
  }
  throw new Error(`${what}: not within ${seconds} seconds`);
}

/** Returns the status of an answer to GET, 0 if there is none within two seconds. */
export function statusOf(url) {
  return new Promise((resolve) => {
    const asked = request(url, { agent: false, timeout: 2_000 }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(0));
    asked.end();
  });
}

/**
 * The machines, none of them started.
 * @param directory keeps their files and data
 * @param patroni folder of Patroni's programs
 */
export function makeMachines({ directory, patroni }) {
  const programs = findPrograms(patroni);
  const account = serverAccount();
  const passwords = new Map();
  const passwordOf = (name) => {
    if (!passwords.has(name)) passwords.set(name, randomBytes(18).toString('hex'));
    return passwords.get(name);
  };
  const running = new Map();
  const path = (...parts) => join(directory, ...parts);

  function own(file, mode) {
    chmodSync(file, mode);
    if (account.uid !== undefined) chownSync(file, account.uid, account.gid);
  }

  /** Writes a file of this folder with the machine's name, address, passwords and paths. @returns where it is */
  function configure(machine, file) {
    const folder = path(machine);
    mkdirSync(folder, { recursive: true });
    own(folder, 0o700);
    const text = readFileSync(new URL(file, import.meta.url), 'utf8')
      .replaceAll(/^\s*#.*\n/gm, '')
      .replaceAll('THIS_NAME', machine)
      .replaceAll('THIS_ADDRESS', ADDRESS[machine])
      .replaceAll(/PASSWORD_OF_(\w+)/g, (_, name) => passwordOf(name))
      .replaceAll('10.0.0.', '127.0.0.')
      .replaceAll(account.uid === undefined ? /^ {2}(?:user|group) haproxy\n/gm : /(?!)/g, '') // only root can change to it
      .replaceAll('/usr/lib/postgresql/15/bin', programs.postgresql)
      .replaceAll(/\/(?:var\/lib|etc|srv)\/(?:(?:postgresql|etcd|portico)\/)?/g, `${folder}/`);
    writeFileSync(join(folder, file), text);
    own(join(folder, file), 0o600);
    return join(folder, file);
  }

  function launch(name, program, args, options = {}) {
    const child = spawn(program, args, {
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.asServer && account),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output = `${output}${chunk}`.slice(-20_000);
      });
    const started = { child, output: () => output, ended: new Promise((resolve) => child.once('exit', resolve)) };
    child.once('error', (error) => {
      started.failure = error;
    });
    running.set(name, started);
    return started;
  }

  const alive = (name) => {
    const child = running.get(name)?.child;
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
  };

  /** The process id of a member's PostgreSQL, which outlives its Patroni. */
  function postmaster(member) {
    const file = path(member, 'data', 'postmaster.pid');
    if (!existsSync(file)) return undefined;
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return command.includes(path(member)) ? pid : undefined; // empty for a process that has ended
    } catch {
      return undefined; // it has ended
    }
  }

  const machines = {
    directory,
    postmaster,
    /** The end of a process's output. */
    output: (name) => running.get(name)?.output().slice(-4_000) ?? '',
    origin: (node) => `http://${ADDRESS[node]}:8080`,
    startEtcd(member) {
      if (!alive(`etcd ${member}`))
        launch(`etcd ${member}`, programs.etcd, ['--config-file', configure(member, 'etcd.yml')], { asServer: true });
    },
    startPatroni(member) {
      if (!alive(`patroni ${member}`))
        launch(`patroni ${member}`, programs.patroni, [configure(member, 'patroni.yml')], { asServer: true });
    },
    startProxy(node) {
      if (!alive(`haproxy ${node}`))
        launch(`haproxy ${node}`, programs.haproxy, ['-db', '-f', configure(node, 'haproxy.cfg')]);
    },
    async startNode(node) {
      if (alive(node)) return;
      const file = configure(node, 'portico.env');
      writeFileSync(path(node, 'database-url'), machines.databaseUrl(ADDRESS[node]), { mode: 0o600 });
      writeFileSync(path(node, 'encryption-keys'), machines.encryptionKey, { mode: 0o600 });
      mkdirSync(path(node, 'data'), { recursive: true, mode: 0o700 });
      mkdirSync(path('portico-files'), { recursive: true, mode: 0o700 });
      const settings = Object.fromEntries(
        readFileSync(file, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      );
      const { output } = launch(node, process.execPath, [START], {
        env: {
          ...settings,
          PORTICO_FILES_DIR: path('portico-files'),
          PORTICO_DEMO: node === NODES[0] ? 'true' : 'false',
          PORTICO_LOG_LEVEL: 'warn',
          // All machines are this one.
          PORTICO_PROCESSES: '1',
        },
      });
      await until(`${node} is ready`, 180, () => {
        if (!alive(node)) throw new Error(`${node} ended before it was ready:\n${output()}`);
        return output().includes('ready at http');
      });
    },
    encryptionKey: randomBytes(32).toString('base64'),
    databaseUrl: (address) => `postgres://portico:${passwordOf('PORTICO')}@${address}:5000/portico`,
    /** Returns the member with the leader's lock, or undefined. */
    async leader() {
      const statuses = await Promise.all(MEMBERS.map((member) => statusOf(`http://${ADDRESS[member]}:8008/primary`)));
      return MEMBERS[statuses.indexOf(200)];
    },
    /**
     * Whether there are a leader and two streaming standbys, one of them named in etcd as the
     * synchronous one: only it may take over.
     */
    async healthy() {
      if (!(await machines.leader())) return false;
      const members = JSON.parse(machines.patronictl('list', '-f', 'json').toString());
      const count = (role, state) => members.filter(({ Role, State }) => Role === role && State === state).length;
      return (
        count('Leader', 'running') === 1 &&
        count('Sync Standby', 'streaming') === 1 &&
        count('Replica', 'streaming') === 1
      );
    },
    patronictl: (...args) =>
      execFileSync(programs.patronictl, ['-c', path('db-1', 'patroni.yml'), ...args], { ...account, stdio: 'pipe' }),
    /** Sends a signal to `etcd db-1`, `patroni db-1`, `postgresql db-1`, `node-1`. @returns whether it ran */
    signal(name, signal) {
      const [kind, member] = name.split(' ');
      const pid = kind === 'postgresql' ? postmaster(member) : alive(name) && running.get(name).child.pid;
      if (!pid) return false;
      process.kill(pid, signal);
      return true;
    },
    /** Starts etcd and Patroni, creates the database of Portico, and starts the proxies. */
    async startDatabase() {
      for (const member of MEMBERS) machines.startEtcd(member);
      for (const member of MEMBERS) machines.startPatroni(member);
      await until('a leader and two standbys', 180, () => {
        for (const [name, { failure, output }] of running)
          if (failure || !alive(name)) throw new Error(`${name} ended: ${failure?.message ?? output().slice(-2_000)}`);
        return machines.healthy();
      });
      const client = new pg.Client({
        host: ADDRESS[await machines.leader()],
        user: 'postgres',
        password: passwordOf('POSTGRES'),
        database: 'postgres',
      });
      await client.connect();
      await client.query(`CREATE ROLE portico LOGIN CREATEROLE PASSWORD '${passwordOf('PORTICO')}'`);
      await client.query(`CREATE DATABASE portico OWNER portico ENCODING 'UTF8' TEMPLATE template0`);
      await client.end();
      for (const node of NODES) machines.startProxy(node);
    },
    /** Ends everything: nodes first, then the proxies, Patroni (which stops its PostgreSQL), etcd. */
    async stop() {
      const stop = async (name) => {
        if (!alive(name)) return;
        const { child, ended } = running.get(name);
        child.kill('SIGCONT');
        child.kill('SIGTERM');
        await Promise.race([ended, wait(20_000).then(() => child.kill('SIGKILL'))]);
      };
      await Promise.all(NODES.map((node) => stop(node)));
      await Promise.all(NODES.map((node) => stop(`haproxy ${node}`)));
      await Promise.all(MEMBERS.map((member) => stop(`patroni ${member}`)));
      for (const member of MEMBERS) machines.signal(`postgresql ${member}`, 'SIGQUIT');
      await Promise.all(MEMBERS.map((member) => stop(`etcd ${member}`)));
    },
  };
  chmodSync(directory, 0o755);
  return machines;
}

/** The account of PostgreSQL's servers, which refuse to run as root. */
function serverAccount() {
  if (process.getuid() !== 0) return {};
  const id = (option) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** @throws with one sentence when a program is missing */
function findPrograms(patroni) {
  const find = (name, folders) => {
    const found = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
    if (!found) throw new Error(`${name} was not found; what this example needs is in examples/ha/README.md`);
    return found;
  };
  const folders = [...process.env.PATH.split(delimiter), '/usr/sbin', '/usr/bin'];
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  return {
    etcd: find('etcd', folders),
    haproxy: find('haproxy', folders),
    patroni: find('patroni', [patroni, ...folders]),
    patronictl: find('patronictl', [patroni, ...folders]),
    postgresql: join(find('postgres', [`/usr/lib/postgresql/${newest}/bin`]), '..'),
  };
}
