import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errno } from './errors.ts';
import { processNamespace, processStart } from './processes.ts';

/**
 * Use of the database by the holder: a server keeps the lock, an operator's command releases it
 * soon.
 */
export type LockPurpose = 'server' | 'command';

export type LockHolder = {
  pid: number;
  /** See {@link processStart}: distinguishes a live holder from a later process with the same number. */
  started: string;
  namespace: string;
  purpose: LockPurpose;
  token: string;
};

export type DataDirLock = {
  /** False when another process has taken the lock since (two starts that both found the same stale lock). */
  stillOurs(): boolean;
  release(): void;
};

/**
 * Takes the lock of a data directory, if no running process has it. A lock whose holder was killed is taken over; nobody has
 * to clean it by hand.
 *
 * Node has no advisory file locks, so the lock is a file that names its holder. Two starts that find the same stale
 * file at the same moment can both believe they took it over; therefore the winner asks {@link DataDirLock.stillOurs}
 * again when its start is complete, which is far later than the time the race needs, and the other one gives up.
 *
 * @returns the lock, or who holds it.
 * @throws the system's error when the directory cannot be written.
 */
export function acquireLock(dataDir: string, purpose: LockPurpose): { lock: DataDirLock } | { holder: LockHolder } {
  const file = path.join(dataDir, 'postgres.lock');
  const mine: LockHolder = {
    pid: process.pid,
    started: processStart(process.pid) ?? '',
    namespace: processNamespace(),
    purpose,
    token: randomUUID(),
  };
  // Told without writing, so that operators' commands read the database of a running service on a full disk.
  const present = readHolder(file);
  if (present !== null && holderIsAlive(present)) return { holder: present };
  const draft = `${file}.${mine.token}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o644 });
  try {
    for (;;) {
      try {
        // A link appears with its content or not at all, unlike a file that is made and then written.
        linkSync(draft, file);
        return { lock: lockOf(file, mine.token) };
      } catch (error) {
        if (errno(error) !== 'EEXIST') throw error;
      }
      const holder = readHolder(file);
      if (holder !== null && holderIsAlive(holder)) return { holder };
      takeAway(file, holder?.token);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function lockOf(file: string, token: string): DataDirLock {
  const stillOurs = () => readHolder(file)?.token === token;
  return {
    stillOurs,
    release() {
      if (stillOurs()) rmSync(file, { force: true });
    },
  };
}

function takeAway(file: string, expectedToken: string | undefined): void {
  const aside = `${file}.stale.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (errno(error) === 'ENOENT') return;
    throw error;
  }
  const moved = readHolder(aside);
  if (moved !== null && moved.token !== expectedToken) {
    // Another process took over the stale lock between our check and our rename: restore its lock.
    try {
      linkSync(aside, file);
    } catch (error) {
      if (errno(error) !== 'EEXIST') throw error;
    }
  }
  rmSync(aside, { force: true });
}

function readHolder(file: string): LockHolder | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errno(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'pid' in value && 'token' in value) return value as LockHolder;
    return null;
  } catch {
    // A machine that lost power may leave an empty file: as good as no holder.
    return null;
  }
}

function holderIsAlive(holder: LockHolder): boolean {
  // A number of another process id space (a container that shares the directory) means nothing here. Whether a server
  // of that other space still runs is found out through its socket, before anything is started or removed.
  if (holder.namespace !== processNamespace()) return false;
  const started = processStart(holder.pid);
  if (started === null) return false;
  return started === '' || started === holder.started;
}
