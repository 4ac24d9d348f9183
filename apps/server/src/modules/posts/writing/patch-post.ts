/**
 * Operation patchPost: edits a part of a post. The patch and the present content form the body of
 * an edit of the whole post, which is then run: rules, history and errors are those of
 * editCustomPost.
 */
import type { EditCustomPostRequest, PatchPostRequest } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, invalid } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { typeOf } from '../../fields/index.ts';
import { applyEdit, type EditedPost, type WholeWatchers } from './edit-post.ts';
import { type OpenPost, openPost } from './open-post.ts';
import { watchersOf } from './watchers.ts';

/** Every member may also be null, even where that is not declared. */
export type Patch = { readonly [K in keyof PatchPostRequest]: PatchPostRequest[K] | null };

/** Members that always have a value: null is an error for them. */
const NEVER_EMPTY = ['visibility', 'workflowInitStateId', 'draft'] as const;

/**
 * Edits a part of a post: omitted fields stay as they are, null empties a field.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN; ValidationError with all errors
 *   of the patch
 */
export async function patchPost<T>(
  scope: Scope,
  postId: number,
  patch: Patch,
  answer: (write: WriteScope, post: EditedPost) => Promise<T>,
): Promise<T> {
  return writeTransaction(scope, 'none', async (write) => {
    const edited = await applyPatch(write, postId, patch, { needsToken: true });
    return answer(write, edited);
  });
}

/**
 * Edits a part of a post within a write.
 * @param options `needsToken`: the patch must have a token; `ifChanged`: as in {@link applyEdit}
 * @throws as {@link patchPost}
 */
export async function applyPatch(
  write: WriteScope,
  postId: number,
  patch: Patch,
  options: { needsToken?: boolean; ifChanged?: boolean },
): Promise<EditedPost> {
  const occToken = patch.occToken ?? undefined;
  const open = await openPatched(write, postId, patch, occToken);
  if (options.needsToken && occToken === undefined) {
    throw invalid('occToken', 'REQUIRED_FIELD', 'Send the token of the post as occToken, or in the header If-Match.');
  }
  const errors = new FieldErrors();
  for (const member of NEVER_EMPTY)
    if (patch[member] === null)
      errors.add(member, 'INVALID_VALUE', `${member} cannot be emptied; leave it out to keep it.`);
  const watchers = await readWholeWatchers(write, postId, patch);
  const change = { kind: 'custom' as const, body: wholeBody(open, patch), ...(watchers && { watchers }) };
  return applyEdit(write, open, change, { errors, ifChanged: options.ifChanged === true });
}

/**
 * Opens a post for a patch, and reads its long texts only if names in them have to be found again.
 */
async function openPatched(
  write: WriteScope,
  postId: number,
  { description, customData }: Patch,
  occToken: number | undefined,
): Promise<OpenPost> {
  const options = { need: 'canModify' as const, ...(occToken !== undefined && { occToken }) };
  if (description !== undefined || customData === null) return openPost(write, postId, options);
  const about = Object.keys(customData ?? {});
  const open = await openPost(write, postId, { ...options, about });
  const isRich = (id: string) => {
    const field = open.definition.fieldById.get(Number(id));
    return field !== undefined && typeOf(field).kind === 'richText';
  };
  return about.some(isRich) ? openPost(write, postId, options) : open;
}

/** Returns the body of an edit of the whole post: the present content with the patch applied. */
function wholeBody({ post, definition }: OpenPost, patch: Patch): EditCustomPostRequest {
  const text = (given: string | null | undefined, stored: string | null) =>
    given === undefined ? (stored ?? undefined) : (given ?? '');
  // A planned post is a draft and remains one without its plan.
  const unplanned = patch.scheduledPublication === null && post.draft;
  // Fields hidden from the caller stay as they are without being named.
  const unseen = new Set(definition.hidden.map(({ id }) => String(id)));
  const seen = Object.fromEntries(Object.entries(post.customData).filter(([key]) => !unseen.has(key)));
  const whole = {
    title: text(patch.title, post.title),
    description: text(patch.description, post.descriptionDelta),
    descriptionFormat: patch.descriptionFormat,
    customData: patch.customData === null ? {} : { ...seen, ...patch.customData },
    deltaAreaFormat: patch.deltaAreaFormat,
    addAttachments: patch.addAttachments,
    updateAttachments: patch.updateAttachments,
    removeAttachmentIds: patch.removeAttachmentIds,
    visibility: patch.visibility,
    workflowInitStateId: patch.workflowInitStateId,
    draft: patch.draft ?? (unplanned ? true : undefined),
    scheduledPublication: patch.scheduledPublication,
  };
  const sent = Object.entries(whole).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(sent) as EditCustomPostRequest;
}

/** Returns the watchers that the patch sets, if any. */
async function readWholeWatchers(write: WriteScope, postId: number, patch: Patch): Promise<WholeWatchers | undefined> {
  const { watcherUserIds, watcherGroupIds } = patch;
  if (watcherUserIds === undefined && watcherGroupIds === undefined) return undefined;
  const present = await watchersOf(write, postId);
  return {
    present,
    ...(watcherUserIds !== undefined && { userIds: watcherUserIds ?? [] }),
    ...(watcherGroupIds !== undefined && { groupIds: watcherGroupIds ?? [] }),
  };
}
