/** CPU time and memory of processes, from /proc: of the server by its id, of the database by the parent of its backends. */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second of /proc: 100 on every Linux that Node runs on. */
const TICKS = 100;
const PAGE_BYTES = 4096;

/** Resources that processes used up to a moment. */
interface Usage {
  /** CPU seconds since their start. */
  readonly cpu: number;
  /** Bytes of memory; of a database the private pages of its processes, without shared buffers. */
  readonly memory: number;
}

interface Stat {
  readonly parent: number;
  readonly cpu: number;
}

/** @returns undefined for a process that is gone */
function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in brackets, may hold anything.
    const rest = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(rest[1]), cpu: (Number(rest[11]) + Number(rest[12])) / TICKS };
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Resident and shared bytes. */
function pagesOf(pid: number): { resident: number; shared: number } {
  try {
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number);
    return { resident: (resident ?? 0) * PAGE_BYTES, shared: (shared ?? 0) * PAGE_BYTES };
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return { resident: 0, shared: 0 };
    throw error;
  }
}

/** One process. */
function usageOf(pid: number): Usage {
  return { cpu: statOf(pid)?.cpu ?? 0, memory: pagesOf(pid).resident };
}

/**
 * CPU seconds of a server with the processes that serve for it; ended processes are not counted.
 * @param pid of its first process
 */
export function cpuOfNode(pid: number): number {
  let { cpu } = usageOf(pid);
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(Number(name));
    if (stat?.parent === pid && commandOf(Number(name)).includes('/several/entry.ts')) cpu += stat.cpu;
  }
  return cpu;
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/** A database server on this machine. */
function usageOfDatabase(postmaster: number | undefined): Usage {
  if (postmaster === undefined) return { cpu: 0, memory: 0 };
  let [cpu, memory] = [0, 0];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const pid = Number(name);
    const stat = statOf(pid);
    if (!stat || (stat.parent !== postmaster && pid !== postmaster)) continue;
    const { resident, shared } = pagesOf(pid);
    cpu += stat.cpu;
    memory += resident - shared;
  }
  return { cpu, memory };
}

/**
 * The server of a backend, if it runs on this machine.
 * @param backend result of pg_backend_pid()
 */
export function postmasterOf(backend: number): number | undefined {
  try {
    if (!readFileSync(`/proc/${backend}/comm`, 'latin1').includes('postgres')) return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return statOf(backend)?.parent;
}

/**
 * CPU seconds that a server and its database have used.
 * @param postmaster undefined if it runs elsewhere; it is then not counted
 */
export const cpuOf = (server: number, postmaster: number | undefined): number =>
  usageOf(server).cpu + usageOfDatabase(postmaster).cpu;

/** Resources used while something ran. */
export interface Used {
  /** Average number of busy cores. */
  readonly serverCores: number;
  readonly databaseCores: number;
  readonly loadCores: number;
  /** Maximum bytes. */
  readonly serverMemory: number;
  readonly databaseMemory: number;
}

/** Watches while `work` runs. @param server process id */
export async function whileWatching<T>(
  server: number,
  postmaster: number | undefined,
  work: () => Promise<T>,
): Promise<{ result: T; used: Used }> {
  const before = { server: usageOf(server), database: usageOfDatabase(postmaster), load: process.cpuUsage() };
  let serverMemory = before.server.memory;
  const started = performance.now();
  const timer = setInterval(() => {
    serverMemory = Math.max(serverMemory, usageOf(server).memory);
  }, 100);
  let result: T;
  try {
    result = await work();
  } finally {
    clearInterval(timer);
  }
  const seconds = (performance.now() - started) / 1000;
  const after = { server: usageOf(server), database: usageOfDatabase(postmaster) };
  const load = process.cpuUsage(before.load);
  return {
    result,
    used: {
      serverCores: (after.server.cpu - before.server.cpu) / seconds,
      databaseCores: Math.max(0, after.database.cpu - before.database.cpu) / seconds,
      loadCores: (load.user + load.system) / 1e6 / seconds,
      serverMemory: Math.max(serverMemory, after.server.memory),
      databaseMemory: after.database.memory,
    },
  };
}
