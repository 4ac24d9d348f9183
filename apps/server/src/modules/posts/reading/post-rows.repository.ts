/** Rows of posts for reads: one statement for a page, with counts and the caller's own marks. */
import { type EventAnswer, Following, type ScheduledPublicationResult } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { Parameters, seenPostSql } from '../../../kernel/access/index.ts';
import { withinPageBytes } from '../../../kernel/paging/index.ts';
import type { Actor } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { attachmentHashtagsSql, type TaggedAttachmentRow } from '../../files/index.ts';
import { askedSql, type PostFacts } from '../../post-parts/index.ts';
import type { PostName } from './post-name.ts';

const a = sqlColumns('attachments', 'a');
const b = sqlColumns('file_contents', 'b');
const f = sqlColumns('file_contents', 'f');
const g = sqlColumns('following', 'g');
const t = sqlColumns('hashtags', 't');
const l = sqlColumns('post_likes', 'l');

/**
 * The short form of a post (`loadPostDetails=false`; docs/decisions/lists.md) and the values that
 * decide about it. Times: epoch milliseconds.
 */
export interface PostHeadRow extends Omit<PostFacts, 'customData' | 'screenData' | 'asked'> {
  id: number;
  customId: string;
  title: string | null;
  createdAt: number;
  modifiedAt: number;
  operatedAt: number;
}

/** The short form with the values that decide about the workflow of the post. */
export interface PostFactsRow extends PostHeadRow, PostFacts {}

/** A post with all data of a list element, except the people and objects it refers to. */
export interface PostListRow extends PostFactsRow {
  descriptionDelta: string | null;
  descriptionText: string | null;
  announcement: boolean;
  /** Time and place of an event; null for other posts. */
  eventStartAt: number | null;
  eventEndAt: number | null;
  eventTimezone: string | null;
  eventAllDay: boolean | null;
  eventLocation: string | null;
  participantsCount: number;
  customData: Record<string, unknown>;
  screenData: Record<string, unknown>;
  modifierId: number;
  watchersCount: number;
  attachmentsCount: number;
  imageAttachmentsCount: number;
  videoAttachmentsCount: number;
  commentsCount: number;
  tasksCount: number;
  standardTasksCount: number;
  viewsCount: number;
  viewersCount: number;
  likesCount: number;
  likedByMe: boolean;
  followedByMe: boolean;
  viewedByMe: boolean;
  /** The main attachment (docs/decisions/lists.md): first image, else first file. */
  main: TaggedAttachmentRow | null;
  coverContentRef: string | null;
  coverMimeType: string | null;
  coverMd5: string | null;
  coverSize: number | null;
  /** Existing previews of the cover (file_contents.previews); null: not known. */
  coverPreviews: number | null;
}

/** A post in full. */
export interface PostDetailRow extends PostListRow {
  clientUid: string | null;
  /** Time of the import from another portal. */
  importedAt: number | null;
  /** Principals: users, and groups negated; ascending by when they are shown, users first. */
  watchers: number[];
  mentionIds: number[];
  commentMentionIds: number[];
  hashtags: { id: number; name: string; externalId: string | null; deleted: boolean }[];
  initStateId: number | null;
  publishedAt: number | null;
  scheduledAt: number | null;
  scheduledLocal: string | null;
  scheduledTimezone: string | null;
  scheduledResult: ScheduledPublicationResult | null;
  /** The caller's choice to follow the post, or its community; null: no choice. */
  following: Following | null;
  communityFollowing: Following | null;
  /** The caller's answer to an event. */
  eventAnswer: EventAnswer | null;
}

const HEAD = `p.id, p.community_id AS "communityId", p.creator_id AS "creatorId", p.visibility, p.draft,
  p.deleted_at IS NOT NULL AS deleted, p.state_id AS "stateId", p.type, p.custom_no::text AS "customId", p.title,
  p.created_at AS "createdAt", p.modified_at AS "modifiedAt", p.operated_at AS "operatedAt"`;

