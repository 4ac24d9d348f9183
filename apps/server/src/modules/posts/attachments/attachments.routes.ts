/** Reading attachments: operation → read → response. */

import type { OperationIo } from '@portico/contract';
import type { Handlers } from '../../../kernel/operations.ts';
import type { AttachmentLinkFlags } from '../../files/index.ts';
import { presentPostDetail } from '../reading/read-post.ts';
import { editPostAttachments } from '../writing/touch-post.ts';
import { listPostAttachments } from './list-post-attachments.ts';
import { checkAttachmentVisibility, readAttachment } from './read-attachment.ts';

/**
 * View and download links are always present, preview links on request (docs/decisions/lists.md).
 */
function linksOf(query: OperationIo['getAttachmentDetailById']['query']): AttachmentLinkFlags {
  return {
    view: true,
    download: true,
    preview: query.loadPreviewImageLink === true,
    previewAnimated: query.loadPreviewImageAnimatedLink === true,
    previewHiRes: query.loadPreviewImageHiResLink === true,
    previewHiResAnimated: query.loadPreviewImageHiResAnimatedLink === true,
  };
}

export const attachmentHandlers = {
  listPostAttachmentsByPostId: ({ scope, params, query, body }) =>
    listPostAttachments(scope, params.postId, body ?? {}, linksOf(query)),
  getAttachmentDetailById: ({ scope, params, query }) =>
    readAttachment(scope, params.attachmentId, query.version, linksOf(query)),
  checkAttachmentVisibility: ({ scope, body }) => checkAttachmentVisibility(scope, body?.ids ?? []),
  editPostAttachments: ({ scope, params, body }) =>
    editPostAttachments(scope, params.postId, body ?? {}, async (write, applied) => {
      const { attachments = [] } = await presentPostDetail(write, params.postId);
      const pick = (ids: readonly number[]) =>
        ids.flatMap((id) => attachments.find((attachment) => attachment.id === id) ?? []);
      return {
        postId: params.postId,
        addedAttachments: pick(applied.addedIds),
        updatedAttachments: pick(applied.updatedIds),
        removedAttachmentIds: applied.removedIds,
      };
    }),
} satisfies Handlers;
