/** Attaches files to posts, comments and tasks, adds versions to them and removes them. */
import { HistoryType } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import { sortKey } from '@portico/platform/text';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { FieldErrors } from '../../../kernel/errors.ts';
import { sqlColumns } from '../../columns.ts';
import { countAttachments, type HistoryEvent, recordHistory } from '../../records/index.ts';
import { claimUploads } from '../store/claim-uploads.ts';
import { type ClaimedUpload, requireRoom } from '../store/quota.ts';
import {
  changesNothing,
  type FileChanges,
  type FileLimits,
  type FilePaths,
  type FilePlan,
  type FileTarget,
  planFiles,
} from './plan-files.ts';

const here = sqlColumns('hashtags', 'here');
const there = sqlColumns('hashtags', 'there');

/** Result of an applied plan. */
export interface AppliedFiles {
  /** Ids of the new attachments, in the order of the body, and of the restored ones. */
  addedIds: number[];
  /**
   * Ids of the attachments that were renamed, tagged or given a new version, in the order of the
   * body.
   */
  updatedIds: number[];
  removedIds: number[];
  /** Ids of the updated attachments with a new version. */
  versionedIds: number[];
}

/** Kinds that are counted separately: 1 image, 2 video, 3 audio, 4 anything else (migration 0005). */
function fileKind(mimeType: string): 1 | 2 | 3 | 4 {
  if (mimeType.startsWith('image/')) return 1;
  if (mimeType.startsWith('video/')) return 2;
  return mimeType.startsWith('audio/') ? 3 : 4;
}

/**
 * Validates and applies the files of a body whose other parts are already checked.
 * @param target `postId` must exist, and its row must be locked (`FOR NO KEY UPDATE`) or new
 * @throws ValidationError with all errors
 */
export async function attachFiles(
  write: WriteScope,
  target: Omit<FileTarget, 'taskId'> & { postId: number },
  changes: FileChanges,
  limits: FileLimits,
  paths: FilePaths,
): Promise<AppliedFiles> {
  const errors = new FieldErrors();
  const plan = await planFiles(write, target, changes, limits, paths, errors);
  errors.throwIfAny();
  return applyFiles(write, plan, target);
}

/** Columns of an attachment that store its location. */
interface Place extends Pick<FileTarget, 'communityId' | 'entityType'> {
  postId: number;
  fieldId: number | undefined;
  commentId: number | undefined;
  taskId: number | undefined;
}

/**
 * Target of attached files. Callers that attach or remove files of a task also update its count.
 */
type AttachTarget = { postId: number; commentId?: number } & (
  | { taskId?: undefined }
  | {
      taskId: number /** Stores the number of files of the task. */;
      countOfTask: (write: WriteScope, taskId: number) => Promise<void>;
    }
);

/**
 * Applies a plan of {@link planFiles}, adds history rows (11, 12, 13) and updates the counts of the
 * task and of the post, which include the files of its comments and tasks
 * (docs/decisions/lists.md). The caller adds the change row.
 * @param target the ids that may have been unknown when the plan was made
 * @throws ValidationError QUOTA_EXCEEDED when the tenant has no room for the files; the caller must
 * then roll the transaction back
 */
