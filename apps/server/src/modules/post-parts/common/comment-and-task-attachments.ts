/** Attachments of comments and tasks: presented and deleted with the comment or task. */
import { AttachmentEntityType, type PostAttachmentData, type PostCommentAttachment } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { fileLinks } from '../../../kernel/file-links.ts';
import type { Context } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import {
  ALL_LINKS,
  type AttachmentRow,
  applyFiles,
  attachmentColumnsSql,
  presentAttachment,
} from '../../files/index.ts';
import { usersOf } from '../../people/index.ts';

const attachments = sqlColumns('attachments');
const a = sqlColumns('attachments', 'a');
const f = sqlColumns('file_contents', 'f');

/** The entity that a file is attached to. */
type FileHolder = 'comment' | 'task';

const COLUMN = { comment: 'comment_id', task: 'task_id' } as const;
const ENTITY = { comment: AttachmentEntityType.COMMENT, task: AttachmentEntityType.TASK } as const;

/** Returns the fields of the wire type of an attachment of a comment or a task. */
function fileFields(file: PostAttachmentData): PostCommentAttachment {
  const { versionNumber: _v, type: _t, hashtags: _h, referencedId: _i, reference: _r, drive: _d, ...fields } = file;
  return fields;
}

/**
 * Returns the files of comments or tasks, by comment or task, oldest first, with all their links
 * (docs/decisions/lists.md). Two statements, regardless of the number.
 */
export async function loadFilesOf(
  scope: Context,
  db: TenantExecutor,
  holder: FileHolder,
  ids: readonly number[],
): Promise<Map<number, PostCommentAttachment[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<AttachmentRow & { holderId: number }>(
    `SELECT a.${COLUMN[holder]} AS "holderId", ${attachmentColumnsSql('a', 'f')}
       FROM attachments a
       LEFT JOIN file_contents f ON f.tenant_id = a.tenant_id AND ${f.content_ref} = ${a.content_ref}
      WHERE a.tenant_id = $1 AND a.${COLUMN[holder]} = ANY ($2::bigint[]) AND ${a.deleted_at} IS NULL
      ORDER BY ${a.created_at}, ${a.id}`,
    [db.tenantId, [...new Set(ids)]],
  );
  const users = await usersOf(
    scope,
    db,
    rows.flatMap((row) => [row.creatorId, row.modifierId]),
  );
  const links = fileLinks(scope);
  const files = new Map<number, PostCommentAttachment[]>();
  for (const row of rows) {
    const file = fileFields(presentAttachment(row, { users }, links, ALL_LINKS));
    const list = files.get(row.holderId);
    if (list) list.push(file);
    else files.set(row.holderId, [file]);
  }
  return files;
}

/**
 * Deletes the files of a deleted comment or task, with their history rows and the counts on the
 * post.
 */
export async function removeFilesOf(
  write: WriteScope,
  post: { id: number; communityId: number },
  holder: FileHolder,
  id: number,
): Promise<void> {
  const rows = await write.tx.query<{ id: number }>(
    `SELECT ${attachments.id} FROM attachments WHERE tenant_id = $1 AND ${COLUMN[holder]} = $2 AND ${attachments.deleted_at} IS NULL ORDER BY ${attachments.id}`,
    [write.tx.tenantId, id],
  );
  const target = {
    postId: post.id,
    communityId: post.communityId,
    entityType: ENTITY[holder],
    ...(holder === 'task' ? { taskId: id } : { commentId: id }),
  };
  const plan = { target, add: [], update: [], removeIds: rows.map((row) => row.id), restore: [] };
  // A deleted task has no count to store.
  const countOfTask = async () => undefined;
  await applyFiles(
    write,
    plan,
    holder === 'task' ? { postId: post.id, taskId: id, countOfTask } : { postId: post.id, commentId: id },
  );
}