/** Parts of a post's row that are read only on request. */
export type RowPart =
  | 'head'
  | 'counts'
  | 'event'
  | 'texts'
  | 'customData'
  | 'screenData'
  | 'views'
  | 'own'
  | 'asked'
  | 'main'
  | 'cover'
  | 'mentions'
  | 'watchers'
  | 'hashtags'
  | 'commentMentions';

/**
 * Parts to read; for values of fields also a list of field ids. An omitted part is missing in the
 * row, or empty.
 */
export type RowParts = { readonly [K in RowPart]?: boolean | readonly number[] };

/** All parts. */
export const ALL_PARTS: RowParts = {
  head: true,
  counts: true,
  event: true,
  texts: true,
  customData: true,
  screenData: true,
  views: true,
  own: true,
  asked: true,
  main: true,
  cover: true,
  mentions: true,
  watchers: true,
  hashtags: true,
  commentMentions: true,
};

/**
 * Maximum numbers of values that are read one by one: each reads the whole of a large object. Few
 * different numbers, so that a connection keeps few prepared statements.
 */
const SINGLE_VALUES = [2, 4, 8];

const readsWhole = (asked: readonly number[]) => asked.length > SINGLE_VALUES.at(-1)!;

/**
 * Returns SQL of the values of all fields, or of some fields only, with null where the post has no
 * value.
 */
function valuesSql(column: string, asked: boolean | readonly number[] | undefined, parameters: Parameters): string {
  if (asked === true) return column;
  if (!asked || asked.length === 0) return `'{}'::jsonb`;
  if (readsWhole(asked)) return column;
  const number = SINGLE_VALUES.find((most) => asked.length <= most)!;
  // Repeats the last key to fill the number.
  const keys = Array.from({ length: number }, (_, index) => parameters.add(String(asked[index] ?? asked.at(-1))));
  return `jsonb_build_object(${keys.map((key) => `${key}::text, ${column} -> ${key}::text`).join(', ')})`;
}

/**
 * Returns the columns of list rows. OFFSET 0, and the test outside of the subquery, make the
 * caller's state a probe of each post by the primary key: otherwise PostgreSQL would read every
 * post that the caller ever viewed, for a page of twenty.
 * @param userId of the caller
 */
function listColumns(userId: number, parts: RowParts, parameters: Parameters): string {
  const me = parts.own ? parameters.add(userId) : '';
  return [
    parts.head ? HEAD : LEAST,
    'p.modifier_id AS "modifierId"',
    parts.texts && 'p.description_delta AS "descriptionDelta", p.description_text AS "descriptionText"',
    `${valuesSql('p.custom_data', parts.customData, parameters)} AS "customData"`,
    `${valuesSql('p.screen_data', parts.screenData, parameters)} AS "screenData"`,
    parts.counts && COUNTS,
    parts.event && EVENT,
    parts.views && 'coalesce(c.views_count, 0) AS "viewsCount", coalesce(c.viewers_count, 0) AS "viewersCount"',
    parts.own && ownColumns(me),
    parts.asked && `${askedSql('p.id', parameters.add(userId))} AS asked`,
    `${parts.main ? MAIN : 'NULL'} AS main`,
    parts.cover ? COVER : 'NULL AS "coverContentRef"',
  ]
    .filter(Boolean)
    .join(', ');
}

/** Columns of every row. */
const LEAST = 'p.id, p.community_id AS "communityId", p.title, p.state_id AS "stateId", p.creator_id AS "creatorId"';

const COUNTS = `p.announcement,
  p.watchers_count AS "watchersCount", p.attachments_count AS "attachmentsCount",
  p.image_attachments_count AS "imageAttachmentsCount", p.video_attachments_count AS "videoAttachmentsCount",
  p.comments_count AS "commentsCount", p.tasks_count AS "tasksCount", p.standard_tasks_count AS "standardTasksCount",
  p.likes_count AS "likesCount"`;

