/** The gallery of communities that ship with the portal, and the reading of community files. */
import type { Input } from '@portico/sdk';
import { parse } from 'yaml';

export type CommunityFile = NonNullable<Input<'planCommunity'>['file']>;

const FILES = import.meta.glob<string>('../../../../../examples/communities/*.yaml', {
  query: '?raw',
  import: 'default',
});

/** Names of the files of the gallery, such as `service-desk`. */
export const galleryNames: readonly string[] = Object.keys(FILES)
  .map((path) => /([^/]+)\.yaml$/.exec(path)![1]!)
  .toSorted();

/** Returns a file of the gallery. */
export async function readGallery(name: string): Promise<CommunityFile> {
  const [, load] = Object.entries(FILES).find(([path]) => path.endsWith(`/${name}.yaml`))!;
  return readCommunityFile(await load());
}

/**
 * Reads a community file of YAML or JSON.
 * @throws Error that names the line, for a text that is neither, or holds no object
 */
export function readCommunityFile(text: string): CommunityFile {
  const content: unknown = parse(text);
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw new Error('version: 1');
  return content as CommunityFile;
}
