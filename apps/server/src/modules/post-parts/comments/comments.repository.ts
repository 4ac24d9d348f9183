/** SQL of comments and likes. */

import type { HistoryType } from '@portico/contract';
import { countRows } from '@portico/platform/db/count-rows';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { Parameters, type WriteScope } from '../../../kernel/access/index.ts';
import { type PageRequest, readPage, type SortKey } from '../../../kernel/paging/index.ts';
import { sqlColumns } from '../../columns.ts';
import type { CommentFacts } from '../policy/comment-capabilities.ts';

const historyEvents = sqlColumns('history_events');
const postMentions = sqlColumns('post_mentions');
const m = sqlColumns('post_mentions', 'm');

/** The field change that created a comment (column field_info). */
interface FieldInfo {
  /** History event that the comment represents. */
  historyEventId?: number;
  postFieldId?: number;
  screenFieldId?: number;
}

/** A comment as selected for one reader. Times are epoch milliseconds. */
export interface CommentRow {
  id: number;
  postId: number;
  parentId: number | null;
  clientUid: string | null;
  delta: string;
  plain: string;
  creatorId: number;
  createdAt: number;
  modifiedAt: number;
  deletedAt: number | null;
  likesCount: number;
  likedByMe: boolean;
  fieldInfo: FieldInfo | null;
  mentions: number[];
}

/** SQL of the size of the texts of a comment `c`, in bytes. */
export const COMMENT_BYTES = 'octet_length(c.delta) + octet_length(c.plain)';

function columns(me: string): string {
  return `c.id, c.post_id AS "postId", c.parent_id AS "parentId", c.client_uid AS "clientUid", c.delta, c.plain,
    c.creator_id AS "creatorId", c.created_at AS "createdAt", c.modified_at AS "modifiedAt", c.deleted_at AS "deletedAt",
    c.likes_count AS "likesCount", c.field_info AS "fieldInfo",
    EXISTS (SELECT FROM comment_likes l WHERE l.tenant_id = $1 AND l.comment_id = c.id AND l.user_id = ${me} OFFSET 0) AS "likedByMe",
    ARRAY(SELECT ${m.user_id} FROM post_mentions m
           WHERE m.tenant_id = $1 AND ${m.post_id} = c.post_id AND ${m.comment_id} = c.id ORDER BY ${m.user_id}) AS mentions`;
}

/** Returns comments of one post by id, in one statement. */
export async function findComments(
  db: TenantExecutor,
  me: number,
  postId: number,
  ids: readonly number[],
): Promise<CommentRow[]> {
  if (ids.length === 0) return [];
  return db.query<CommentRow>(
    `SELECT ${columns('$2')} FROM comments c WHERE c.tenant_id = $1 AND c.post_id = $3 AND c.id = ANY ($4::bigint[])`,
    [db.tenantId, me, postId, [...new Set(ids)]],
  );
}

/** Returns a page of the comments of a post, the newest first. */
export async function pageOfComments(db: TenantExecutor, me: number, postId: number, page: PageRequest<SortKey>) {
  return readPage<CommentRow>(
    db,
    page,
    {
      select: (parameters) => columns(parameters.add(me)),
      from: 'comments c',
      where: ['c.tenant_id = $1', 'c.post_id = $2'],
      order: [
        { sql: 'c.created_at', desc: true, type: 'timestamptz' },
        { sql: 'c.id', desc: true, type: 'bigint' },
      ],
      bytes: COMMENT_BYTES,
    },
    new Parameters([db.tenantId, postId]),
  );
}

/** Returns the comment with a client's identifier. */
export async function findCommentByClientUid(
  db: TenantExecutor,
  clientUid: string,
): Promise<{ id: number; postId: number; creatorId: number } | undefined> {
  const [row] = await db.query<{ id: number; postId: number; creatorId: number }>(
    `SELECT id, post_id AS "postId", creator_id AS "creatorId" FROM comments WHERE tenant_id = $1 AND client_uid = $2`,
    [db.tenantId, clientUid],
  );
  return row;
}

/** Returns the post of a comment that is not deleted, and the facts that decide about access. */
export async function findLivingComment(
  db: TenantExecutor,
  commentId: number,
): Promise<(CommentFacts & { postId: number }) | undefined> {
  const [row] = await db.query<CommentFacts & { postId: number }>(
    `SELECT post_id AS "postId", creator_id AS "creatorId", field_info IS NOT NULL AS "reportsField", false AS deleted
       FROM comments
      WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [db.tenantId, commentId],
  );
  return row;
}

/** State of a comment before an edit. Times are epoch milliseconds. */
export interface EditableComment extends CommentFacts {
  id: number;
  postId: number;
  delta: string;
  plain: string;
  version: number;
  /** Author of the present text, and its time. */
  modifierId: number;
  modifiedAt: number;
}

/** Returns a comment that is not deleted, for an edit. */
export async function findEditableComment(db: TenantExecutor, commentId: number): Promise<EditableComment | undefined> {
  const [row] = await db.query<EditableComment>(
    `SELECT id, post_id AS "postId", creator_id AS "creatorId", delta, plain, version,
            coalesce(modifier_id, creator_id) AS "modifierId", modified_at AS "modifiedAt",
            field_info IS NOT NULL AS "reportsField", false AS deleted
       FROM comments WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [db.tenantId, commentId],
  );
  return row;
}

