/** Operation movePost: moves a post to another community, with everything that belongs to it. */

import { type MovePostRequest, PostType } from '@portico/contract';
import { hasPermission, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { type FieldError, FieldErrors, forbidden, invalid } from '../../../kernel/errors.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Scope } from '../../../kernel/scope.ts';
import type { CommunityDefinition, WorkflowState } from '../../communities/index.ts';
import { communityCapabilities } from '../../communities/index.ts';
import { moveAttachments } from '../../files/index.ts';
import { fieldRules } from '../../post-parts/index.ts';
import {
  ChangeKind,
  keepVersion,
  movePostFollowing,
  noteModified,
  postModified,
  recordPost,
} from '../../records/index.ts';
import { requireCreatable } from '../writing/create-post.ts';
import type { EditedPost } from '../writing/edit-post.ts';
import { openPost, type PostState, stale } from '../writing/open-post.ts';
import { initialStates } from '../writing/post-settings.ts';
import { refreshTexts } from '../writing/refresh-texts.ts';
import { carryValues, movedFields, sameText } from './carried-values.ts';
import { type CarriedValues, checkCarried } from './check-carried.ts';
import {
  type FormerPlace,
  formerPlace,
  formerValues,
  lockPost,
  moveRows,
  moveValues,
  updateMoved,
} from './moving.repository.ts';

/**
 * Moves a post. Comments, tasks, files, watchers and history go along; its number is the next one
 * there, or its former number there. The next edit asks for values that the community requires and
 * the post lacks. A post that is in the community already stays as it is.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, COMMUNITY_ARCHIVED, CONFLICT_STALE_TOKEN;
 *   ValidationError, with MAPPING_REQUIRED for each value and state without a place in the other
 *   community
 */
export async function movePost<T>(
  scope: Scope,
  postId: number,
  body: MovePostRequest,
  answer: (write: WriteScope, post: EditedPost) => Promise<T>,
): Promise<T> {
  const { occToken, stateId, fieldMapping = [] } = body;
  return writeTransaction(scope, 'none', async (write) => {
    const open = await openPost(write, postId, { need: 'canDelete', occToken });
    const { post, definition: from, acl } = open;
    requireFields(write);
    const communityId = body.communityId!;
    if (communityId === post.communityId) return answer(write, { postId, version: post.version });
    if (!write.actor.roles.has(communityId)) throw invalid('communityId', 'UNKNOWN_REFERENCE');
    const to = await requireCreatable(write, communityId, post.type === PostType.EVENT);
    const hidden = from.hidden.some(({ id }) => id in post.customData || id in post.screenData);
    if (hidden) throw forbidden('The post has values in fields that you do not see; who sees them can move it.');
    const errors = new FieldErrors();
    const carried = carryValues(post, [from, to], fieldMapping, errors);
    const former = await formerPlace(write, { postId, from: from.id, to: to.id });
    const stateErrors = new FieldErrors();
    const state = readState(post, [from, to], stateId, statesOpenTo(write, post, to, former), stateErrors);
    const untouched = former?.version === post.version;
    const coming = {
      post,
      from,
      to,
      stateId: state.stateId,
      former: untouched ? await formerValues(write, postId) : {},
      formerScreens: untouched && former.screens && former.workflowId === (to.workflow?.id ?? null),
    };
    const values = await checkCarried(write, coming, carried, errors);
    errors.push(...stateErrors.list);
    errors.throwIfAny();

    await lockPost(write, postId);
    // A stream whose reader sees only one of the two communities reports the post as deleted, or
    // created.
    const move = { postId, from: from.id, to: to.id };
    await recordPost(write, post, { kind: ChangeKind.MODIFIED, readers: acl });
    const rights = communityCapabilities(write.actor, to.community);
    const moved = await updateMoved(write, post, to.id, {
      ...values,
      ...state,
      customNo: former?.customNo ?? null,
      pinPost: rights.pinPost,
      announce: rights.setPostAnnouncementFlag,
    });
    if (!moved) throw await stale(write, post);
    const changed = await rewriteValues(write, post, [from, to], values);
    await keepVersion(write, { ...post, communityId: to.id }, changed);
    await moveRows(write, move);
    await moveAttachments(write, move);
    await movePostFollowing(write, move);
    await refreshTexts(write, postId);
    await noteModified(write, { id: postId, communityId: to.id });
    const changedParts = ['community', ...(state.stateId === post.stateId ? [] : ['workflowState'])];
    const events = postModified({ ...post, communityId: to.id }, changedParts, {
      changedFieldIds: Object.keys(values.customData).map(Number),
      movedFrom: {
        communityId: from.id,
        customNo: moved.customNoBefore,
        stateId: post.stateId,
        version: post.version + 1,
        screenVersion: moved.screenVersion,
        workflowId: from.workflow?.id === to.workflow?.id && from.workflow ? from.workflow.id : undefined,
      },
    });
    await recordPost(write, { id: postId, communityId: to.id }, { kind: ChangeKind.CREATED, events });
    return answer(write, { postId, version: post.version + 1 });
  });
}

/**
 * Replaces the value rows of the former fields. @returns the former values, for the version that is
 * kept
 */
async function rewriteValues(
  write: WriteScope,
  post: PostState,
  [from, to]: readonly [CommunityDefinition, CommunityDefinition],
  { customData, screenData }: CarriedValues,
) {
  const [old, fresh] = [fieldRules(from), fieldRules(to)];
  const all = (rules: typeof old) => [...rules.post, ...rules.screen];
  await moveValues(
    write,
    post.id,
    all(old).map(({ id }) => id),
    { fields: all(fresh), stored: { ...customData, ...screenData } },
  );
  const former = movedFields(from, post.type).filter(({ id, owner }) => owner === 'post' && id in post.customData);
  return Object.fromEntries(former.map(({ id }) => [`field.${id}` as const, post.customData[id]]));
}

/**
 * Returns the states that the post may have there. A draft begins in an initial state. Managers of
 * that community choose among all states, because they could change the workflow. For others a move
 * runs no transition: the post gets an initial state, or returns to the state that it left there,
 * unless it was edited meanwhile.
 */
function statesOpenTo(
  { actor }: WriteScope,
  post: PostState,
  to: CommunityDefinition,
  former: FormerPlace | undefined,
): readonly WorkflowState[] {
  const begin = initialStates(to);
  if (post.draft) return begin;
  const states = to.workflow?.states.filter(({ deleted }) => !deleted) ?? [];
  if (hasPermission(actor, to.id, 'manageCommunity')) return states;
  const left = former?.version === post.version ? former.stateId : null;
  return states.filter((state) => state.id === left || begin.includes(state));
}

/**
 * Returns the state of the post there, among the allowed ones: the state in the request, otherwise
 * the same state or one with the same name.
 */
function readState(
  post: PostState,
  [from, to]: readonly [CommunityDefinition, CommunityDefinition],
  wanted: number | undefined,
  allowed: readonly WorkflowState[],
  errors: FieldErrors,
): { stateId: number | null; initStateId: number | null } {
  const begin = initialStates(to);
  const formerId = post.draft ? post.initStateId : post.stateId;
  const former = formerId === null ? undefined : from.workflow?.stateById.get(formerId);
  const state =
    wanted === undefined
      ? (allowed.find(({ id }) => id === formerId) ?? allowed.find((one) => former && sameText(one.name, former.name)))
      : allowed.find(({ id }) => id === wanted);
  const named = allowed.map(({ id, name }) => `${id} "${name}"`).join(', ');
  const refuse = (code: FieldError['code'], defaultMessage: string) =>
    errors.add(
      'stateId',
      code,
      defaultMessage,
      allowed.map(({ id }) => id),
    );
  if (wanted !== undefined && !state) refuse('INVALID_VALUE', `The post can be in these states there: ${named}.`);
  else if (!state && former && !post.draft && allowed.length > 0)
    refuse('MAPPING_REQUIRED', `The post cannot be in the state "${former.name}" there. Send stateId: ${named}.`);
  const id = state?.id ?? begin[0]?.id ?? null;
  return post.draft ? { stateId: null, initStateId: id } : { stateId: id, initStateId: null };
}
