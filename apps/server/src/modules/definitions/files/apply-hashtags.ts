/**
 * Applies the hashtags in the file of a community: restores deleted ones. Omitted hashtags stay.
 */
import { ensureHashtags, restoreHashtags, setHashtagExternalIds } from '../../communities/index.ts';
import { runAt, type Steps } from './steps.ts';

export async function applyHashtags({ within, file, present }: Steps, communityId: number): Promise<void> {
  const known = new Set(present.file.hashtags);
  const wanted = new Map(Object.entries(file.hashtagExternalIds ?? {}));
  const made = (file.hashtags ?? []).filter((name) => !known.has(name));
  if (made.length > 0)
    await runAt('file.hashtags', {}, async () => {
      await ensureHashtags(within, communityId, made);
      await restoreHashtags(within, communityId, made);
    });
  const before = new Map(Object.entries(present.file.hashtagExternalIds ?? {}));
  const changed = [...wanted].filter(([name, externalId]) => before.get(name) !== externalId);
  if (changed.length > 0)
    await runAt('file.hashtagExternalIds', {}, () => setHashtagExternalIds(within, communityId, new Map(changed)));
}
