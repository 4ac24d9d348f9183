/**
 * Watchers of a post: they are notified of its events and see it when it is private
 * (docs/decisions/people.md).
 */
import { listLimits, PartUse } from '@portico/contract';
import { GrantSource, type WriteScope } from '../../../kernel/access/index.ts';
import { type FieldErrors, invalid, unknownElements } from '../../../kernel/errors.ts';
import type { CommunityDefinition } from '../../communities/index.ts';
import type { ExistingPrincipals } from '../../post-parts/index.ts';
import { addGrants, removeGrants } from '../../records/index.ts';

const MAX_WATCHERS_PER_WRITE = listLimits.items;

/** The lists of a body, ids as clients write them. */
interface WatcherLists {
  addUserIds?: readonly number[] | undefined;
  removeUserIds?: readonly number[] | undefined;
  addGroupIds?: readonly number[] | undefined;
  removeGroupIds?: readonly number[] | undefined;
}

/** Principals to add and to remove; disjoint. */
interface WatcherChanges {
  add: number[];
  remove: number[];
}

/**
 * Validates the watchers of a body.
 * @param existing which of the ids to add exist (findPrincipals)
 * @param paths names of the lists in the body, for errors
 * @param errors found errors are added to it
 */
export function readWatchers(
  { community }: CommunityDefinition,
  lists: WatcherLists,
  existing: ExistingPrincipals,
  paths: { users: string; groups: string },
  errors: FieldErrors,
): WatcherChanges {
  const { addUserIds = [], addGroupIds = [], removeUserIds = [], removeGroupIds = [] } = lists;
  // Ids below 1 are invalid; as principals they would identify a group or user instead.
  const named = (ids: readonly number[]) => ids.filter((id) => id > 0);
  const remove = [...new Set([...named(removeUserIds), ...named(removeGroupIds).map((id) => -id)])];
  if (addUserIds.length + addGroupIds.length === 0) return { add: [], remove };
  if (community.watchersEnabled === PartUse.DISABLED) {
    const field = addUserIds.length > 0 ? paths.users : paths.groups;
    errors.add(field, 'INVALID_VALUE', 'Watchers are disabled in this community.');
    return { add: [], remove };
  }
  if (addUserIds.length + addGroupIds.length > MAX_WATCHERS_PER_WRITE) {
    errors.add(paths.users, 'TOO_MANY_ITEMS', undefined, [MAX_WATCHERS_PER_WRITE]);
    return { add: [], remove };
  }
  const unknown = (field: string, ids: readonly number[], known: ReadonlySet<number>) => {
    errors.push(...unknownElements(field, ids, new Set(ids.filter((id) => !known.has(id)))));
  };
  unknown(paths.users, addUserIds, existing.users);
  unknown(paths.groups, addGroupIds, existing.groups);
  const add = new Set([
    ...addUserIds.filter((id) => existing.users.has(id)),
    ...addGroupIds.filter((id) => existing.groups.has(id)).map((id) => -id),
  ]);
  for (const principal of remove) add.delete(principal);
  return { add: [...add].sort((a, b) => a - b), remove };
}

/**
 * Adds and removes watchers of a post that the write has locked.
 * @param path name in the body of the field that removes watchers, for errors
 * @returns whether a watcher was added or removed
 * @throws ValidationError when the last watcher would be removed and the community requires one
 */
export async function applyWatchers(
  write: WriteScope,
  { community }: CommunityDefinition,
  postId: number,
  changes: WatcherChanges,
  path = 'removeWatcherUserIds',
): Promise<boolean> {
  const { tx } = write;
  let touched = 0;
  if (changes.remove.length > 0) {
    touched += await tx.execute(
      'DELETE FROM post_watchers WHERE tenant_id = $1 AND post_id = $2 AND principal = ANY ($3::bigint[])',
      [tx.tenantId, postId, changes.remove],
    );
    await removeGrants(write, GrantSource.WATCHER, postId, { principals: changes.remove });
  }
  if (changes.add.length > 0) {
    touched += await tx.execute(
      `INSERT INTO post_watchers (tenant_id, post_id, principal)
       SELECT a.tenant_id, $2, p FROM tenant_versions a, unnest($3::bigint[]) AS p WHERE a.tenant_id = $1 ON CONFLICT DO NOTHING`,
      [tx.tenantId, postId, changes.add],
    );
    await addGrants(
      write,
      GrantSource.WATCHER,
      changes.add.map((principal) => ({ postId, principal })),
    );
  }
  if (touched === 0) return false;
  const [post] = await tx.query<{ count: number }>(
    `UPDATE posts SET watchers_count = (SELECT count(*) FROM post_watchers w WHERE w.tenant_id = $1 AND w.post_id = $2)
      WHERE tenant_id = $1 AND id = $2 RETURNING watchers_count AS count`,
    [tx.tenantId, postId],
  );
  if (post?.count === 0 && community.watchersEnabled === PartUse.REQUIRED) {
    throw invalid(path, 'REQUIRED_FIELD', 'A post of this community needs at least one watcher.');
  }
  return true;
}

/** Returns the watchers of a post. */
export async function watchersOf(write: WriteScope, postId: number): Promise<ExistingPrincipals> {
  const rows = await write.tx.query<{ principal: number }>(
    'SELECT principal FROM post_watchers WHERE tenant_id = $1 AND post_id = $2',
    [write.tx.tenantId, postId],
  );
  const principals = rows.map(({ principal }) => principal);
  return {
    users: new Set(principals.filter((principal) => principal > 0)),
    groups: new Set(principals.filter((principal) => principal < 0).map((principal) => -principal)),
  };
}

/**
 * Returns the lists that turn the present watchers into the given whole. A list without new
 * watchers only removes; otherwise the list is added whole, so that errors name places in the list
 * as it was sent.
 */
export function watcherListsOf(whole: {
  userIds?: readonly number[];
  groupIds?: readonly number[];
  present: ExistingPrincipals;
}): WatcherLists {
  const added = (ids: readonly number[] = [], present: ReadonlySet<number>) =>
    ids.some((id) => !present.has(id)) ? ids : [];
  const removed = (ids: readonly number[] | undefined, present: ReadonlySet<number>) => {
    const kept = new Set(ids ?? present);
    return [...present].filter((id) => !kept.has(id));
  };
  const { userIds, groupIds, present } = whole;
  return {
    addUserIds: added(userIds, present.users),
    removeUserIds: removed(userIds, present.users),
    addGroupIds: added(groupIds, present.groups),
    removeGroupIds: removed(groupIds, present.groups),
  };
}
