/** The file of encryption keys that an installation without configured keys makes for itself. */
import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseSealingKeys, SEALING_KEY_BYTES } from './index.ts';

/**
 * The keys in a file, one a line. Makes the file with one new key where there is none, readable by its owner alone; of
 * several processes that do so at once, all get the same key.
 * @param file in a directory that exists
 * @throws RangeError when the file holds something else; errors of the file system
 */
export async function openSealingKeyFile(file: string): Promise<Buffer[]> {
  const present = await readSealingKeyFile(file);
  if (present) return present;
  // Written whole under another name first: no reader sees a part of it, and a crash leaves no empty file of keys.
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeDurably(draft, `${randomBytes(SEALING_KEY_BYTES).toString('base64')}\n`);
    await link(draft, file).catch(ignoreExisting);
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dirname(file));
  return parseSealingKeys(await readFile(file, 'utf8'));
}

/** @returns undefined where there is no file  @throws RangeError when the file holds something else */
export async function readSealingKeyFile(file: string): Promise<Buffer[] | undefined> {
  try {
    return parseSealingKeys(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Another process made the file first; its key counts. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** The name of a new file outlasts a power failure only when its directory is written too. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
