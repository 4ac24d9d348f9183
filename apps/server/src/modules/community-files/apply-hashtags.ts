/** Making the hashtags of a community what its file says: those that are out of use come back. Those that it leaves out stay. */
import { ensureHashtags, restoreHashtags, setHashtagExternalIds } from '../communities/index.ts';
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
