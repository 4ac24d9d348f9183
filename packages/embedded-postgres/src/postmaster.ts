import type { ChildProcess } from 'node:child_process';
import { closeSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programPath } from './binaries.ts';
import { EmbeddedPostgresError, errno } from './errors.ts';
import { spawnProgram } from './launch.ts';
import { complaintsSince, openLog } from './log-file.ts';
import type { Placement } from './placement.ts';
import { clusterDirOf, SOCKET_PORT } from './placement.ts';
import { clusterProcesses, isClusterProcess, isNumberTaken, processStart, sendSignal, waitUntil } from './processes.ts';
import type { EmbeddedPostgresLog } from './types.ts';

/** State that a postmaster writes about itself into its data directory. */
type PidFile = { pid: number; socketDir: string; status: string };

/** The file a postmaster keeps while it runs; null when there is none or it was cut off while being written. */
function readPidFile(clusterDir: string): PidFile | null {
  try {
    // Lines: pid, data directory, start time, port, socket directory, listen address, shared memory, status.
    const lines = readFileSync(pidFilePath(clusterDir), 'utf8').split('\n');
    return { pid: Number(lines[0]), socketDir: lines[4] ?? '', status: (lines[7] ?? '').trim() };
  } catch (error) {
    if (errno(error) === 'ENOENT') return null;
    throw error;
  }
}

const pidFilePath = (clusterDir: string): string => path.join(clusterDir, 'postmaster.pid');

/** A running postmaster. `child` is set when this process started it. */
export type Postmaster = { pid: number; socketDir: string; child?: ChildProcess };

/** The postmaster that has written itself ready into its data directory; it may have died since. */
export function readPostmaster(clusterDir: string): Postmaster | null {
  const found = readPidFile(clusterDir);
  return found?.status === 'ready' ? { pid: found.pid, socketDir: found.socketDir } : null;
}

/**
 * Finds the remains of an earlier start and clears them, without an operator's help:
 * - a live postmaster of this very cluster is returned, to be adopted (a stopping postmaster is
 *   waited for);
 * - a pid file that names a live process which is not this cluster's is removed (the server itself
 *   would refuse);
 * - processes of a dead postmaster that still work in the data directory are killed: they hold its
 *   shared memory.
 *
 * @returns the live postmaster, or null when nothing runs and a new one can start.
 * @throws EmbeddedPostgresError `in_use` when a server that this system's process table does not
 *   show (another container's) answers on the socket, `start_failed` when old processes do not end.
 */
export async function recover(
  clusterDir: string,
  options: { log: EmbeddedPostgresLog; timeoutMs: number; expectedSocketDir: string },
): Promise<Postmaster | null> {
  const { log } = options;
  const found = readPidFile(clusterDir);
  if (found && isClusterProcess(found.pid, clusterDir)) {
    const settled = await waitUntil(() => {
      const now = readPidFile(clusterDir);
      return now === null || now.status === 'ready' || !isClusterProcess(found.pid, clusterDir);
    }, options.timeoutMs);
    const now = readPidFile(clusterDir);
    if (settled && now?.status === 'ready' && isClusterProcess(now.pid, clusterDir)) {
      return { pid: now.pid, socketDir: now.socketDir };
    }
    // It removes the file a moment before it ends; the sweep below must not hit it in its last steps.
    if (!settled || !(await waitUntil(() => !isClusterProcess(found.pid, clusterDir), options.timeoutMs))) {
      throw new EmbeddedPostgresError(
        'start_timeout',
        `The database server that runs already (process ${found.pid}) was not ready within ${Math.round(options.timeoutMs / 1000)} seconds: try again later, or end it first.`,
      );
    }
  } else if (found) {
    for (const directory of new Set([found.socketDir, options.expectedSocketDir])) {
      if (await socketAnswers(directory)) {
        throw new EmbeddedPostgresError(
          'in_use',
          `A database server outside of this system's view, perhaps in another container, serves ${clusterDir}: stop it first.`,
        );
      }
    }
    if (!(found.pid > 0) || isNumberTaken(found.pid)) {
      log({
        level: 'info',
        msg: 'Removed a stale postmaster.pid that names no server of this database.',
        pid: found.pid,
      });
      rmSync(pidFilePath(clusterDir), { force: true });
    }
  }
  await killProcesses(clusterDir, log);
  return null;
}

/**
 * Ends the remaining processes of a cluster whose postmaster is dead. Committed transactions are in
 * its log and are replayed.
 */
async function killProcesses(clusterDir: string, log: EmbeddedPostgresLog): Promise<void> {
  let left: number[] = [];
  // The killed processes, with their start times: an exiting process has left the directory
  // already.
  const killed = new Map<number, string>();
  for (let round = 0; round < 500; round++) {
    const exiting = [...killed].filter(([pid, start]) => processStart(pid) === start).map(([pid]) => pid);
    left = [...new Set([...clusterProcesses(clusterDir), ...exiting])];
    if (left.length === 0) return;
    // Once per second: a process in the middle of a disk write dies only when that ends.
    if (round % 50 === 0) {
      log({ level: 'warn', msg: 'Killing processes that a dead database server left behind.', pids: left });
      for (const pid of left) {
        const start = processStart(pid);
        if (start !== null) killed.set(pid, start);
        sendSignal(pid, 'SIGKILL');
      }
    }
    await sleep(20);
  }
  throw new EmbeddedPostgresError(
    'start_failed',
    `Processes of an earlier database server do not end (${left.join(', ')}): end them, then start again.`,
  );
}

