/** Operation restorePostVersion: restores the content of a version by an edit. */

import { PostType, type RestorePostVersionRequest } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { presentEvent } from '../reading/present-event.ts';
import { applyEdit, type EditedPost, type PostEdit } from '../writing/edit-post.ts';
import { type OpenPost, openPost } from '../writing/open-post.ts';
import { fieldsOf, readContent, type StoredContent } from './version-content.ts';

/**
 * Edits the post so that title, text, values of fields that the caller may write, and time and
 * place of an event equal the version. Rules, history and errors are those of an edit; watchers,
 * visibility and invitations stay. Attachments stay too, unless `restoreAttachments` brings back
 * files of the version that were removed since: files added since and newer versions stay.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN; ValidationError with all errors
 *   of the edit
 */
export async function restorePostVersion<T>(
  scope: Scope,
  postId: number,
  { versionNumber, occToken, restoreAttachments }: RestorePostVersionRequest,
  answer: (write: WriteScope, post: EditedPost) => Promise<T>,
): Promise<T> {
  return writeTransaction(scope, 'none', async (write) => {
    const open = await openPost(write, postId, { need: 'canModify', occToken });
    requireFields(write);
    const content = await readContent(write, open, versionNumber!);
    const restoreFiles = { ids: content.files.map(({ id }) => id), field: 'restoreAttachments' };
    const options = restoreAttachments ? { restoreFiles } : {};
    return answer(write, await applyEdit(write, open, editOf(open, content), options));
  });
}

/** Returns the edit that the form of the former post would have sent. */
function editOf(open: OpenPost, { title, description, values, event }: StoredContent): PostEdit {
  const { post } = open;
  const texts = {
    // Parts that the post lacks now are omitted, as forms omit them.
    ...((title ?? post.title) !== null && { title: title ?? '' }),
    ...((description ?? post.descriptionDelta) !== null && { description: description ?? '' }),
  };
  if (post.type === PostType.EVENT) {
    const kept = {
      ...(post.coverContentRef !== null && { coverImageContentRef: post.coverContentRef }),
      ...(post.linkPreview !== null && { linkPreview: post.linkPreview }),
    };
    return { kind: 'event', body: { ...texts, ...kept, event: presentEvent(event) } };
  }
  const written = fieldsOf(open).filter(
    ({ id, readonly, visibleInEdit }) => !readonly && visibleInEdit && values[id] !== undefined,
  );
  const customData = Object.fromEntries(written.map(({ id }) => [id, values[id]])) as Record<string, never>;
  return { kind: 'custom', body: { ...texts, customData } };
}
