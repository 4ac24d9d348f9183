import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errno } from './errors.ts';

// Process ids are reused, so nothing here trusts a number alone: a process is known by its number together with its
// start time, and a process of a cluster by its working directory. PostgreSQL's processes all work in the data
// directory of their cluster for as long as they live.

const linux = process.platform === 'linux';

/**
 * Says whether a process is alive and when it started.
 *
 * @returns null when there is no such process, or only its unreaped remains (a zombie); otherwise a text that is equal
 *   for the same process only, or '' when the process is alive and the system hides the rest.
 */
export function processStart(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (linux) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // The name is in parentheses and may itself contain spaces and parentheses.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') return null;
      return `${bootId()}:${fields[19]}`;
    } catch {
      return answersSignal(pid) ? '' : null;
    }
  }
  if (!answersSignal(pid)) return null;
  try {
    const [state, ...started] = tool('ps', ['-o', 'stat=,lstart=', '-p', String(pid)])
      .trim()
      .split(/\s+/);
    return state?.startsWith('Z') ? null : started.join(' ');
  } catch {
    return '';
  }
}

/** True for a process that exists and is not a zombie, of any owner. */
export function isAlive(pid: number): boolean {
  return processStart(pid) !== null;
}

/**
 * True when a number is in use in any way, also by an unreaped zombie: a starting server takes such
 * a process for alive.
 */
export function isNumberTaken(pid: number): boolean {
  return Number.isInteger(pid) && pid > 0 && answersSignal(pid);
}

/** The name of the process id space: numbers of another space (a container's) cannot be looked up in this one. */
export function processNamespace(): string {
  if (!linux) return '';
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** True when `pid` is a live PostgreSQL process whose working directory is exactly this data directory. */
export function isClusterProcess(pid: number, clusterDir: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return false;
  if (linux) return standsIn(pid, clusterDir);
  return darwinProcessesIn(clusterDir, pid).length > 0;
}

/** All live PostgreSQL processes that work in this data directory, as far as this user may see. */
export function clusterProcesses(clusterDir: string): number[] {
  if (!linux) return darwinProcessesIn(clusterDir);
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
    .filter((pid) => standsIn(pid, clusterDir));
}

/**
 * Sends a signal.
 *
 * @returns false when the process is gone already.
 * @throws the system's error when the process may not be signalled.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if (errno(error) === 'ESRCH') return false;
    throw error;
  }
}

/** Waits until `condition` holds; false when it did not within `timeoutMs`. */
export async function waitUntil(condition: () => boolean, timeoutMs: number, stepMs = 10): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() >= deadline) return false;
    await sleep(stepMs);
  }
  return true;
}

function standsIn(pid: number, clusterDir: string): boolean {
  try {
    // Both checks: a shell that was left in that directory has it too and must never be killed.
    if (readFileSync(`/proc/${pid}/comm`, 'latin1').trim() !== 'postgres') return false;
    // By device and inode, not by name: the directory may have been renamed or mounted elsewhere in the meantime.
    const there = statSync(`/proc/${pid}/cwd`, { bigint: true });
    const here = statSync(clusterDir, { bigint: true });
    return there.dev === here.dev && there.ino === here.ino;
  } catch {
    // Gone, or another user's: either way not a process this user's cluster consists of.
    return false;
  }
}

function darwinProcessesIn(clusterDir: string, only?: number): number[] {
  try {
    const wanted = realpathSync(clusterDir);
    const selection = only === undefined ? [] : ['-p', String(only)];
    const lines = tool('lsof', ['-a', '-c', 'postgres', '-d', 'cwd', ...selection, '-F', 'pn']).split('\n');
    const found: number[] = [];
    let pid = 0;
    for (const line of lines) {
      if (line.startsWith('p')) pid = Number(line.slice(1));
      else if (line.startsWith('n') && line.slice(1) === wanted) found.push(pid);
    }
    return found;
  } catch {
    // lsof ends with 1 when it finds nothing.
    return [];
  }
}

function answersSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errno(error) === 'EPERM';
  }
}

let boot: string | undefined;

/** Start times count from the boot, so the boot is part of them. */
function bootId(): string {
  if (boot === undefined) {
    try {
      boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    } catch {
      boot = '';
    }
  }
  return boot;
}

function tool(name: string, args: string[]): string {
  return execFileSync(name, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, LC_ALL: 'C' },
  });
}
