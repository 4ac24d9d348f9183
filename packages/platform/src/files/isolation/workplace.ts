/** The directory of a process that looks at files, and the files of its jobs in it. */
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { chmod, chown, lstat, mkdtemp, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Account, unusedAccount } from './account.ts';

/**
 * A directory of the server that the process can read. In it is the only one that the process
 * writes to. The server never writes there: the process could put a link in the place of a file.
 */
export interface Workplace {
  readonly directory: string;
  /** Where the process writes. */
  readonly outputs: string;
  /** Where the process's root directory is mounted, if it gets one. */
  readonly root: string;
  /** The account that was chosen for the process, where the server may choose. */
  readonly account: Account | undefined;
}

/** The directories of this server's processes; gone with it. */
const directories = new Set<string>();
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/**
 * Makes a workplace below the directory for temporary files.
 * @param avoided directories whose owners the process is not to be
 */
export function makeWorkplace(avoided: readonly string[]): Workplace {
  const account = unusedAccount(avoided);
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'portico-isolated-'));
  directories.add(directory);
  const place = { directory, outputs: join(directory, 'outputs'), root: join(directory, 'root'), account };
  for (const made of [place.outputs, place.root]) mkdirSync(made, { mode: 0o700 });
  if (account !== undefined) {
    chownSync(directory, process.getuid!(), account);
    chmodSync(directory, 0o750);
  }
  return place;
}

/**
 * Whether all of a workplace is there: programs that tidy up temporary directories may have removed
 * a part.
 */
export function isWhole({ directory, outputs, root }: Workplace): boolean {
  return [directory, outputs, root].every(existsSync);
}

/** Removes a workplace whose process has ended. */
export function removeWorkplace({ directory }: Workplace): void {
  directories.delete(directory);
  rmSync(directory, { recursive: true, force: true });
}

/** The files of one job. */
export interface JobFiles {
  /**
   * Path of an empty file, to be filled with the bytes to look at. The process reads it and cannot
   * write to it.
   */
  readonly input: string;
  /** Path to which the process writes a result. */
  output(name: string): string;
  /**
   * Takes a result away from the process.
   * @returns its path, or undefined where the process has left no file there
   */
  take(name: string): Promise<string | undefined>;
  /** Removes all files of the job. */
  remove(): Promise<void>;
}

/** Makes the files of a job. */
export async function makeJobFiles({ directory: within, outputs, account }: Workplace): Promise<JobFiles> {
  const directory = await mkdtemp(join(within, 'file-'));
  const input = join(directory, 'input');
  await writeFile(input, '', { mode: 0o600 });
  if (account !== undefined) {
    for (const [path, mode] of [[directory, 0o750] as const, [input, 0o640] as const]) {
      await chown(path, process.getuid!(), account);
      await chmod(path, mode);
    }
  }
  const named = new Set<string>();
  const output = (name: string) => {
    const path = join(outputs, `${basename(directory)}-${name}`);
    named.add(path);
    return path;
  };
  return {
    input,
    output,
    take: async (name) => {
      const taken = join(directory, name);
      try {
        await rename(output(name), taken);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
      // A link would lead the server to a file of somebody else. Here the process can exchange it
      // no more.
      const found = await lstat(taken);
      return found.isFile() && found.nlink === 1 ? taken : undefined;
    },
    remove: async () => {
      for (const path of named) await removeOutput(path);
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/**
 * Removes a result that was not taken. A directory, which only a process that was taken over makes,
 * stays until the server ends: while it is removed, the process could exchange it for a link to
 * another one.
 */
async function removeOutput(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!['ENOENT', 'EISDIR', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