export async function applyFiles(write: WriteScope, plan: FilePlan, target: AttachTarget): Promise<AppliedFiles> {
  const { postId, commentId, taskId } = target;
  const { communityId, entityType, fieldId } = plan.target;
  const place: Place = { communityId, entityType, fieldId, postId, commentId, taskId };
  const applied: AppliedFiles = { addedIds: [], updatedIds: [], removedIds: [], versionedIds: [] };
  if (changesNothing(plan)) return applied;
  const versions = new Map<number, number>();
  if (plan.add.length > 0) applied.addedIds = await insertAttachments(write, plan, place);
  if (plan.update.length > 0) await updateAttachments(write, plan, applied, versions);
  if (plan.removeIds.length > 0) {
    const rows = await write.tx.changeRows<{ id: number }>(
      'attachments',
      ({ id }) => id,
      `UPDATE attachments SET deleted_at = $3, modifier_id = $4, modified_at = $3
        WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND deleted_at IS NULL RETURNING id`,
      [write.tx.tenantId, plan.removeIds, new Date(write.now), write.actor.userId],
    );
    applied.removedIds = rows.map((row) => row.id).sort((a, b) => a - b);
  }
  await claimUploads(write, uploadsOf(plan));
  await tagAttachments(write, plan, applied);
  const restored = await restoreAttachments(write, plan);
  applied.addedIds.push(...restored.keys());
  await countAttachments(write, place.postId);
  const counted = applied.addedIds.length + applied.removedIds.length > 0;
  if (counted && target.taskId !== undefined) await target.countOfTask(write, target.taskId);
  const event = (typeId: HistoryEvent['typeId'], attachmentId: number, attachmentVersion: number): HistoryEvent => ({
    typeId,
    postId: place.postId,
    communityId: place.communityId,
    attachmentId,
    attachmentVersion,
    commentId: place.commentId,
    taskIds: place.taskId !== undefined ? [place.taskId] : undefined,
  });
  await recordHistory(write, [
    ...applied.addedIds.map((id) => event(HistoryType.ATTACHMENT_ADDED, id, restored.get(id) ?? 1)),
    ...applied.versionedIds.map((id) => event(HistoryType.ATTACHMENT_NEW_VERSION, id, versions.get(id)!)),
    ...applied.removedIds.map((id) => ({
      ...event(HistoryType.ATTACHMENT_REMOVED, id, 1),
      attachmentVersion: undefined,
    })),
  ] as HistoryEvent[]);
  return applied;
}

async function insertAttachments(write: WriteScope, plan: FilePlan, place: Place) {
  const ids = await takeIds(write.tx, 'attachments', plan.add.length);
  const rows = plan.add.map((file, index) => ({
    id: ids[index],
    type: file.type,
    kind: fileKind(file.mimeType),
    name: file.name,
    name_key: sortKey(file.name),
    mime_type: file.mimeType,
    size: file.size,
    content_ref: file.contentRef,
    drive: file.drive,
    referenced_id: file.referencedId,
    downloadable: file.downloadable,
  }));
  await write.tx.createAs(
    'attachments',
    ids,
    `WITH added AS (
       INSERT INTO attachments (tenant_id, id, post_id, community_id, entity_type, comment_id, task_id, field_id, type, kind,
              name, name_key, mime_type, size, content_ref, drive, referenced_id, downloadable, creator_id, created_at,
              modifier_id, modified_at)
       SELECT a.tenant_id, f.id, $2, $3, $4, $5, $6, $7, f.type, f.kind, f.name, f.name_key, f.mime_type, f.size,
              f.content_ref, f.drive, f.referenced_id, f.downloadable, $8, $9, $8, $9
         FROM tenant_versions a, jsonb_to_recordset($10::jsonb) AS f (id bigint, type smallint, kind smallint, name text,
              name_key text, mime_type text, size bigint, content_ref text, drive jsonb, referenced_id bigint,
              downloadable boolean)
        WHERE a.tenant_id = $1),
     versions AS (
       INSERT INTO attachment_versions (tenant_id, attachment_id, version_number, name, mime_type, size, content_ref, drive,
              creator_id, created_at)
       SELECT a.tenant_id, f.id, 1, f.name, f.mime_type, f.size, f.content_ref, f.drive, $8, $9
         FROM tenant_versions a, jsonb_to_recordset($10::jsonb) AS f (id bigint, name text, mime_type text, size bigint,
              content_ref text, drive jsonb)
        WHERE a.tenant_id = $1)
     SELECT FROM tenant_versions WHERE tenant_id = $1`,
    [
      write.tx.tenantId,
      place.postId,
      place.communityId,
      place.entityType,
      place.commentId ?? null,
      place.taskId ?? null,
      place.fieldId ?? null,
      write.actor.userId,
      new Date(write.now),
      JSON.stringify(rows),
    ],
  );
  return ids;
}

/**
 * Attaches removed files again, each with its id, name and versions.
 * @returns their newest versions by id
 * @throws ValidationError QUOTA_EXCEEDED when the tenant has no room for them, as for new files
 */
