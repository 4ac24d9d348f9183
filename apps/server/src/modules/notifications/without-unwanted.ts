/** Filters notifications by the preferences of their recipients. */
import type { NotificationKind } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { readPreferencesOf } from './notifications.repository.ts';

/**
 * Removes unwanted notifications about a post. The preference for the community overrides the one
 * for all communities.
 */
export async function withoutUnwanted<N extends { userId: number; kind: NotificationKind }>(
  tx: TenantExecutor,
  postId: number,
  found: N[],
): Promise<N[]> {
  if (found.length === 0) return found;
  const preferences = await readPreferencesOf(
    tx,
    postId,
    found.map(({ userId }) => userId),
  );
  if (preferences.length === 0) return found;
  const enabled = new Map(preferences.map((one) => [`${one.userId} ${one.kind} ${one.everywhere}`, one.enabled]));
  return found.filter(
    ({ userId, kind }) => enabled.get(`${userId} ${kind} false`) ?? enabled.get(`${userId} ${kind} true`) ?? true,
  );
}