const EVENT = `p.event_start_at AS "eventStartAt", p.event_end_at AS "eventEndAt", p.event_timezone AS "eventTimezone",
  p.event_all_day AS "eventAllDay", p.event_location AS "eventLocation", p.participants_count AS "participantsCount"`;

const ownColumns = (me: string) => `
  EXISTS (SELECT FROM post_likes l WHERE l.tenant_id = $1 AND ${l.post_id} = p.id AND ${l.user_id} = ${me} OFFSET 0) AS "likedByMe",
  coalesce((SELECT ${g.following} = ${Following.FOLLOWED} FROM following g WHERE g.tenant_id = $1 AND ${g.post_id} = p.id AND ${g.user_id} = ${me}),
    EXISTS (SELECT FROM post_watchers w WHERE w.tenant_id = $1 AND w.post_id = p.id AND w.principal = ${me} OFFSET 0)
      OR coalesce((SELECT s.follows FROM post_user_state s WHERE s.tenant_id = $1 AND s.user_id = ${me} AND s.post_id = p.id), false)) AS "followedByMe",
  coalesce((SELECT s.viewed_at IS NOT NULL AND NOT s.unread FROM post_user_state s WHERE s.tenant_id = $1 AND s.user_id = ${me} AND s.post_id = p.id), false) AS "viewedByMe"`;

const COVER = `p.cover_content_ref AS "coverContentRef", f.mime_type AS "coverMimeType", f.md5 AS "coverMd5", f.size AS "coverSize",
  f.previews AS "coverPreviews"`;

const MAIN = `(SELECT jsonb_build_object('id', ${a.id}, 'communityId', ${a.community_id}, 'type', ${a.type}, 'name', ${a.name},
      'mimeType', ${a.mime_type}, 'size', ${a.size}, 'contentRef', ${a.content_ref}, 'md5', ${b.md5}, 'previews', ${b.previews},
      'storageKey', ${b.storage_key}, 'versionNumber', ${a.version_number}, 'drive', ${a.drive}, 'referencedId', ${a.referenced_id}, 'downloadable', ${a.downloadable}, 'creatorId', ${a.creator_id},
      'createdAt', floor(extract(epoch FROM ${a.created_at}) * 1000)::bigint, 'modifierId', ${a.modifier_id},
      'modifiedAt', floor(extract(epoch FROM ${a.modified_at}) * 1000)::bigint,
      'hashtags', ${attachmentHashtagsSql('a')})
    FROM attachments a LEFT JOIN file_contents b ON b.tenant_id = a.tenant_id AND ${b.content_ref} = ${a.content_ref}
   WHERE a.tenant_id = $1 AND ${a.id} = p.main_attachment_id AND ${a.deleted_at} IS NULL)`;

/** Returns SQL of the caller's own state. @param me placeholder of the caller's id */
const ownState = (me: string) =>
  `(SELECT ${g.following} FROM following g WHERE g.tenant_id = $1 AND ${g.post_id} = p.id AND ${g.user_id} = ${me}) AS following,
  (SELECT ${g.following} FROM following g WHERE g.tenant_id = $1 AND ${g.user_id} = ${me} AND ${g.community_id} = p.community_id
      AND ${g.post_id} IS NULL) AS "communityFollowing",
  (SELECT a.type_id FROM event_answers a WHERE a.tenant_id = $1 AND a.post_id = p.id AND a.user_id = ${me}) AS "eventAnswer"`;
const NO_STATE = 'NULL AS following, NULL AS "communityFollowing", NULL AS "eventAnswer"';

