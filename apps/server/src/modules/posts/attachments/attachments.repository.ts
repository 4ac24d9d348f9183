/** Attachments for reads: their visibility is that of their post, never a rule of their own. */

import type { AttachmentEntityType, PostType, SurveyType, Visibility } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { Parameters, seenPostSql } from '../../../kernel/access/index.ts';
import { type PageRequest, readPage, type SortColumn, type SortKey } from '../../../kernel/paging/index.ts';
import type { Actor } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { attachmentColumnsSql, attachmentHashtagsSql, type TaggedAttachmentRow } from '../../files/index.ts';

const v = sqlColumns('attachment_versions', 'v');
const a = sqlColumns('attachments', 'a');
const f = sqlColumns('file_contents', 'f');

/** An attachment with its parent entity and its hashtags. */
export interface PlacedAttachmentRow extends TaggedAttachmentRow {
  readonly entityType: AttachmentEntityType;
  readonly commentId: number | null;
  readonly taskId: number | null;
  readonly kind: number;
  /** Sort key of the name. */
  readonly nameKey: string;
}

const PLACED = `${attachmentColumnsSql('a', 'f')}, a.entity_type AS "entityType", a.comment_id AS "commentId",
  a.task_id AS "taskId", a.kind, a.name_key AS "nameKey", ${attachmentHashtagsSql('a')} AS hashtags`;

const CONTENT = `LEFT JOIN file_contents f ON f.tenant_id = a.tenant_id AND ${f.content_ref} = a.content_ref`;

/**
 * Returns a page of the attachments of one post.
 * @param parameters the first two are the tenant and the post
 * @param conditions SQL on `a`
 */
export async function pageOfAttachments(
  db: TenantExecutor,
  parameters: Parameters,
  conditions: readonly string[],
  order: readonly SortColumn[],
  page: PageRequest<SortKey>,
) {
  const where = ['a.tenant_id = $1', 'a.post_id = $2', 'a.deleted_at IS NULL', ...conditions];
  return readPage<PlacedAttachmentRow>(
    db,
    page,
    { select: PLACED, from: `attachments a ${CONTENT}`, where, order },
    parameters,
  );
}

/**
 * Numbers of files of a post by kind, including the files of its tasks and comments
 * (docs/decisions/lists.md).
 */
interface KindCounts {
  imageAttachmentsCount: number;
  videoAttachmentsCount: number;
  audioAttachmentsCount: number;
  documentsAttachmentsCount: number;
}

/** Returns the attachment counts of the post. */
export async function kindCounts(db: TenantExecutor, postId: number): Promise<KindCounts> {
  const [row] = await db.query<KindCounts>(
    `SELECT image_attachments_count AS "imageAttachmentsCount", video_attachments_count AS "videoAttachmentsCount",
            audio_attachments_count AS "audioAttachmentsCount", document_attachments_count AS "documentsAttachmentsCount"
       FROM posts WHERE tenant_id = $1 AND id = $2`,
    [db.tenantId, postId],
  );
  return (
    row ?? {
      imageAttachmentsCount: 0,
      videoAttachmentsCount: 0,
      audioAttachmentsCount: 0,
      documentsAttachmentsCount: 0,
    }
  );
}

/** The post of an attachment, as its detail shows it. */
export interface AttachmentPostRow {
  readonly id: number;
  readonly communityId: number;
  readonly customId: string;
  readonly type: PostType;
  readonly surveyType: SurveyType | null;
  readonly title: string | null;
  readonly clientUid: string | null;
  readonly visibility: Visibility;
  readonly announcement: boolean;
  readonly creatorId: number;
  readonly stateId: number | null;
  readonly version: number;
}

/** An attachment and its post. */
type AttachmentDetailRow = PlacedAttachmentRow & { readonly post: AttachmentPostRow };

const POST = `jsonb_build_object('id', p.id, 'communityId', p.community_id, 'customId', p.custom_no::text, 'type', p.type,
  'surveyType', p.survey_type, 'title', p.title, 'clientUid', p.client_uid, 'visibility', p.visibility,
  'announcement', p.announcement, 'creatorId', p.creator_id, 'stateId', p.state_id, 'version', p.version) AS post`;

/**
 * Selects one version of every attachment, with its own name, kind and bytes; its author appears as
 * the last modifier.
 */
const versionedSql = (
  version: string,
) => `(SELECT a.tenant_id, ${a.id}, ${a.post_id}, ${a.community_id}, ${a.entity_type},
    ${a.comment_id}, ${a.task_id}, ${a.kind}, ${a.deleted_at}, CASE WHEN ${v.drive} IS NULL THEN 1 ELSE 2 END AS type, ${v.name}, ${a.name_key}, ${v.mime_type},
    ${v.size}, ${v.content_ref}, ${v.version_number}, ${v.drive}, ${a.referenced_id}, ${a.downloadable}, ${a.creator_id}, ${a.created_at},
    ${v.creator_id} AS modifier_id, ${v.created_at} AS modified_at
  FROM attachments a
  JOIN attachment_versions v ON v.tenant_id = a.tenant_id AND ${v.attachment_id} = ${a.id} AND ${v.version_number} = ${version})`;

/**
 * Returns an attachment whose post the actor sees, the actor's own drafts included. The caller
 * checks whether the actor sees comments.
 * @param version an earlier version; omitted: the present one
 */
export async function findAttachment(
  db: TenantExecutor,
  actor: Actor,
  attachmentId: number,
  version?: number,
): Promise<AttachmentDetailRow | undefined> {
  const parameters = new Parameters([db.tenantId, attachmentId]);
  const source = version === undefined ? 'attachments' : versionedSql(`${parameters.add(version)}::integer`);
  const rows = await db.query<AttachmentDetailRow>(
    `SELECT ${PLACED}, ${POST} FROM ${source} a ${CONTENT} JOIN posts p ON p.tenant_id = a.tenant_id AND p.id = a.post_id
      WHERE a.tenant_id = $1 AND a.id = $2 AND a.deleted_at IS NULL AND ${seenPostSql('p', actor, parameters)}`,
    parameters.values,
  );
  return rows[0];
}

/**
 * Returns the given attachments whose post the actor sees, with the data that decides the
 * visibility of comments.
 */
export async function findVisible(
  db: TenantExecutor,
  actor: Actor,
  ids: readonly number[],
): Promise<{ id: number; communityId: number; entityType: AttachmentEntityType }[]> {
  if (ids.length === 0) return [];
  const parameters = new Parameters([db.tenantId, ids]);
  return db.query(
    `SELECT ${a.id}, p.community_id AS "communityId", ${a.entity_type} AS "entityType"
       FROM attachments a JOIN posts p ON p.tenant_id = a.tenant_id AND p.id = ${a.post_id}
      WHERE a.tenant_id = $1 AND ${a.id} = ANY ($2::bigint[]) AND ${a.deleted_at} IS NULL AND ${seenPostSql('p', actor, parameters)}`,
    parameters.values,
  );
}
