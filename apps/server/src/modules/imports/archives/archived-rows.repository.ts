/** SQL of the rows that the archive of a community holds, a page of posts at a time. */
import { HistoryType, PostType, type Visibility } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { Parameters, visiblePostSql } from '../../../kernel/access/index.ts';
import type { Actor } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';

const p = sqlColumns('posts', 'p');
const c = sqlColumns('comments', 'c');
const a = sqlColumns('attachments', 'a');
const f = sqlColumns('file_contents', 'f');
const h = sqlColumns('history_events', 'h');
const u = sqlColumns('users', 'u');
const r = sqlColumns('posts', 'r');

/** A post. Times are epoch milliseconds. */
export interface PostRow {
  id: number;
  number: number;
  type: PostType;
  title: string | null;
  delta: string | null;
  visibility: Visibility;
  announcement: boolean;
  pinned: boolean;
  stateId: number | null;
  customData: Record<string, unknown>;
  screenData: Record<string, unknown>;
  creatorId: number;
  createdAt: number;
  modifierId: number;
  modifiedAt: number;
  commentsCount: number;
  eventStartAt: number | null;
  eventEndAt: number | null;
  eventTimezone: string | null;
  eventAllDay: boolean | null;
  eventLocation: string | null;
}

/**
 * Returns posts that the actor sees, in the order of their numbers.
 * @param after number of the last post of the page before
 */
export async function pageOfPosts(
  db: TenantExecutor,
  actor: Actor,
  communityId: number,
  after: number,
  most: number,
): Promise<PostRow[]> {
  const parameters = new Parameters([db.tenantId, communityId, after, most]);
  const visible = visiblePostSql('p', actor, parameters, communityId);
  return db.query<PostRow>(
    `SELECT ${p.id}, ${p.custom_no} AS number, ${p.type}, ${p.title}, ${p.description_delta} AS delta, ${p.visibility},
            ${p.announcement}, ${p.pinned}, ${p.state_id} AS "stateId", ${p.custom_data} AS "customData",
            ${p.screen_data} AS "screenData", ${p.creator_id} AS "creatorId", ${p.created_at} AS "createdAt",
            ${p.modifier_id} AS "modifierId", ${p.modified_at} AS "modifiedAt",
            ${p.comments_count} AS "commentsCount", ${p.event_start_at} AS "eventStartAt",
            ${p.event_end_at} AS "eventEndAt", ${p.event_timezone} AS "eventTimezone",
            ${p.event_all_day} AS "eventAllDay", ${p.event_location} AS "eventLocation"
       FROM posts p
      WHERE p.tenant_id = $1 AND ${p.community_id} = $2 AND ${p.custom_no} > $3 AND ${visible}
        AND ${p.type} IN (${PostType.CUSTOM}, ${PostType.EVENT})
      ORDER BY ${p.custom_no} LIMIT $4`,
    parameters.values,
  );
}

