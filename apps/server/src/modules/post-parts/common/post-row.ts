/**
 * The post that a comment, a task or a workflow step belongs to. Reads find it; writes lock its row
 * until they commit, so that writes on one post follow each other and its counts stay true.
 */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { Parameters, seenPostSql, type WriteScope } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Actor } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { refuseArchived } from '../../communities/index.ts';
import { askedSql, type PostFacts } from '../policy/post-capabilities.ts';
import { definitionOf } from './definition-of.ts';

const posts = sqlColumns('posts');
const p = sqlColumns('posts', 'p');

/** The columns of a post that its features need. Times are epoch milliseconds. */
export interface PostRow extends PostFacts {
  id: number;
  customNo: number;
  title: string | null;
  version: number;
  /** Token of the workflow screen, its last author and time. */
  screenVersion: number;
  screenTokenBy: number | null;
  screenTokenAt: number | null;
  customData: Record<string, unknown>;
  screenData: Record<string, unknown>;
  createdAt: number;
  modifiedAt: number;
  /** Time of the import from another portal: comments and events up to it are imported too. */
  importedAt: number | null;
}

const COLUMNS = `p.id, p.community_id AS "communityId", p.creator_id AS "creatorId", p.visibility, p.draft,
  p.deleted_at IS NOT NULL AS deleted, p.state_id AS "stateId", p.type, p.custom_no AS "customNo", p.title, p.version,
  p.screen_version AS "screenVersion", p.screen_token_by AS "screenTokenBy", p.screen_token_at AS "screenTokenAt",
  p.custom_data AS "customData", p.screen_data AS "screenData", p.created_at AS "createdAt",
  p.modified_at AS "modifiedAt", p.imported_at AS "importedAt"`;

/** Returns a post that the actor sees, the actor's own drafts included, or undefined. */
async function findPost(db: TenantExecutor, actor: Actor, postId: number): Promise<PostRow | undefined> {
  const parameters = new Parameters([db.tenantId, postId]);
  const seen = seenPostSql('p', actor, parameters);
  const rows = await db.query<PostRow>(
    `SELECT ${COLUMNS}, ${askedSql(`${p.id}`, parameters.add(actor.userId))} AS asked
       FROM posts p WHERE p.tenant_id = $1 AND ${p.id} = $2 AND ${seen}`,
    parameters.values,
  );
  return rows[0];
}

/**
 * Returns a post that the actor sees. @throws PorticoError NOT_FOUND for a post that is unknown or
 * not visible (docs/decisions/types.md)
 */
export async function requirePost(db: TenantExecutor, actor: Actor, postId: number): Promise<PostRow> {
  const post = await findPost(db, actor, postId);
  if (!post) throw notFound();
  return post;
}

/**
 * Locks a post for the rest of the write, then reads it. Because the lock comes first, all data
 * that is read, visibility included, is in the state that the write before left.
 * @param options `archivedToo`: the write also applies to posts of archived communities, because it
 *   concerns the caller alone
 * @throws PorticoError NOT_FOUND for a post that is unknown or not visible; COMMUNITY_ARCHIVED
 */
export async function lockPost(
  write: WriteScope,
  postId: number,
  options: { archivedToo?: boolean } = {},
): Promise<PostRow> {
  await write.tx.query(`SELECT FROM posts WHERE tenant_id = $1 AND ${posts.id} = $2 FOR NO KEY UPDATE`, [
    write.tx.tenantId,
    postId,
  ]);
  const post = await requirePost(write.tx, write.actor, postId);
  if (!options.archivedToo) refuseArchived((await definitionOf(write, post.communityId)).community);
  return post;
}
