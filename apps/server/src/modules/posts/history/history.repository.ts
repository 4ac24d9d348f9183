/** SQL of the history of a post and of the rows that its events refer to. */
import type { DriveAttachmentData, Hashtag, HistoryType } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { Parameters } from '../../../kernel/access/index.ts';
import { type PageRequest, readPage, type SortColumn, type SortKey } from '../../../kernel/paging/index.ts';
import { sqlColumns } from '../../columns.ts';
import { type AttachmentRow, attachmentColumnsSql } from '../../files/index.ts';
import { COMMENT_BYTES, TASK_BYTES } from '../../post-parts/index.ts';
import type { HistoryDetails } from '../../records/index.ts';

const h = sqlColumns('attachment_hashtags', 'h');
const v = sqlColumns('attachment_versions', 'v');
const a = sqlColumns('attachments', 'a');
const c = sqlColumns('comments', 'c');
const f = sqlColumns('file_contents', 'f');
const hashtagsColumns = sqlColumns('hashtags', 't');
const t = sqlColumns('tasks', 't');

/** An event. Times are epoch milliseconds. */
export interface EventRow {
  id: number;
  typeId: HistoryType;
  at: number;
  authorId: number;
  targetUserId: number | null;
  transitionId: number | null;
  commentId: number | null;
  attachmentId: number | null;
  attachmentVersion: number | null;
  taskIds: number[] | null;
  details: HistoryDetails;
}

const COLUMNS = `e.id, e.type_id AS "typeId", e.at, e.author_id AS "authorId", e.target_user_id AS "targetUserId",
  e.transition_id AS "transitionId", e.comment_id AS "commentId", e.attachment_id AS "attachmentId",
  e.attachment_version AS "attachmentVersion", e.task_ids AS "taskIds", e.details`;

/** SQL conditions on `e` that select the events of a post that a reader can see, with their parameters. */
export interface EventFilter {
  where: string[];
  parameters: Parameters;
}

/** Returns a page of events, ordered by time. */
export async function pageOfEvents(
  db: TenantExecutor,
  { where, parameters }: EventFilter,
  desc: boolean,
  page: PageRequest<SortKey>,
) {
  const order: readonly SortColumn[] = [
    { sql: 'e.at', desc, type: 'timestamptz' },
    { sql: 'e.id', desc, type: 'bigint' },
  ];
  const bytes = `coalesce((SELECT ${COMMENT_BYTES} FROM comments c WHERE c.tenant_id = $1 AND ${c.id} = e.comment_id), 0)
    + coalesce((SELECT sum(${TASK_BYTES}) FROM tasks t WHERE t.tenant_id = $1 AND ${t.id} = ANY (e.task_ids)), 0)`;
  return readPage<EventRow>(db, page, { select: COLUMNS, from: 'history_events e', where, order, bytes }, parameters);
}

/** Attachment that an event refers to; may be removed. */
export interface HistoryFileRow extends AttachmentRow {
  deleted: boolean;
  hashtags: Hashtag[];
}

/** Attachments of one post by id, removed ones included. */
export async function findFiles(db: TenantExecutor, postId: number, ids: readonly number[]): Promise<HistoryFileRow[]> {
  if (ids.length === 0) return [];
  return db.query<HistoryFileRow>(
    `SELECT ${attachmentColumnsSql('a', 'f')}, ${a.deleted_at} IS NOT NULL AS deleted,
            (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', ${hashtagsColumns.id}, 'name', ${hashtagsColumns.name},
                       'externalId', ${hashtagsColumns.external_id}, 'deleted', ${hashtagsColumns.deleted})) ORDER BY ${hashtagsColumns.id}), '[]')
               FROM attachment_hashtags h JOIN hashtags t ON t.tenant_id = h.tenant_id AND ${hashtagsColumns.id} = ${h.hashtag_id}
              WHERE h.tenant_id = $1 AND ${h.attachment_id} = ${a.id}) AS hashtags
       FROM attachments a
       LEFT JOIN file_contents f ON f.tenant_id = a.tenant_id AND ${f.content_ref} = ${a.content_ref}
      WHERE a.tenant_id = $1 AND ${a.post_id} = $2 AND ${a.id} = ANY ($3::bigint[])`,
    [db.tenantId, postId, [...new Set(ids)]],
  );
}

/** Version of an attachment: the properties in which it differs from the attachment. */
export interface VersionRow {
  attachmentId: number;
  versionNumber: number;
  name: string;
  mimeType: string;
  size: number;
  contentRef: string | null;
  md5: string | null;
  /** Previews of this version, not of the current one; null: unknown. */
  previews: number | null;
  /** Storage key of this version's bytes. */
  storageKey: string | null;
  drive: DriveAttachmentData | null;
  creatorId: number;
  createdAt: number;
}

/** Versions of attachments; attachments and versions pairwise. */
export async function findVersions(
  db: TenantExecutor,
  wanted: readonly { attachmentId: number; versionNumber: number }[],
): Promise<VersionRow[]> {
  if (wanted.length === 0) return [];
  return db.query<VersionRow>(
    `SELECT ${v.attachment_id} AS "attachmentId", ${v.version_number} AS "versionNumber", ${v.name}, ${v.mime_type} AS "mimeType", ${v.size},
            ${v.content_ref} AS "contentRef", ${f.md5}, ${f.previews}, ${f.storage_key} AS "storageKey", ${v.drive},
            ${v.creator_id} AS "creatorId", ${v.created_at} AS "createdAt"
       FROM (SELECT DISTINCT * FROM unnest($2::bigint[], $3::integer[]) AS t (attachment_id, version_number)) w
       JOIN attachment_versions v
         ON v.tenant_id = $1 AND ${v.attachment_id} = w.attachment_id AND ${v.version_number} = w.version_number
       LEFT JOIN file_contents f ON f.tenant_id = v.tenant_id AND ${f.content_ref} = ${v.content_ref}`,
    [db.tenantId, wanted.map((one) => one.attachmentId), wanted.map((one) => one.versionNumber)],
  );
}