/** Counts the posts that the actor sees, up to a number. */
export async function countPosts(db: TenantExecutor, actor: Actor, communityId: number, most: number): Promise<number> {
  const parameters = new Parameters([db.tenantId, communityId, most]);
  const visible = visiblePostSql('p', actor, parameters, communityId);
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM (
       SELECT FROM posts p WHERE p.tenant_id = $1 AND ${p.community_id} = $2 AND ${visible}
          AND ${p.type} IN (${PostType.CUSTOM}, ${PostType.EVENT}) LIMIT $3) AS found`,
    parameters.values,
  );
  return row!.count;
}

/** Whether the actor sees a post with more comments than a number. */
export async function hasMoreComments(
  db: TenantExecutor,
  actor: Actor,
  communityId: number,
  most: number,
): Promise<boolean> {
  const parameters = new Parameters([db.tenantId, communityId, most]);
  const visible = visiblePostSql('p', actor, parameters, communityId);
  const rows = await db.query(
    `SELECT FROM posts p
      WHERE p.tenant_id = $1 AND ${p.community_id} = $2 AND ${p.comments_count} > $3 AND ${visible} LIMIT 1`,
    parameters.values,
  );
  return rows.length > 0;
}

/** A comment. */
export interface CommentRow {
  id: number;
  postId: number;
  parentId: number | null;
  delta: string;
  creatorId: number;
  createdAt: number;
}

/** Comments of posts, oldest first; without deleted ones and reports of changed fields. */
export function commentsOf(db: TenantExecutor, postIds: readonly number[], most: number): Promise<CommentRow[]> {
  return db.query<CommentRow>(
    `SELECT c.* FROM unnest($2::bigint[]) AS wanted (id) CROSS JOIN LATERAL (
       SELECT ${c.id}, ${c.post_id} AS "postId", ${c.parent_id} AS "parentId", ${c.delta},
              ${c.creator_id} AS "creatorId", ${c.created_at} AS "createdAt"
         FROM comments c WHERE c.tenant_id = $1 AND ${c.post_id} = wanted.id AND ${c.deleted_at} IS NULL
          AND ${c.field_info} IS NULL
        ORDER BY ${c.created_at}, ${c.id} LIMIT $3) c`,
    [db.tenantId, postIds, most],
  );
}

/** A stored file of a post or of a comment. */
export interface FileRow {
  postId: number;
  commentId: number | null;
  name: string;
  storageKey: string;
}

/** Files of posts and comments that readers may download, in the order in which they were added. */
export function filesOf(db: TenantExecutor, postIds: readonly number[]): Promise<FileRow[]> {
  return db.query<FileRow>(
    `SELECT ${a.post_id} AS "postId", ${a.comment_id} AS "commentId", ${a.name}, ${f.storage_key} AS "storageKey"
       FROM attachments a
       JOIN file_contents f ON f.tenant_id = a.tenant_id AND ${f.content_ref} = ${a.content_ref}
      WHERE a.tenant_id = $1 AND ${a.post_id} = ANY ($2::bigint[]) AND ${a.deleted_at} IS NULL AND ${a.task_id} IS NULL
        AND ${a.downloadable} AND ${f.storage_key} IS NOT NULL
      ORDER BY ${a.created_at}, ${a.id}`,
    [db.tenantId, postIds],
  );
}

/** An event of a history. */
export interface EventRow {
  postId: number;
  typeId: HistoryType;
  at: number;
  authorId: number;
  transitionId: number | null;
  titleBefore: string | null;
  titleAfter: string | null;
  notes: string | null;
  parts: string[] | null;
}

/** Kinds of events that an archive holds. */
export const ARCHIVED_TYPES = {
  modified: HistoryType.POST_MODIFIED,
  transition: HistoryType.WORKFLOW_OPERATION,
  screen: HistoryType.SCREEN_DATA_MODIFIED,
} as const;

/** Changes in the histories of posts, oldest first. */
export function eventsOf(db: TenantExecutor, postIds: readonly number[], most: number): Promise<EventRow[]> {
  return db.query<EventRow>(
    `SELECT h.* FROM unnest($2::bigint[]) AS wanted (id) CROSS JOIN LATERAL (
       SELECT ${h.post_id} AS "postId", ${h.type_id} AS "typeId", ${h.at}, ${h.author_id} AS "authorId",
              ${h.transition_id} AS "transitionId", ${h.details} ->> 'titleBefore' AS "titleBefore",
              ${h.details} ->> 'titleAfter' AS "titleAfter", ${h.details} ->> 'notes' AS notes,
              ${h.details} -> 'changedParts' AS parts
         FROM history_events h
        WHERE h.tenant_id = $1 AND ${h.post_id} = wanted.id
          AND ${h.type_id} = ANY ($3::smallint[])
        ORDER BY ${h.at}, ${h.id} LIMIT $4) h`,
    [db.tenantId, postIds, Object.values(ARCHIVED_TYPES), most],
  );
}

/** Numbers of posts of the community that the actor sees, by id. */
export async function numbersOf(
  db: TenantExecutor,
  actor: Actor,
  communityId: number,
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const parameters = new Parameters([db.tenantId, communityId, ids]);
  const visible = visiblePostSql('r', actor, parameters, communityId);
  const rows = await db.query<{ id: number; number: number }>(
    `SELECT ${r.id}, ${r.custom_no} AS number FROM posts r
      WHERE r.tenant_id = $1 AND ${r.community_id} = $2 AND ${r.id} = ANY ($3::bigint[]) AND ${visible}`,
    parameters.values,
  );
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** A person. */
interface PersonRow {
  id: number;
  firstName: string;
  lastName: string;
  email: string | null;
  userName: string | null;
}

/** People by id. @param withUserNames whether user names are read, which administrators see */
export function peopleOf(db: TenantExecutor, ids: readonly number[], withUserNames: boolean): Promise<PersonRow[]> {
  return db.query<PersonRow>(
    `SELECT ${u.id}, ${u.first_name} AS "firstName", ${u.last_name} AS "lastName", ${u.contact_email} AS email,
            ${withUserNames ? u.custom_username : 'NULL::text'} AS "userName"
       FROM users u WHERE u.tenant_id = $1 AND ${u.id} = ANY ($2::bigint[])`,
    [db.tenantId, ids],
  );
}