const detailColumns = (parts: RowParts) => `p.client_uid AS "clientUid", p.imported_at AS "importedAt",
  ${
    parts.watchers
      ? `ARRAY(SELECT w.principal FROM post_watchers w WHERE w.tenant_id = $1 AND w.post_id = p.id
         ORDER BY w.principal < 0, abs(w.principal))`
      : NO_IDS
  } AS watchers,
  ${
    parts.mentions
      ? `ARRAY(SELECT m.user_id FROM post_mentions m WHERE m.tenant_id = $1 AND m.post_id = p.id AND m.comment_id = 0
         ORDER BY m.user_id)`
      : NO_IDS
  } AS "mentionIds",
  ${
    parts.commentMentions
      ? `ARRAY(SELECT DISTINCT m.user_id FROM post_mentions m WHERE m.tenant_id = $1 AND m.post_id = p.id AND m.comment_id <> 0
         ORDER BY m.user_id)`
      : NO_IDS
  } AS "commentMentionIds",
  ${
    parts.hashtags
      ? `(SELECT coalesce(jsonb_agg(jsonb_build_object('id', ${t.id}, 'name', ${t.name}, 'externalId', ${t.external_id}, 'deleted', ${t.deleted}) ORDER BY ${t.name_key}, ${t.id}), '[]')
     FROM post_hashtags h JOIN hashtags t ON t.tenant_id = h.tenant_id AND ${t.id} = h.hashtag_id
    WHERE h.tenant_id = $1 AND h.post_id = p.id)`
      : `'[]'::jsonb`
  } AS hashtags,
  p.init_state_id AS "initStateId", p.published_at AS "publishedAt", p.scheduled_at AS "scheduledAt", p.scheduled_local AS "scheduledLocal",
  p.scheduled_timezone AS "scheduledTimezone", p.scheduled_result AS "scheduledResult"`;

const NO_IDS = `'{}'::bigint[]`;

const besideSql = ({ views, cover }: RowParts) =>
  [
    views && 'LEFT JOIN post_view_counts c ON c.tenant_id = p.tenant_id AND c.post_id = p.id',
    cover && `LEFT JOIN file_contents f ON f.tenant_id = p.tenant_id AND ${f.content_ref} = p.cover_content_ref`,
  ]
    .filter(Boolean)
    .join(' ');

const HEAD_SQL = `SELECT ${HEAD} FROM posts p WHERE p.tenant_id = $1 AND p.id = ANY ($2::bigint[])`;
/**
 * Returns SQL of the size of a JSON value as text. The size of an uncompressed value is known
 * without reading it.
 */
const jsonBytes = (column: string) =>
  `CASE WHEN pg_column_compression(${column}) IS NULL THEN pg_column_size(${column}) ELSE octet_length(${column}::text) END`;

/** The parts of a row that may be long, and their sizes. */
const LONG_PARTS: { readonly [K in RowPart]?: string } = {
  texts: `coalesce(octet_length(p.description_delta), 0) + coalesce(octet_length(p.description_text), 0)`,
  customData: jsonBytes('p.custom_data'),
  screenData: jsonBytes('p.screen_data'),
};

/**
 * Returns whether the parts of a post may be so long that a page of them has to be bounded. @param
 * long fields whose values may be long
 */
export function mayBeLong(parts: RowParts, long: readonly number[]): boolean {
  const values = (asked: RowParts[RowPart]) =>
    Array.isArray(asked) ? readsWhole(asked) || asked.some((id) => long.includes(id)) : asked === true;
  return parts.texts === true || values(parts.customData) || values(parts.screenData);
}

/**
 * Returns the condition on the posts to read: the ids in `$2`, or, with parts that may be long, the
 * ids that fit on a page.
 */
function namedPosts(parts: RowParts): string {
  const sizes = Object.entries(LONG_PARTS).flatMap(([part, size]) => (parts[part as RowPart] ? [size] : []));
  const named = 'p.tenant_id = $1 AND p.id = ANY ($2::bigint[])';
  if (sizes.length === 0) return named;
  // Citus fails on joins to a window, so the remaining ids are an array.
  const measured = `SELECT p.id, ${sizes.join(' + ')} AS bytes FROM posts p WHERE ${named}`;
  const fitting = withinPageBytes(measured, 'array_position($2::bigint[], r.id)');
  return `p.tenant_id = $1 AND p.id = ANY (ARRAY(SELECT t.id FROM ${fitting} t))`;
}