async function restoreAttachments(write: WriteScope, { restore }: FilePlan): Promise<ReadonlyMap<number, number>> {
  if (restore.length === 0) return new Map();
  const rows = await write.tx.changeRows<{ id: number; versionNumber: number }>(
    'attachments',
    ({ id }) => id,
    `UPDATE attachments SET deleted_at = NULL, modifier_id = $3, modified_at = $4
      WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND deleted_at IS NOT NULL
      RETURNING id, version_number AS "versionNumber"`,
    [write.tx.tenantId, restore.map(({ id }) => id), write.actor.userId, new Date(write.now)],
  );
  await requireRoom(
    write,
    restore.flatMap(({ contentRef, path }) => (contentRef === null ? [] : [{ contentRef, field: path }])),
  );
  return new Map(rows.sort((a, b) => a.id - b.id).map(({ id, versionNumber }) => [id, versionNumber]));
}

async function updateAttachments(
  write: WriteScope,
  plan: FilePlan,
  applied: AppliedFiles,
  versions: Map<number, number>,
): Promise<void> {
  // If an attachment is named twice, the last change wins.
  const updates = [...new Map(plan.update.map((update) => [update.id, update])).values()];
  const rows = updates.map(({ id, name, content, downloadable }) => ({
    id,
    downloadable,
    name,
    name_key: sortKey(name),
    versioned: content !== null,
    ...(content && {
      type: content.type,
      kind: fileKind(content.mimeType),
      mime_type: content.mimeType,
      size: content.size,
      content_ref: content.contentRef,
      drive: content.drive,
    }),
  }));
  const changed = await write.tx.changeRows<{ id: number; versionNumber: number; versioned: boolean }>(
    'attachments',
    ({ id }) => id,
    `UPDATE attachments a
          SET name = f.name, name_key = f.name_key, downloadable = coalesce(f.downloadable, a.downloadable), modifier_id = $2, modified_at = $3,
              version_number = a.version_number + CASE WHEN f.versioned THEN 1 ELSE 0 END,
              type = CASE WHEN f.versioned THEN f.type ELSE a.type END,
              kind = CASE WHEN f.versioned THEN f.kind ELSE a.kind END,
              mime_type = CASE WHEN f.versioned THEN f.mime_type ELSE a.mime_type END,
              size = CASE WHEN f.versioned THEN f.size ELSE a.size END,
              content_ref = CASE WHEN f.versioned THEN f.content_ref ELSE a.content_ref END,
              drive = CASE WHEN f.versioned THEN f.drive ELSE a.drive END
         FROM jsonb_to_recordset($4::jsonb) AS f (id bigint, name text, name_key text, downloadable boolean, versioned boolean,
              type smallint, kind smallint, mime_type text, size bigint, content_ref text, drive jsonb)
        WHERE a.tenant_id = $1 AND a.id = f.id AND a.deleted_at IS NULL
       RETURNING a.id, a.version_number AS "versionNumber", f.versioned`,
    [write.tx.tenantId, write.actor.userId, new Date(write.now), JSON.stringify(rows)],
  );
  const versioned = changed.filter((row) => row.versioned).map((row) => row.id);
  if (versioned.length > 0) {
    await write.tx.send(
      `INSERT INTO attachment_versions (tenant_id, attachment_id, version_number, name, mime_type, size, content_ref, drive,
              creator_id, created_at)
       SELECT a.tenant_id, a.id, a.version_number, a.name, a.mime_type, a.size, a.content_ref, a.drive, a.modifier_id,
              a.modified_at
         FROM attachments a WHERE a.tenant_id = $1 AND a.id = ANY ($2::bigint[])`,
      [write.tx.tenantId, versioned],
    );
  }
  const byId = new Map(changed.map((row) => [row.id, row]));
  for (const { id } of updates) {
    const row = byId.get(id);
    if (!row) continue;
    applied.updatedIds.push(id);
    if (!row.versioned) continue;
    applied.versionedIds.push(id);
    versions.set(id, row.versionNumber);
  }
}

function uploadsOf(plan: FilePlan): ClaimedUpload[] {
  return [...plan.add.map((file) => ({ ...file, content: file })), ...plan.update].flatMap(
    ({ claims, content, path }): ClaimedUpload[] => {
      const contentRef = claims ? content?.contentRef : undefined;
      return contentRef ? [{ contentRef, field: `${path}.contentRef` }] : [];
    },
  );
}