/** True when a process listens on a cluster's socket in `directory`. */
function socketAnswers(directory: string): Promise<boolean> {
  if (directory === '') return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = net.connect({ path: path.join(directory, `.s.PGSQL.${SOCKET_PORT}`) });
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1000, () => finish(true));
    socket.on('connect', () => finish(true));
    socket.on('error', () => finish(false));
  });
}

/** Defaults of the embedded server; the caller's settings win. */
function serverSettings(socketDir: string, settings: Record<string, string>): Record<string, string> {
  return {
    // Nobody but this machine's user reaches it.
    listen_addresses: '',
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: String(SOCKET_PORT),
    max_connections: '100',
    shared_buffers: '128MB',
    fsync: 'on',
    synchronous_commit: 'on',
    // A single machine, no replicas: less to write, and nothing to wait for at the start.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '1GB',
    // The work here is many short statements.
    jit: 'off',
    // A query whose client was killed ends within seconds instead of running to its end.
    client_connection_check_interval: '5s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    logging_collector: 'off',
    log_destination: 'stderr',
    ...settings,
  };
}

/**
 * Settings of a server that archives its log. The command runs in the directory of the cluster; a file has its name in the
 * archive when it is whole and on the disk.
 */
export const ARCHIVE_SETTINGS: Readonly<Record<string, string>> = {
  wal_level: 'replica',
  archive_mode: 'on',
  archive_timeout: '60s',
  archive_command:
    'cp %p ../log-archive/%f.part && sync ../log-archive/%f.part && mv ../log-archive/%f.part ../log-archive/%f',
};

/**
 * Starts a postmaster and waits until it accepts connections.
 *
 * @throws EmbeddedPostgresError `start_failed` (with the server's message), `start_timeout`; the
 *   signal's reason.
 */
export async function startPostmaster(
  placement: Placement,
  socketDir: string,
  options: {
    settings: Record<string, string>;
    logFile: string;
    timeoutMs: number;
    log: EmbeddedPostgresLog;
    signal?: AbortSignal;
  },
): Promise<Postmaster> {
  const clusterDir = clusterDirOf(placement.home);
  const args = ['-D', clusterDir];
  for (const [name, value] of Object.entries(serverSettings(socketDir, options.settings))) {
    if (!/^[a-z_][a-z0-9_.]*$/i.test(name)) {
      throw new EmbeddedPostgresError('start_failed', `"${name}" is not the name of a PostgreSQL setting.`);
    }
    args.push('-c', `${name}=${value}`);
  }
  const { fd, size } = openLog(options.logFile);
  let child: ChildProcess;
  try {
    child = spawnProgram(placement.launch, programPath(placement.nativeDir, 'postgres'), args, ['ignore', fd, fd]);
  } finally {
    closeSync(fd);
  }
  let ended: string | null = null;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended ??= signal === null ? `exit code ${code}` : signal;
  });
  child.unref();
  const begun = performance.now();
  let nextNotice = 10_000;
  for (;;) {
    await sleep(10);
    // A call, because the compiler takes a variable that only callbacks change for a constant.
    const end = ((): string | null => ended)();
    if (end !== null) {
      const said = complaintsSince(options.logFile, size);
      throw new EmbeddedPostgresError(
        'start_failed',
        `The embedded PostgreSQL did not start (${end}): ${said || `see ${options.logFile}`}.`,
      );
    }
    const pidFile = readPidFile(clusterDir);
    if (child.pid !== undefined && pidFile?.pid === child.pid && pidFile.status === 'ready') {
      return { pid: child.pid, socketDir, child };
    }
    const elapsed = performance.now() - begun;
    if (options.signal?.aborted || elapsed > options.timeoutMs) {
      if (child.pid !== undefined) await endPostmaster({ pid: child.pid, socketDir, child }, clusterDir, 5000);
      options.signal?.throwIfAborted();
      throw new EmbeddedPostgresError(
        'start_timeout',
        `The embedded PostgreSQL was not ready within ${Math.round(options.timeoutMs / 1000)} seconds: see ${options.logFile}.`,
      );
    }
    if (elapsed > nextNotice) {
      options.log({
        level: 'info',
        msg: 'The database server is still starting; after a crash it replays its log first.',
      });
      nextNotice += 10_000;
    }
  }
}

/** True while this postmaster lives. */
export function isRunning(postmaster: Postmaster, clusterDir: string): boolean {
  if (postmaster.child) return postmaster.child.exitCode === null && postmaster.child.signalCode === null;
  return isClusterProcess(postmaster.pid, clusterDir);
}

/**
 * Ends a postmaster: fast shutdown (transactions are rolled back, everything is written out); after `timeoutMs` an
 * immediate one; and when that does nothing either, SIGKILL for the whole cluster.
 */
export async function endPostmaster(postmaster: Postmaster, clusterDir: string, timeoutMs: number): Promise<void> {
  // A process that is exiting gives up its directory a moment before it ends, so its start time is compared as well.
  const start = isRunning(postmaster, clusterDir) ? processStart(postmaster.pid) : null;
  const gone = () => !isRunning(postmaster, clusterDir) && (start === null || processStart(postmaster.pid) !== start);
  for (const [signal, patience] of [
    ['SIGINT', timeoutMs],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    // Checked again before each signal: the number may be another process's by then.
    if (gone()) break;
    sendSignal(postmaster.pid, signal);
    if (await waitUntil(gone, patience, 5)) break;
  }
  // After an immediate end some of its processes may outlive it for a moment; nothing else can need them.
  if (clusterProcesses(clusterDir).length > 0) {
    await waitUntil(() => clusterProcesses(clusterDir).length === 0, 1000);
    for (const pid of clusterProcesses(clusterDir)) sendSignal(pid, 'SIGKILL');
  }
}
