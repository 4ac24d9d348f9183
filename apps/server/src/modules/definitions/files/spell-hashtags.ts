/** Hashtags of a file whose spelling differs from the community. */
import type { CommunityFile } from '@portico/contract';
import { hashtagKey } from '../../communities/index.ts';

/**
 * Returns the file with its hashtags in the spelling of the community, each once: case, accents and
 * the leading sign are ignored.
 * @param present names of the hashtags of the community
 */
export function spellHashtags(file: CommunityFile, present: readonly string[] = []): CommunityFile {
  const spelled = new Map(present.map((name) => [hashtagKey(name), name]));
  const spell = (name: string) => {
    const key = hashtagKey(name);
    if (!spelled.has(key)) spelled.set(key, name);
    return spelled.get(key)!;
  };
  const hashtags = [...new Set((file.hashtags ?? []).map(spell))];
  const ids = Object.entries(file.hashtagExternalIds ?? {}).map(([name, id]) => [spell(name), id] as const);
  return { ...file, hashtags, ...(ids.length > 0 && { hashtagExternalIds: Object.fromEntries(ids) }) };
}
