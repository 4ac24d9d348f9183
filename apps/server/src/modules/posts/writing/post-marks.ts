/** Operations editPostPin, editPostAnnouncement and editPostRead. */
import type { EditPostAnnouncementResponse, EditPostPinResponse, EditPostReadResponse } from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { definitionOf, lockPost, postCapabilities, requirePost } from '../../post-parts/index.ts';
import { noteRead, postModified, recordPost } from '../../records/index.ts';

/** @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function editPostPin(scope: Scope, postId: number, pinned: boolean): Promise<EditPostPinResponse> {
  await setMark(scope, postId, 'pinned', pinned);
  return { postId, pinned };
}

/** @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function editPostAnnouncement(
  scope: Scope,
  postId: number,
  announcement: boolean,
): Promise<EditPostAnnouncementResponse> {
  await setMark(scope, postId, 'announcement', announcement);
  return { postId, announcement };
}

/** Sets a mark. A mark that is set already stays, without history and change row. */
async function setMark(scope: Scope, postId: number, mark: 'pinned' | 'announcement', value: boolean): Promise<void> {
  await writeTransaction(scope, 'none', async (write) => {
    const post = await lockPost(write, postId);
    const { communityId } = post;
    const may = postCapabilities(write.actor, await definitionOf(write, communityId), post);
    const [need, permission] =
      mark === 'pinned' ? (['canPin', 'pinPosts'] as const) : (['canAnnounce', 'announcePosts'] as const);
    if (!may[need])
      throw forbidden(`Missing capability: ${need}. It requires the permission ${permission} and a published post.`);
    const changed = await write.tx.execute(
      `UPDATE posts SET ${mark} = $3 WHERE tenant_id = $1 AND id = $2 AND ${mark} <> $3`,
      [write.tx.tenantId, postId, value],
    );
    if (changed === 0) return;
    await recordPost(write, post, { touch: {}, events: postModified(post, [mark]) });
  });
}

/** Marks a post as read or unread by the caller. @throws PorticoError NOT_FOUND */
export async function editPostRead(scope: Scope, postId: number, read: boolean): Promise<EditPostReadResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    await requirePost(write.tx, write.actor, postId);
    await noteRead(write, postId, read);
    return { postId, viewedByMe: read };
  });
}
