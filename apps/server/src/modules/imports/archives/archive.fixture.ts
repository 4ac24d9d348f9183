/** Reads archives of communities in tests. */
import { fromBufferPromise } from 'yauzl';

/** The entries of an archive by name. */
export async function unpack(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray()));
  return entries;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
export type Json = Record<string, any>;

/** The lines of an entry. */
export const linesOf = (entries: ReadonlyMap<string, Buffer>, name: string): Json[] =>
  entries
    .get(name)!
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);
