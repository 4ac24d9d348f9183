/** Presents rows of comments for one reader, in a fixed number of statements. */

import type { PostComment } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { Context } from '../../../kernel/scope.ts';
import type { CommunityDefinition } from '../../communities/index.ts';
import { usersOf } from '../../people/index.ts';
import { loadFilesOf } from '../common/comment-and-task-attachments.ts';
import { type PostFacts, postCase } from '../policy/post-capabilities.ts';
import { presentComment } from './comments.presenter.ts';
import { type CommentRow, findComments, findEvents } from './comments.repository.ts';

/**
 * Presents comments of one post, in the order of the rows.
 * @param db the database, or the transaction of the write that created them
 */
export async function presentComments(
  scope: Context,
  db: TenantExecutor,
  definition: CommunityDefinition,
  post: PostFacts & { id: number; importedAt: number | null },
  rows: readonly CommentRow[],
): Promise<PostComment[]> {
  if (rows.length === 0) return [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  const parentIds = rows.flatMap((row) => (row.parentId === null ? [] : [row.parentId]));
  const others = await findComments(
    db,
    scope.actor.userId,
    post.id,
    parentIds.filter((id) => !byId.has(id)),
  );
  const parents = new Map(others.map((row) => [row.id, row]));
  for (const id of parentIds) {
    const row = byId.get(id);
    if (row) parents.set(id, row);
  }
  const all = [...rows, ...others].filter((row) => row.deletedAt === null);
  const eventRows = await findEvents(
    db,
    post.id,
    all.flatMap((row) => row.fieldInfo?.historyEventId ?? []),
  );
  const files = await loadFilesOf(
    scope,
    db,
    'comment',
    all.map((row) => row.id),
  );
  const users = await usersOf(scope, db, [
    ...[...rows, ...others].flatMap((row) => [row.creatorId, ...row.mentions]),
    ...eventRows.map((event) => event.authorId),
  ]);
  const { importedAt } = post;
  const references = {
    users,
    files,
    parents,
    importedAt,
    events: new Map(eventRows.map((event) => [event.id, event])),
  };
  const about = postCase(scope.actor, definition, post);
  return rows.map((row) => presentComment(row, references, about));
}
