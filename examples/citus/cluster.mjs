// A Citus cluster on loopback addresses, made by a script that is not part of this repository. Its servers can be ended one by one
// and started again.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';

const SCRIPT = fileURLToPath(new URL('../../../shared/tools/citus-cluster.sh', import.meta.url));

/** Starts the cluster that is kept in a directory. @returns its nodes (the coordinator first) and what can be done with them */
export async function startCluster(directory) {
  const ports = () => `${read('port')} ${read('worker-ports')}`.split(' ').map(Number);
  const read = (file) => {
    try {
      return readFileSync(join(directory, file), 'utf8').trim();
    } catch (error) {
      if (error.code === 'ENOENT') return '';
      throw error;
    }
  };
  const run = async (action, ...args) =>
    (await promisify(execFile)('sh', [SCRIPT, action, directory, ...args])).stdout.trim();
  const known = read('port');
  const running = await run('status').then(
    () => true,
    () => false,
  );
  await run('start', ...(known ? [] : [String(3 * (6_000 + Math.floor(4_000 * Math.random())))]));

  /** Process id of a server's first process. */
  const pidOf = (port) =>
    Number(readFileSync(join(directory, 'data', String(port), 'postmaster.pid'), 'utf8').split('\n')[0]);
  const alive = (pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  return {
    nodes: ports().map((port) => ({ port, name: `127.0.0.1:${port}` })),
    /** Makes a database of the role `portico` on all nodes. @returns its address */
    create: (name) => run('create', name),
    drop: (name) => run('drop', name),
    /** Stops it, unless it ran before. */
    stop: async () => {
      if (!running) await run('stop');
    },
    /** Ends a server. @param signal SIGINT: a fast stop; SIGKILL: as when the machine fails */
    async end({ port }, signal) {
      const pid = pidOf(port);
      process.kill(pid, signal);
      while (alive(pid)) await sleep(50);
    },
    /**
     * Suspends a server with all its processes, or resumes them. A suspended server accepts
     * connections and does not answer.
     */
    suspend({ port }, signal = 'SIGSTOP') {
      const first = pidOf(port);
      // The first process is suspended first, so that it starts no others, and resumed last.
      const all = [first, ...childrenOf(first)];
      for (const pid of signal === 'SIGSTOP' ? all : all.toReversed()) process.kill(pid, signal);
    },
    /**
     * Starts the stopped servers. A killed server starts only after the last of its processes has
     * ended.
     */
    async start() {
      for (let attempt = 1; ; attempt++) {
        try {
          await run('start');
          return;
        } catch (error) {
          if (attempt === 20) throw error;
          await sleep(500);
        }
      }
    },
    /** Waits until a server answers. */
    async answers({ port }, database) {
      for (;;) {
        const client = new pg.Client({ host: '127.0.0.1', port, user: 'portico', database });
        client.on('error', () => undefined);
        try {
          await client.connect();
          await client.query('SELECT 1');
          return;
        } catch {
          await sleep(50);
        } finally {
          await client.end().catch(() => undefined);
        }
      }
    },
  };
}

/** Process ids of the children of a process. */
function childrenOf(parent) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false; // it has ended
      }
    })
    .map(Number);
}
