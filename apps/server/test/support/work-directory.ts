/**
 * Where a run of the tests keeps its files: databases, data directories, uploads. In memory where the system has a file
 * system for that, because a server that starts or stops mostly waits for the disk.
 */
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Variable that names the directory of prepared data directories; without it each server makes its own. */
export const PREPARED = 'PORTICO_TEST_PREPARED';

const IN_MEMORY = '/dev/shm';
/** The files of a run take some two gigabytes at most; servers and tests need memory beside them. */
const NEEDED_BYTES = 6 * 2 ** 30;

/**
 * Makes the directory and names it in TMPDIR, for this process and the processes that it starts.
 * @returns its path, and a function that removes it
 */
export async function useWorkDirectory(): Promise<{ directory: string; remove: () => Promise<void> }> {
  const parent = (await hasRoom(IN_MEMORY)) ? IN_MEMORY : tmpdir();
  const directory = await mkdtemp(join(parent, 'portico-run-'));
  // Servers that tests start as another user pass through it.
  await chmod(directory, 0o755);
  process.env['TMPDIR'] = directory;
  return { directory, remove: () => rm(directory, { recursive: true, force: true, maxRetries: 10 }) };
}

async function hasRoom(directory: string): Promise<boolean> {
  if (freemem() < NEEDED_BYTES) return false;
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize >= NEEDED_BYTES;
  } catch (error) {
    // Only Linux has it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
