/** Reads parts of zip archives that are wholly in memory, with a limit on their unpacked size. */
import { fromBufferPromise } from 'yauzl';
import { ENCRYPTED } from './encrypted.ts';

/** Entries that are looked at; documents have fewer. */
const MAX_ENTRIES = 20_000;

/**
 * Unpacks the entries whose names match, and nothing else.
 * @param maxBytes largest sum of their unpacked sizes; sizes that the archive states are not
 *   trusted
 * @returns the bytes by name, in the order of the numbers in the names
 * @throws Error for an archive that is broken, encrypted, or larger than a document would be
 */
export async function readEntries(data: Buffer, wanted: RegExp, maxBytes: number): Promise<Map<string, Buffer>> {
  const archive = await fromBufferPromise(data);
  if (archive.entryCount > MAX_ENTRIES) throw new Error('the archive has too many entries');
  const found: [string, Buffer][] = [];
  let bytes = 0;
  for await (const entry of archive.eachEntry()) {
    if (!wanted.test(entry.fileName)) continue;
    if (entry.isEncrypted()) throw new Error(ENCRYPTED);
    const pieces: Buffer[] = [];
    for await (const piece of await archive.openReadStreamPromise(entry)) {
      bytes += (piece as Buffer).length;
      if (bytes > maxBytes) throw new Error(`the archive unpacks to more than ${maxBytes} bytes`);
      pieces.push(piece as Buffer);
    }
    found.push([entry.fileName, Buffer.concat(pieces)]);
  }
  return new Map(found.sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })));
}
