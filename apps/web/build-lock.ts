/**
 * The lock of a build: a folder that names the building process. The lock of a process that has
 * ended counts as free.
 */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Age after which a lock of another machine, or a lock without a name, counts as left behind.
 * Milliseconds.
 */
const LONGEST_BUILD = 120_000;

/** @param onWait is called once when another process builds */
export async function takeLock(lock: string, onWait: () => void): Promise<void> {
  for (let waited = false; ; waited = true) {
    try {
      await mkdir(lock);
      await writeFile(join(lock, 'holder'), `${hostname()} ${process.pid}`);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (await isLeftOver(lock)) {
        await rm(lock, { recursive: true, force: true });
        continue;
      }
      if (!waited) onWait();
      await sleep(100);
    }
  }
}

async function isLeftOver(lock: string): Promise<boolean> {
  const made = await stat(lock).catch(absent);
  if (made === undefined) return false;
  const [host, id] = (await readFile(join(lock, 'holder'), 'utf8').catch(absent))?.split(' ') ?? [];
  if (host === hostname() && id !== undefined) return !isAlive(Number(id));
  return Date.now() - made.mtimeMs > LONGEST_BUILD;
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Returns undefined for the error of a missing file. */
export function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
