import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { EmbeddedPostgres, EmbeddedPostgresConnection, EmbeddedPostgresOptions } from '../index.ts';
import { startEmbeddedPostgres } from '../index.ts';
import { canReach, isRoot, launchInUserNamespace, prefixWorks, unprivilegedAccount } from '../launch.ts';
import { clusterProcesses, isAlive, waitUntil } from '../processes.ts';

/** Output of `hold-cluster.ts`. */
type HolderReport = {
  pid: number;
  adopted: boolean;
  version: string;
  clusterDir: string;
  connection: EmbeddedPostgresConnection;
  milliseconds: number;
  error?: { code: string; message: string };
};

type Holder = {
  pid: number;
  report: HolderReport;
  stderr: () => string;
  end: (signal: NodeJS.Signals) => Promise<number | null>;
};

type HolderOptions = {
  how?: 'start' | 'open';
  options?: Partial<EmbeddedPostgresOptions>;
  /** Another user to run as (root only). */
  as?: { uid: number; gid: number };
  /** Put in front of the command. */
  prefix?: string[];
  /** Called with the process when it has been started. */
  onSpawn?: (child: ChildProcess) => Promise<void>;
};

/** Directories, processes and clusters of one test, all ended and removed by {@link TestPlace.cleanUp}. */
export class TestPlace {
  /** A directory that every user can reach. */
  readonly root: string;
  private readonly children: ChildProcess[] = [];
  private readonly clusters: EmbeddedPostgres[] = [];
  private readonly clusterDirs = new Set<string>();
  readonly log: string[] = [];

  constructor() {
    this.root = mkdtempSync(path.join(os.tmpdir(), 'pg-'));
    chmodSync(this.root, 0o755);
  }

  path(...names: string[]): string {
    return path.join(this.root, ...names);
  }

  /**
   * A data directory that holds a stopped, empty cluster already, which takes a tenth of the time of making one. The
   * copied cluster is made once per test file.
   */
  async seeded(...names: string[]): Promise<string> {
    template ??= makeTemplate();
    const target = this.path(...names);
    execFileSync('cp', ['-a', await template, target]);
    return target;
  }

  /** Starts the database in this process; does not bring it back unless asked. */
  async start(dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
    const cluster = await startEmbeddedPostgres({
      dataDir,
      log: (line) => this.log.push(line.msg),
      restart: false,
      skipInitialSync: true,
      relocationRoot: this.path('elsewhere'),
      ...options,
    });
    this.clusters.push(cluster);
    this.clusterDirs.add(cluster.clusterDir);
    return cluster;
  }

  /** Starts the stand-in for a server and waits for its report. */
  async hold(dataDir: string, wish: HolderOptions = {}): Promise<Holder> {
    const script = fileURLToPath(new URL('hold-cluster.ts', import.meta.url));
    const options = { skipInitialSync: true, restart: false, relocationRoot: this.path('elsewhere'), ...wish.options };
    const [command = '', ...args] = [...(wish.prefix ?? []), process.execPath, script, wish.how ?? 'start', dataDir];
    const child = spawn(command, [...args, JSON.stringify(options)], {
      ...wish.as,
      stdio: ['pipe', 'pipe', 'pipe'],
      // A process group of its own, as a terminal gives to each command.
      detached: true,
    });
    this.children.push(child);
    const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const reported = new Promise<HolderReport>((resolve, reject) => {
      let stdout = '';
      child.once('error', reject);
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
        if (stdout.endsWith('\n')) resolve(JSON.parse(stdout) as HolderReport);
      });
      ended.then((code) => reject(new Error(`The stand-in ended with ${code} and no report: ${stderr}`)));
    });
    await wish.onSpawn?.(child);
    const report = await reported;
    if (report.clusterDir) this.clusterDirs.add(report.clusterDir);
    const end = (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    };
    return { pid: child.pid ?? 0, report, stderr: () => stderr, end };
  }

  /** Starts a harmless process that waits, as the given user and in the given directory. */
  async bystander(where: { as?: { uid: number; gid: number }; cwd?: string }): Promise<number> {
    const child = spawn('sleep', ['600'], {
      uid: where.as?.uid,
      gid: where.as?.gid,
      cwd: where.cwd ?? '/',
      stdio: 'ignore',
    });
    this.children.push(child);
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    return child.pid ?? 0;
  }

  async cleanUp(): Promise<void> {
    for (const child of this.children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    for (const cluster of this.clusters) await cluster.stop();
    for (const directory of this.clusterDirs) {
      if (!existsSync(directory)) continue;
      await waitUntil(() => {
        for (const pid of clusterProcesses(directory)) process.kill(pid, 'SIGKILL');
        return clusterProcesses(directory).length === 0;
      }, 5000);
    }
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** For the end of each test file that uses {@link TestPlace.seeded}. */
export async function removeTemplate(): Promise<void> {
  if (template) rmSync(path.dirname(await template), { recursive: true, force: true, maxRetries: 10 });
  // The next file of this process creates its own.
  template = undefined;
}

let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'pg-'));
  chmodSync(root, 0o755);
  const dataDir = path.join(root, 'template');
  const cluster = await startEmbeddedPostgres({ dataDir, log: () => undefined, skipInitialSync: true });
  await cluster.stop();
  return dataDir;
}

