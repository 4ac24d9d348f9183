/** Making a directory that the service writes to. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * As `mkdir -p`, then sees whether it can be written. Node's own recursive form never returns where a directory exists
 * and takes no entries (`/proc`).
 * @throws the system's error with its `path`
 */
export function makeWritableDirectory(directory: string): void {
  make(resolve(directory), 0o700);
  accessSync(directory, constants.W_OK | constants.X_OK);
}

function make(directory: string, mode: number): void {
  if (existsSync(directory)) return;
  make(dirname(directory), 0o755);
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    // Another node made it in the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