/**
 * Returns short rows by id, in the order of the ids. The caller must have checked that the posts
 * are visible.
 */
export async function loadPostHeads(db: TenantExecutor, ids: readonly number[]): Promise<PostHeadRow[]> {
  return inOrder(ids, await db.query<PostHeadRow>(HEAD_SQL, [db.tenantId, ids]));
}

const FACTS_SQL = `SELECT ${HEAD}, p.custom_data AS "customData", p.screen_data AS "screenData", ${askedSql('p.id', '$3')} AS asked
  FROM posts p WHERE ${namedPosts({ customData: true, screenData: true })}`;

/**
 * As {@link loadPostHeads}, with the data that decides about the posts; only posts that fit on a
 * page.
 */
export async function loadPostFacts(
  db: TenantExecutor,
  userId: number,
  ids: readonly number[],
): Promise<PostFactsRow[]> {
  return inOrder(ids, await db.query<PostFactsRow>(FACTS_SQL, [db.tenantId, ids, userId]));
}

/**
 * Returns rows of list elements by id, in the order of the ids; only posts that fit on a page. The
 * caller must have checked that the posts are visible.
 */
export async function loadPostRows(
  db: TenantExecutor,
  userId: number,
  ids: readonly number[],
  parts: RowParts,
): Promise<PostListRow[]> {
  const parameters = new Parameters([db.tenantId, ids]);
  const columns = listColumns(userId, parts, parameters);
  const rows = await db.query<PostListRow>(
    `SELECT ${columns} FROM posts p ${besideSql(parts)} WHERE ${namedPosts(parts)}`,
    parameters.values,
  );
  return inOrder(ids, rows);
}

/**
 * Returns SQL of rows as {@link loadPostRows} reads them, for the statement of a list: see
 * `FindContext.beside`.
 */
export function rowOf(userId: number, parts: RowParts): (sql: Parameters) => string {
  return (sql) =>
    `SELECT ${listColumns(userId, parts, sql)} FROM posts p ${besideSql(parts)} WHERE p.tenant_id = $1 AND p.id = f.id OFFSET 0`;
}

/** Returns the posts in the order of the ids, without posts erased meanwhile. */
function inOrder<R extends { id: number }>(ids: readonly number[], rows: readonly R[]): R[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
}

/**
 * Returns a post in full that the actor sees, the actor's own drafts included; undefined when
 * unknown or not visible, alike.
 */
export async function loadDetailRow(
  db: TenantExecutor,
  actor: Actor,
  name: PostName,
  parts: RowParts,
): Promise<PostDetailRow | undefined> {
  const parameters = new Parameters([db.tenantId]);
  const columns = listColumns(actor.userId, parts, parameters);
  const named =
    'id' in name
      ? `p.id = ${parameters.add(name.id)}::bigint`
      : `p.client_uid = ${parameters.add(name.clientUid)}::text`;
  const seen = seenPostSql('p', actor, parameters);
  const rows = await db.query<PostDetailRow>(
    `SELECT ${columns}, ${detailColumns(parts)}, ${parts.own || parts.event ? ownState(parameters.add(actor.userId)) : NO_STATE}
       FROM posts p ${besideSql(parts)}
      WHERE p.tenant_id = $1 AND ${named} AND ${seen}`,
    parameters.values,
  );
  return rows[0];
}

/** Returns the given posts that the actor sees, the actor's own drafts included. */
export async function visiblePosts(
  db: TenantExecutor,
  actor: Actor,
  ids: readonly number[],
): Promise<{ id: number; communityId: number }[]> {
  if (ids.length === 0) return [];
  const parameters = new Parameters([db.tenantId, ids]);
  const seen = seenPostSql('p', actor, parameters);
  return db.query(
    `SELECT p.id, p.community_id AS "communityId" FROM posts p
      WHERE p.tenant_id = $1 AND p.id = ANY ($2::bigint[]) AND ${seen}`,
    parameters.values,
  );
}
