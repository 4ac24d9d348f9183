/** Rights to restore deleted posts, comments and tasks. */
import { communitiesWith, hasPermission, openToRoleSql, type Parameters } from '../../../kernel/access/index.ts';
import type { Actor } from '../../../kernel/scope.ts';

/** Milliseconds after a deletion during which it can be undone. */
export const RESTORABLE_MS = 30 * 86_400_000;

/**
 * Returns SQL of a boolean: the actor may restore the deleted post. Editors of other people's posts
 * may restore posts that they would see; authors may restore posts that they deleted themselves,
 * while they may still write there. The right to delete a post thus includes the right to restore
 * it.
 * @param alias alias of `posts` in the statement
 * @param now epoch milliseconds
 */
export function restorableSql(alias: string, actor: Actor, now: number, parameters: Parameters): string {
  const bigints = (ids: readonly number[]) => `${parameters.add(ids)}::bigint[]`;
  const me = `${parameters.add(actor.userId)}::bigint`;
  const editing = communitiesWith(actor, 'editPosts');
  const whole = editing.filter((id) => hasPermission(actor, id, 'readAllPosts'));
  const part = editing.filter((id) => !hasPermission(actor, id, 'readAllPosts'));
  const among = [
    `${alias}.community_id = ANY (${bigints(whole)})`,
    ...(part.length === 0
      ? []
      : [
          `${alias}.community_id = ANY (${bigints(part)}) AND ${openToRoleSql(alias, bigints(actor.principals), {
            readsPublic: `${alias}.community_id = ANY (${bigints(communitiesWith(actor, 'readPublicPosts'))})`,
          })}`,
        ]),
  ];
  return `(${alias}.deleted_at > ${parameters.add(new Date(now - RESTORABLE_MS))}::timestamptz AND ${alias}.erasable_at IS NULL
    AND (((${among.join(' OR ')})
          AND (NOT ${alias}.draft OR ${alias}.creator_id = ${me}))
      OR (${alias}.community_id = ANY (${bigints(communitiesWith(actor, 'createPosts'))})
          AND ${alias}.creator_id = ${me} AND ${alias}.deleted_by = ${me})))`;
}

/**
 * Returns whether the actor may restore a comment or a task of a post that they see, given that
 * they could delete it if it still existed: holders of the permission may restore all, others only
 * their own deletions.
 * @param deletedAt epoch milliseconds
 * @param now epoch milliseconds
 */
export function mayRestorePart(
  actor: Actor,
  communityId: number,
  permission: 'moderateComments' | 'manageTasks',
  { deletedBy, deletedAt }: { deletedBy: number; deletedAt: number },
  now: number,
): boolean {
  const manages = hasPermission(actor, communityId, permission);
  return deletedAt > now - RESTORABLE_MS && (manages || deletedBy === actor.userId);
}
