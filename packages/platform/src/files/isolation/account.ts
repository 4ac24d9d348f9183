/** Accounts for the processes that look at files: numbers that nobody else uses. */
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The number of a user, and of the group of the same number. */
export type Account = number;

/** Numbers that Linux distributions and systemd leave to nobody. */
const FIRST = 60_578;
const LAST = 61_183;

/**
 * Chooses a number that no user and no group has, under which no process runs, and to which this
 * process may change. Only root on Linux can choose. Each call chooses anew, so that no two
 * processes that look at files are the same user.
 * @param avoided directories: their owners, and the owners of their entries, are not chosen
 */
export function unusedAccount(avoided: readonly string[] = []): Account | undefined {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return undefined;
  const taken = new Set([...listedNumbers(), ...runningUsers(), ...owners(avoided.flatMap(withEntries))]);
  const mapped = [rangesOf('/proc/self/uid_map'), rangesOf('/proc/self/gid_map')];
  const count = LAST - FIRST + 1;
  const start = randomInt(count);
  for (let step = 0; step < count; step++) {
    const number = FIRST + ((start + step) % count);
    const usable = mapped.every((ranges) => ranges.some(([from, to]) => from <= number && number < to));
    if (usable && !taken.has(number)) return number;
  }
  return undefined;
}

/** Numbers of the users and groups that the system lists. */
function listedNumbers(): number[] {
  return ['/etc/passwd', '/etc/group'].filter(existsSync).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => line.split(':').slice(2, 4).map(Number)),
  );
}

/** Users and groups of all processes that this one sees. */
function runningUsers(): number[] {
  return owners(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => `/proc/${name}`),
  );
}

/** A directory, and the database, files and keys in it. */
function withEntries(directory: string): string[] {
  return [directory, ...readdirSync(directory).map((name) => join(directory, name))];
}

function owners(paths: readonly string[]): number[] {
  return paths.flatMap((path) => {
    // A process may have ended meanwhile.
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat ? [stat.uid, stat.gid] : [];
  });
}

/** The numbers that exist for this process: containers often have a part only. */
function rangesOf(map: string): [from: number, to: number][] {
  return readFileSync(map, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [from = 0, , length = 0] = line.trim().split(/\s+/).map(Number);
      return [from, from + length];
    });
}