/** Saves the present text of a comment as a version, and replaces it. */
export async function replaceCommentText(
  write: WriteScope,
  before: EditableComment,
  text: { delta: string; plain: string },
): Promise<void> {
  const { tx } = write;
  await tx.sendChange(
    'comments',
    [before.id],
    `INSERT INTO comment_versions (tenant_id, comment_id, version, delta, plain, creator_id, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      tx.tenantId,
      before.id,
      before.version,
      before.delta,
      before.plain,
      before.modifierId,
      new Date(before.modifiedAt),
    ],
  );
  await tx.sendChange(
    'comments',
    [before.id],
    `UPDATE comments SET delta = $3, plain = $4, version = version + 1, modifier_id = $5, modified_at = $6
      WHERE tenant_id = $1 AND id = $2`,
    [tx.tenantId, before.id, text.delta, text.plain, write.actor.userId, new Date(write.now)],
  );
}

/** A present or former text of a comment. */
interface CommentVersionRow {
  version: number;
  delta: string;
  plain: string;
  creatorId: number;
  createdAt: number;
}

const VERSIONS = `SELECT version, delta, plain, creator_id AS "creatorId", created_at AS "createdAt"
         FROM comment_versions WHERE tenant_id = $1 AND comment_id = $2
        UNION ALL
       SELECT version, delta, plain, coalesce(modifier_id, creator_id), modified_at
         FROM comments WHERE tenant_id = $1 AND id = $2`;

/** Returns the texts of a comment below a version, the latest first, the present one included. */
export async function pageOfVersions(
  db: TenantExecutor,
  commentId: number,
  below: number | undefined,
  limit: number,
): Promise<CommentVersionRow[]> {
  return db.query<CommentVersionRow>(
    `SELECT v.* FROM (${VERSIONS}) v WHERE $3::integer IS NULL OR v.version < $3 ORDER BY v.version DESC LIMIT $4`,
    [db.tenantId, commentId, below ?? null, limit],
  );
}

/** Returns the users mentioned in a comment. */
export async function findMentioned(db: TenantExecutor, postId: number, commentId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `SELECT ${postMentions.user_id} AS id FROM post_mentions WHERE tenant_id = $1 AND ${postMentions.post_id} = $2 AND ${postMentions.comment_id} = $3`,
    [db.tenantId, postId, commentId],
  );
  return rows.map(({ id }) => id);
}

/** Returns the number of attachments of a comment. */
export async function countFilesOfComment(db: TenantExecutor, commentId: number): Promise<number> {
  return countRows(db, 'attachments WHERE tenant_id = $1 AND comment_id = $2 AND deleted_at IS NULL', [
    db.tenantId,
    commentId,
  ]);
}

/** A comment to be inserted. */
export interface NewComment {
  postId: number;
  parentId: number | null;
  clientUid: string | null;
  delta: string;
  plain: string;
  fieldInfo: FieldInfo | null;
}

/** @returns the new comment's id, or undefined when its client uid is taken */
export async function insertComment(write: WriteScope, comment: NewComment): Promise<number | undefined> {
  const [row] = await write.tx.create<{ id: number }>(
    'comments',
    `INSERT INTO comments (tenant_id, post_id, parent_id, client_uid, delta, plain, creator_id, created_at, modified_at, field_info)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)
      ON CONFLICT (tenant_id, client_uid) WHERE client_uid IS NOT NULL DO NOTHING RETURNING id`,
    [
      write.tx.tenantId,
      comment.postId,
      comment.parentId,
      comment.clientUid,
      comment.delta,
      comment.plain,
      write.actor.userId,
      new Date(write.now),
      comment.fieldInfo === null ? null : JSON.stringify(comment.fieldInfo),
    ],
  );
  return row?.id;
}

/** A history event that comments represent. */
export interface EventRow {
  id: number;
  typeId: HistoryType;
  at: number;
  authorId: number;
  screenFieldIds: number[] | null;
}

/** Returns events of one post by id, in one statement. */
export async function findEvents(db: TenantExecutor, postId: number, ids: readonly number[]): Promise<EventRow[]> {
  if (ids.length === 0) return [];
  return db.query<EventRow>(
    `SELECT ${historyEvents.id}, ${historyEvents.type_id} AS "typeId", ${historyEvents.at}, ${historyEvents.author_id} AS "authorId", ${historyEvents.details} -> 'screenFieldIds' AS "screenFieldIds"
       FROM history_events WHERE tenant_id = $1 AND ${historyEvents.post_id} = $2 AND ${historyEvents.id} = ANY ($3::bigint[])`,
    [db.tenantId, postId, [...new Set(ids)]],
  );
}

/** Returns the latest event of a kind that this write recorded for a post. */
export async function findEventOfWrite(write: WriteScope, postId: number, typeId: number): Promise<number | undefined> {
  const [row] = await write.tx.query<{ id: number }>(
    `SELECT ${historyEvents.id} FROM history_events
      WHERE tenant_id = $1 AND ${historyEvents.post_id} = $2 AND ${historyEvents.at} = $3 AND ${historyEvents.type_id} = $4 AND ${historyEvents.author_id} = $5
      ORDER BY ${historyEvents.id} DESC LIMIT 1`,
    [write.tx.tenantId, postId, new Date(write.now), typeId, write.actor.userId],
  );
  return row?.id;
}
