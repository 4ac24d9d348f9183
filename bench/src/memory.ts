/**
 * Memory of a fresh, unused installation: with the demo and its embedded database, after the
 * processing of the demo's files. Prints the memory of each process (without PostgreSQL's) beside
 * the limit.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withServer } from './measured-server.ts';

/** All processes together. MiB. */
const LIMIT_MIB = 250;
/**
 * The processing of files starts with the server; it has ended if it had no process for this long.
 * Milliseconds.
 */
const QUIET_MS = 30_000;
const PATIENCE_MS = 300_000;

interface Measured {
  readonly pid: number;
  readonly program: string;
  /** Resident memory. MiB. */
  readonly mib: number;
}

export async function measureMemory(): Promise<void> {
  const withDemo = async (env: NodeJS.ProcessEnv) => {
    env['PORTICO_DEMO'] = 'true';
  };
  await withServer(withDemo, async (_, server) => {
    const begin = performance.now();
    let largest = 0;
    let quietSince = performance.now();
    let processes: Measured[] = [];
    while (performance.now() - quietSince < QUIET_MS && performance.now() - begin < PATIENCE_MS) {
      await sleep(1_000);
      processes = await processesBelow(server.process.pid as number);
      largest = Math.max(largest, total(processes));
      if (processes.length > 1) quietSince = performance.now();
    }
    console.log('memory of a fresh installation, PostgreSQL apart');
    console.log(`  at most, while files of the demo are looked at: ${largest} MiB`);
    for (const { program, mib } of processes) console.log(`  idle: ${program} ${mib} MiB`);
    const idle = total(processes);
    console.log(`  idle together: ${idle} MiB (limit: ${LIMIT_MIB} MiB)`);
    if (idle > LIMIT_MIB) process.exitCode = 1;
  });
}

const total = (processes: readonly Measured[]) => processes.reduce((sum, { mib }) => sum + mib, 0);

/** Returns a process and its descendants, without the database's. Reads /proc of Linux. */
async function processesBelow(root: number): Promise<Measured[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined); // ended meanwhile
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const found: Measured[] = [];
  for (const pid of parents.keys()) {
    if (pid !== root && parents.get(pid) !== root) continue;
    const program = await readlink(`/proc/${pid}/exe`).catch(() => undefined); // ended meanwhile
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
    if (!program || !status || basename(program) === 'postgres') continue;
    found.push({
      pid,
      program: basename(program),
      mib: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024),
    });
  }
  return found;
}
