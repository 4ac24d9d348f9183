/** The attachments of a post (operation listPostAttachmentsByPostId; docs/decisions/lists.md). */
import type {
  ListPostAttachmentsByPostIdRequest,
  ListPostAttachmentsElement,
  ListPostAttachmentsResponse,
} from '@portico/contract';
import { Parameters } from '../../../kernel/access/index.ts';
import { fileLinks } from '../../../kernel/file-links.ts';
import { readPaging, type SortKey } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { presentHashtag } from '../../communities/index.ts';
import { type AttachmentLinkFlags, presentAttachment } from '../../files/index.ts';
import { usersOf } from '../../people/index.ts';
import { definitionOf, postCapabilities, requirePost } from '../../post-parts/index.ts';
import { hydratePosts } from '../reading/hydrate-posts.ts';
import { attachmentConditions, attachmentOrder } from './attachment-filters.ts';
import { kindCounts, type PlacedAttachmentRow, pageOfAttachments } from './attachments.repository.ts';

/**
 * Returns a page of the attachments of a post that the caller sees. Attachments of comments are
 * excluded when the caller does not see comments. All elements share one post object.
 * @throws PorticoError NOT_FOUND for a post that is unknown or not visible
 */
export async function listPostAttachments(
  scope: Scope,
  postId: number,
  body: ListPostAttachmentsByPostIdRequest,
  flags: AttachmentLinkFlags,
): Promise<ListPostAttachmentsResponse> {
  const {
    pageToken: _token,
    pageSize: _size,
    calculateTotalItemsCount: _total,
    language: _language,
    ...filters
  } = body;
  const request = readPaging<SortKey>(scope, 'listPostAttachmentsByPostId', body, { postId, ...filters });
  const { db } = scope;
  const post = await requirePost(db, scope.actor, postId);
  const definition = await definitionOf(scope, post.communityId);
  const capabilities = postCapabilities(scope.actor, definition, post);
  const parameters = new Parameters([db.tenantId, postId]);
  const where = attachmentConditions(body, capabilities.canViewComment, parameters);
  const order = attachmentOrder(body.orderBy, body.orderDesc ?? true);
  const { rows, ...paging } = await pageOfAttachments(db, parameters, where, order, request);
  const counts = await kindCounts(db, postId);
  return {
    items: await present(scope, postId, rows, flags),
    ...paging,
    canAddAttachment: capabilities.canEditAttachments,
    ...counts,
  };
}

async function present(
  scope: Scope,
  postId: number,
  rows: readonly PlacedAttachmentRow[],
  flags: AttachmentLinkFlags,
): Promise<ListPostAttachmentsElement[]> {
  if (rows.length === 0) return [];
  const users = await usersOf(
    scope,
    scope.db,
    rows.flatMap((row) => [row.creatorId, row.modifierId]),
  );
  const [post] = await hydratePosts(scope, [postId]);
  const links = fileLinks(scope);
  return rows.map((row) => {
    const hashtags = new Map([[row.id, row.hashtags.map(presentHashtag)]]);
    return {
      ...presentAttachment(row, { users, hashtags }, links, flags),
      ...(post && { post }),
      attachmentEntityType: row.entityType,
      ...(row.commentId !== null && { commentId: row.commentId }),
      ...(row.taskId !== null && { taskId: row.taskId }),
    };
  });
}
