/** The attachments of a post (operation listPostAttachmentsByPostId; docs/decisions/lists.md). */
import type {
  BaseListPostsElement,
  ListPostAttachmentsByPostIdRequest,
  ListPostAttachmentsElement,
  ListPostAttachmentsResponse,
} from '@portico/contract';
import { Parameters } from '../../../kernel/access/index.ts';
import { fileLinks } from '../../../kernel/file-links.ts';
import { pageBytes, readPaging, type SortKey } from '../../../kernel/paging/index.ts';
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
 * excluded when the caller does not see comments. Each element repeats the post, so a page of a
 * post with long texts has fewer elements.
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
  let page = await pageOfAttachments(db, parameters, where, order, request);
  const counts = await kindCounts(db, postId);
  const [shown] = page.rows.length === 0 ? [] : await hydratePosts(scope, [postId]);
  const size = shown ? Math.max(1, Math.floor(pageBytes / bytesOf(shown))) : request.size;
  if (size < page.rows.length) page = await pageOfAttachments(db, parameters, where, order, { ...request, size });
  const { rows, ...paging } = page;
  return {
    items: await present(scope, shown, rows, flags),
    ...paging,
    canAddAttachment: capabilities.canEditAttachments,
    ...counts,
  };
}

/** JSON of a reference of a post to an object. Bytes, more or less. */
const REFERENCE_BYTES = 300;

/** Estimates the JSON of a post, which each element repeats. Bytes. */
function bytesOf(post: BaseListPostsElement): number {
  const values = [...Object.values(post), ...Object.values(post.customData ?? {})];
  return values.reduce<number>((sum, value) => {
    if (typeof value === 'string') return sum + value.length;
    return sum + REFERENCE_BYTES * (Array.isArray(value) ? value.length : 1);
  }, 0);
}

async function present(
  scope: Scope,
  post: BaseListPostsElement | undefined,
  rows: readonly PlacedAttachmentRow[],
  flags: AttachmentLinkFlags,
): Promise<ListPostAttachmentsElement[]> {
  if (rows.length === 0) return [];
  const users = await usersOf(
    scope,
    scope.db,
    rows.flatMap((row) => [row.creatorId, row.modifierId]),
  );
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
