import { AttachmentEntityType } from '@portico/contract';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { sqlColumns } from '../../columns.ts';

const attachments = sqlColumns('attachments');

/**
 * Counts the attachments of a post, including its comments and tasks, and sets its main attachment:
 * the first image of the post itself, else its first file (docs/decisions/lists.md).
 */
export async function countAttachments(write: WriteScope, postId: number): Promise<void> {
  await write.tx.send(
    `UPDATE posts p
        SET attachments_count = n.total, image_attachments_count = n.images, video_attachments_count = n.videos,
            audio_attachments_count = n.audios, document_attachments_count = n.documents, main_attachment_id = n.main
       FROM (SELECT count(*) AS total, count(*) FILTER (WHERE ${attachments.kind} = 1) AS images,
                    count(*) FILTER (WHERE ${attachments.kind} = 2) AS videos, count(*) FILTER (WHERE ${attachments.kind} = 3) AS audios,
                    count(*) FILTER (WHERE ${attachments.kind} = 4) AS documents,
                    (array_agg(${attachments.id} ORDER BY ${attachments.kind} <> 1, ${attachments.created_at}, ${attachments.id}) FILTER (WHERE ${attachments.entity_type} NOT IN (${AttachmentEntityType.TASK}, ${AttachmentEntityType.COMMENT})))[1] AS main
               FROM attachments WHERE tenant_id = $1 AND ${attachments.post_id} = $2 AND ${attachments.deleted_at} IS NULL) n
      WHERE p.tenant_id = $1 AND p.id = $2`,
    [write.tx.tenantId, postId],
  );
}
