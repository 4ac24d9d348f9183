/** Key files: written once, readable only by their owner. */
import { open, rename, unlink } from 'node:fs/promises';
import type { ServiceAccountKeyFile } from '../modules/people/index.ts';

/**
 * Writes a service account's key file with mode 0600.
 * @param options.replace whether a file of this name may be replaced; otherwise that is an error (EEXIST)
 */
export async function writeKeyFile(
  path: string,
  key: ServiceAccountKeyFile,
  options: { replace: boolean },
): Promise<void> {
  const target = options.replace ? `${path}.${process.pid}.tmp` : path;
  const file = await open(target, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(key, null, 2)}\n`);
    await file.sync();
  } catch (error) {
    await unlink(target);
    throw error;
  } finally {
    await file.close();
  }
  if (options.replace) await rename(target, path);
}