async function tagAttachments(write: WriteScope, plan: FilePlan, applied: AppliedFiles): Promise<void> {
  const { tx } = write;
  const retagged = plan.update.filter((update) => update.hashtagIds !== null);
  if (retagged.length > 0) {
    const ids = retagged.map((update) => update.id);
    await tx.sendChange(
      'attachments',
      ids,
      'DELETE FROM attachment_hashtags WHERE tenant_id = $1 AND attachment_id = ANY ($2::bigint[])',
      [tx.tenantId, ids],
    );
  }
  const pairs = [
    ...plan.add.flatMap((file, index) => file.hashtagIds.map((tag) => [applied.addedIds[index]!, tag] as const)),
    ...retagged.flatMap((update) => (update.hashtagIds ?? []).map((tag) => [update.id, tag] as const)),
  ];
  if (pairs.length === 0) return;
  const tagged = pairs.map(([id]) => id);
  await tx.sendChange(
    'attachments',
    tagged,
    `INSERT INTO attachment_hashtags (tenant_id, attachment_id, hashtag_id)
     SELECT a.tenant_id, t.* FROM tenant_versions a, unnest($2::bigint[], $3::bigint[]) AS t WHERE a.tenant_id = $1 ON CONFLICT DO NOTHING`,
    [tx.tenantId, tagged, pairs.map(([, tag]) => tag)],
  );
}

/**
 * Restores the files of a comment or a task that were removed together with it, and updates the
 * counts of the post.
 * @param removedAt epoch milliseconds of the removal
 */
export async function restoreFiles(
  write: WriteScope,
  postId: number,
  owner: { commentId: number } | { taskId: number },
  removedAt: number,
): Promise<void> {
  const [column, id] = 'commentId' in owner ? ['comment_id', owner.commentId] : ['task_id', owner.taskId];
  const rows = await write.tx.changeRows<{ id: number }>(
    'attachments',
    ({ id: restored }) => restored,
    `UPDATE attachments SET deleted_at = NULL
      WHERE tenant_id = $1 AND post_id = $2 AND ${column} = $3 AND deleted_at = $4 RETURNING id`,
    [write.tx.tenantId, postId, id, new Date(removedAt)],
  );
  if (rows.length > 0) await countAttachments(write, postId);
}

/**
 * Moves the files of a post to another community. Their hashtags are replaced by the hashtags of
 * the same name there.
 * @param move ids of the post and of the two communities
 */
export async function moveAttachments(
  { tx }: WriteScope,
  { postId, from, to }: { postId: number; from: number; to: number },
): Promise<void> {
  const moved = await tx.changeRows<{ id: number }>(
    'attachments',
    ({ id }) => id,
    'UPDATE attachments SET community_id = $3 WHERE tenant_id = $1 AND post_id = $2 RETURNING id',
    [tx.tenantId, postId, to],
  );
  if (moved.length === 0) return;
  const ids = moved.map(({ id }) => id);
  await tx.sendChange(
    'attachments',
    ids,
    `INSERT INTO attachment_hashtags (tenant_id, attachment_id, hashtag_id)
     SELECT h.tenant_id, h.attachment_id, ${there.id} FROM attachment_hashtags h
       JOIN hashtags here ON here.tenant_id = h.tenant_id AND ${here.id} = h.hashtag_id
       JOIN hashtags there ON there.tenant_id = h.tenant_id AND ${there.community_id} = $3 AND ${there.name_key} = ${here.name_key} AND NOT ${there.deleted}
      WHERE h.tenant_id = $1 AND h.attachment_id = ANY ($2::bigint[]) ON CONFLICT DO NOTHING`,
    [tx.tenantId, ids, to],
  );
  await tx.sendChange(
    'attachments',
    ids,
    `DELETE FROM attachment_hashtags h USING hashtags t
      WHERE h.tenant_id = $1 AND h.attachment_id = ANY ($2::bigint[]) AND t.tenant_id = $1 AND t.id = h.hashtag_id AND t.community_id = $3`,
    [tx.tenantId, ids, from],
  );
}