/** Kills a postmaster the hard way and waits until it is gone; its other processes may live on. */
export async function killHard(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  if (!(await waitUntil(() => !isAlive(pid), 10_000))) throw new Error(`Process ${pid} survives SIGKILL.`);
}

/** Runs statements on a connection of their own; rows of the last one. */
export async function query(connection: EmbeddedPostgresConnection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const results: unknown = await client.query(sql);
    const last = Array.isArray(results) ? results.at(-1) : results;
    return (last as pg.QueryResult<Record<string, unknown>>).rows;
  } finally {
    await client.end();
  }
}

/** The user the server of a cluster runs as, for processes that shall be of the same user. */
export function serverUser(clusterDir: string): { uid: number; gid: number } | undefined {
  const { uid, gid } = statSync(clusterDir);
  return isRoot() ? { uid, gid } : undefined;
}

/**
 * How to run the stand-in as an ordinary user: as itself; as an account that can reach this source; or, below a
 * directory that only root can reach, as an ordinary user of a user namespace.
 */
export function ordinaryUser(): Pick<HolderOptions, 'as' | 'prefix'> {
  const account = unprivilegedAccount();
  if (!isRoot() || account === null) return {};
  const ids = { uid: account.uid, gid: account.gid };
  if (canReach(path.dirname(process.execPath), ids) && canReach(import.meta.dirname, ids)) return { as: ids };
  return { prefix: launchInUserNamespace()?.prefix ?? [] };
}

/** True where root may make user namespaces and close them for the programs inside. */
export async function canForbidUserNamespaces(): Promise<boolean> {
  const launch = launchInUserNamespace();
  return isRoot() && launch !== null && existsSync('/proc/sys/user/max_user_namespaces') && (await prefixWorks(launch));
}

/**
 * Runs the stand-in as root of a user namespace of its own in which no further ones can be made, as hardened systems
 * and containers have it.
 */
export function forbidUserNamespaces(): Pick<HolderOptions, 'prefix' | 'onSpawn'> {
  const inner = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
  // The shell waits for its identity map, then becomes root of the namespace by running another shell.
  const outer = `read go && exec sh -c '${inner}' sh "$@"`;
  return {
    prefix: ['unshare', '--user', '--', 'sh', '-c', outer, 'sh'],
    async onSpawn(child) {
      const map = (name: string) => `/proc/${child.pid}/${name}`;
      const own = readFileSync('/proc/self/uid_map', 'utf8');
      const entered = await waitUntil(
        () => readFileSync(map('uid_map'), 'utf8') !== own && readFileSync(map('comm'), 'utf8').trim() === 'sh',
        10_000,
      );
      if (!entered) throw new Error('The user namespace was not made in time.');
      for (const name of ['uid_map', 'gid_map']) writeFileSync(map(name), '0 0 65537\n');
      child.stdin?.end('go\n');
    },
  };
}

/** Hands a directory to an ordinary user where the test runs as root. */
export function handTo(user: Pick<HolderOptions, 'as'>, directory: string): void {
  if (user.as) chownSync(directory, user.as.uid, user.as.gid);
}

/** Names in a data directory that only a start under way, or one that left something behind, would have. */
export function leftovers(dataDir: string): string[] {
  return readdirSync(dataDir).filter((name) => /draft|stale|lock/.test(name));
}
