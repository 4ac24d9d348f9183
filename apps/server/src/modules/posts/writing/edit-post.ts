/** Operations editCustomPost, editEventPost and editPostCustomData: replace a post's content (docs/decisions/writes.md). */
import {
  AttachmentEntityType,
  type EditCustomPostRequest,
  type EditEventPostRequest,
  type EditPostCustomDataRequest,
  HistoryType,
  PostType,
} from '@portico/contract';
import { Turns } from '@portico/platform/turns';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, forbidden } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import type { CommunityDefinition } from '../../communities/index.ts';
import { communityCapabilities } from '../../communities/index.ts';
import { typeOf } from '../../fields/index.ts';
import { type AppliedFiles, applyFiles, changesNothing, type FilePlan, planFiles } from '../../files/index.ts';
import {
  checkTextsTogether,
  type ExistingPrincipals,
  findPrincipals,
  refreshChangedSearch,
  validateFieldData,
  writeFieldValues,
} from '../../post-parts/index.ts';
import {
  ChangeKind,
  type Content,
  type HistoryDetails,
  type HistoryEvent,
  keepVersion,
  noteModified,
  postFiles,
  recordHistory,
  recordPost,
} from '../../records/index.ts';
import { commentOnFields } from './comment-on-fields.ts';
import { postFields } from './create-posts.ts';
import { type EditedRow, mentionedIn, readInvited, replaceInvitations, replaceNames, updatePost } from './edit-rows.ts';
import { type EventFacts, readEvent } from './event-data.ts';
import { type OpenPost, openPost, type PostState, stale, storedEvent } from './open-post.ts';
import {
  ALL_RIGHTS,
  claimCover,
  readCover,
  readInitialState,
  readLinkPreview,
  readPin,
  readVisibility,
} from './post-settings.ts';
import { type Publication, readPublication } from './publication.ts';
import { findNames, namedInTexts, pickNames, readTexts } from './texts.ts';
import { applyWatchers, readWatchers, watcherListsOf, watchersOf } from './watchers.ts';

/**
 * The part that an edit replaces: all of an ordinary post, all of an event, or custom data alone.
 */
export type PostEdit =
  | { kind: 'custom'; body: EditCustomPostRequest; watchers?: WholeWatchers }
  | { kind: 'event'; body: EditEventPostRequest }
  | { kind: 'customData'; body: EditPostCustomDataRequest };

/** Watchers of a post after an edit that sends whole lists: all users, all groups or both. */
export interface WholeWatchers {
  userIds?: readonly number[];
  groupIds?: readonly number[];
  /** Watchers before the edit. */
  present: ExistingPrincipals;
}

/** A post after an edit. */
export interface EditedPost {
  postId: number;
  version: number;
  /** True when the edit changed nothing, and nothing was written (`ifChanged`). */
  unchanged?: true;
}

type Answer<T> = (write: WriteScope, post: EditedPost) => Promise<T>;

/**
 * Replaces a post. An event keeps its time, place, invitations, pin, cover and link preview.
 * Omitted custom fields are emptied (except read-only and hidden ones); watchers and attachments
 * change by their add and remove lists only; visibility, draft and scheduled publication are
 * unchanged when omitted.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN; ValidationError with all errors
 *   of the body
 */
export async function editCustomPost<T>(
  scope: Scope,
  postId: number,
  occToken: number,
  body: EditCustomPostRequest,
  answer: Answer<T>,
): Promise<T> {
  return edit(scope, postId, occToken, { kind: 'custom', body }, undefined, answer);
}

/**
 * Replaces an event, including its time and place. As {@link editCustomPost}, but an omitted
 * description is cleared; omitted `pinned` and invitations are unchanged.
 */
export async function editEventPost<T>(
  scope: Scope,
  postId: number,
  occToken: number,
  body: EditEventPostRequest,
  answer: Answer<T>,
): Promise<T> {
  return edit(scope, postId, occToken, { kind: 'event', body }, [PostType.EVENT], answer);
}

/**
 * Replaces the custom data of a post and nothing else. A non-empty `tables` is rejected
 * (docs/decisions/writes.md).
 */
export async function editPostCustomData<T>(
  scope: Scope,
  postId: number,
  occToken: number,
  body: EditPostCustomDataRequest,
  answer: Answer<T>,
): Promise<T> {
  return edit(scope, postId, occToken, { kind: 'customData', body }, undefined, answer);
}

async function edit<T>(
  scope: Scope,
  postId: number,
  occToken: number,
  change: PostEdit,
  types: readonly number[] | undefined,
  answer: Answer<T>,
): Promise<T> {
  return writeTransaction(scope, 'none', async (write) => {
    const open = await openPost(write, postId, { need: 'canModify', occToken, ...(types && { types }) });
    return answer(write, await applyEdit(write, open, change));
  });
}

/** The result of an edit, validated and not yet written. */
interface ValidatedEdit {
  row: EditedRow;
  changedFieldIds: number[];
  event: EventFacts | null;
}

/**
 * Edits a post that the write has locked (`openPost`). For an import, `trusted` checks no rights
 * and lets read-only and hidden fields be written; the author and the time are the write's.
 * `errors` are the errors that the caller found. With `ifChanged`, an edit without changes writes
 * nothing.
 */
export async function applyEdit(
  write: WriteScope,
  open: OpenPost,
  change: PostEdit,
  options: {
    trusted?: boolean;
    errors?: FieldErrors;
    ifChanged?: boolean;
    /** Removed attachments to attach again, and the field of the body that asks for it. */
    restoreFiles?: { ids: readonly number[]; field: string };
  } = {},
): Promise<EditedPost> {
  const { post, definition, acl } = open;
  const errors = options.errors ?? new FieldErrors();
  const { row, changedFieldIds, event } = await validateEdit(write, open, change, options.trusted === true, errors);
  checkTextsTogether({ ...row, unreadBytes: post.unreadBytes }, post, errors);
  const { watchers, files } = await validateLists(write, open, change, errors, options.restoreFiles);
  errors.throwIfAny();
  if (options.ifChanged) {
    const lists = [watchers?.add, watchers?.remove, files?.add, files?.update, files?.removeIds];
    const same =
      changedParts(post, row, changedFieldIds, change).length === 0 &&
      row.initStateId === post.initStateId &&
      lists.every((list) => !list?.length);
    if (same) return { postId: post.id, version: post.version, unchanged: true };
  }

  const { description } = textParts(post, row);
  const changed = { description, fieldIds: changedFieldIds };
  if (!(await updatePost(write, post.id, post.version, row, changed))) throw await stale(write, post);
  const fields = postFields(definition, post.type);
  const { grantsTouched } = await writeFieldValues(write, post.id, fields, row.customData, changedFieldIds);
  const texts = {
    ...textParts(post, row),
    values: fields.some((field) => changedFieldIds.includes(field.id) && typeOf(field).kind === 'richText'),
  };
  const replaced = replacedContent(post, row, changedFieldIds);
  let newlyMentioned: number[] = [];
  if (texts.description || texts.values) {
    const named = await namedInTexts(row.descriptionDelta, fields, row.customData);
    const found = await findNames(write, definition, [named]);
    const names = await replaceNames(write, post.id, pickNames(named, found));
    newlyMentioned = names.newlyMentioned;
    if (names.hashtagsBefore) replaced.hashtags = names.hashtagsBefore;
  }
  if (event) await replaceInvitations(write, post.id, event.invitations);
  if (row.coverContentRef !== null && row.coverContentRef !== post.coverContentRef)
    await claimCover(write, row.coverContentRef);
  const watchersPath = change.kind === 'custom' && change.watchers ? 'watcherUserIds' : undefined;
  const watchersChanged = watchers ? await applyWatchers(write, definition, post.id, watchers, watchersPath) : false;
  const applied = files ? await applyFilesOf(write, post.id, files, replaced) : undefined;
  await keepVersion(write, post, replaced);
  await refreshChangedSearch(write, post, row, definition, changedFieldIds);
  await noteModified(write, post);

  const published = post.draft && !row.draft;
  if (row.draft) newlyMentioned = [];
  else if (published) newlyMentioned = await mentionedIn(write, post.id);
  const parts = [...changedParts(post, row, changedFieldIds, change), ...(watchersChanged ? ['watchers'] : [])];
  await recordHistory(write, [
    {
      typeId: HistoryType.POST_MODIFIED,
      postId: post.id,
      communityId: post.communityId,
      details: { ...titles(post, row), changedParts: parts, changedFieldIds, ...counts(applied) },
    },
    ...newlyMentioned.map(
      (targetUserId): HistoryEvent => ({
        typeId: HistoryType.MENTIONED_IN_POST,
        postId: post.id,
        communityId: post.communityId,
        targetUserId,
      }),
    ),
  ]);
  if (!row.draft) await commentOnFields(write, post, definition.fields, changedFieldIds, row.customData);
  const readersMayDiffer =
    grantsTouched || watchersChanged || event !== null || row.visibility !== acl.visibility || row.draft !== post.draft;
  await recordPost(write, post, {
    kind: published ? ChangeKind.CREATED : ChangeKind.MODIFIED,
    readers: readersMayDiffer ? acl : undefined,
    compare: true,
  });
  return { postId: post.id, version: post.version + 1 };
}

/** Returns the content that an edit replaces in a post's row, for the version that is kept. */
function replacedContent(post: PostState, row: EditedRow, changedFieldIds: readonly number[]): Content {
  const texts = textParts(post, row);
  const event = storedEvent(post);
  return {
    ...(texts.title && { title: post.title }),
    ...(texts.description && { description: post.descriptionDelta }),
    ...Object.fromEntries(changedFieldIds.map((id) => [`field.${id}`, post.customData[id] ?? null])),
    ...(!sameEvent(event, row.event) && { event }),
  };
}

const EVENT_PARTS = ['startAt', 'endAt', 'timezone', 'allDay', 'location'] as const;

function sameEvent(before: EditedRow['event'], after: EditedRow['event']): boolean {
  return EVENT_PARTS.every((part) => before?.[part] === after?.[part]);
}

/** Changes attachments; adds the former attachments to the replaced content. */
async function applyFilesOf(
  write: WriteScope,
  postId: number,
  files: FilePlan,
  replaced: Content,
): Promise<AppliedFiles> {
  const present = changesNothing(files) ? undefined : await postFiles(write.tx, postId);
  const applied = await applyFiles(write, files, { postId });
  if (present && Object.keys(counts(applied)).length > 0) replaced.attachments = present;
  return applied;
}

async function validateEdit(
  write: WriteScope,
  { post, definition, capabilities }: OpenPost,
  change: PostEdit,
  trusted: boolean,
  errors: FieldErrors,
): Promise<ValidatedEdit> {
  const turns = new Turns();
  const before: Publication = { draft: post.draft, schedule: scheduleOf(post) };
  const row: EditedRow = { ...post, ...before, scheduleChanged: false, event: storedEvent(post) };
  const validated: ValidatedEdit = { row, changedFieldIds: [], event: null };
  if (change.kind === 'customData' && (change.body.tables?.length ?? 0) > 0) {
    errors.add('tables', 'INVALID_VALUE', 'Tables are not supported; leave them out.');
  }
  if (change.kind !== 'event') {
    const values = await validateFieldData({
      write,
      fields: postFields(definition, post.type),
      hidden: definition.hidden,
      input: change.body.customData,
      current: post.customData,
      mode: 'replace',
      deltaAreaFormat: change.body.deltaAreaFormat,
      fieldPath: 'customData',
      ...(trusted && { trusted }),
    });
    errors.push(...values.errors.list);
    row.customData = values.stored;
    validated.changedFieldIds = values.changedFieldIds;
  }
  if (change.kind === 'customData') return validated;

  const rights = trusted ? ALL_RIGHTS : communityCapabilities(write.actor, definition.community);
  if (turns.isOver) await turns.next();
  Object.assign(row, readTexts(change.body, definition, { before: post, event: change.kind === 'event' }, errors));
  row.visibility = readVisibility(
    { ...rights, editPostVisibility: rights.editPostVisibility && capabilities.canEditVisibility },
    definition,
    change.body.visibility,
    post.visibility,
    errors,
  );
  const publication = readPublication(change.body, before, write.now, errors);
  if (publication.draft && !post.draft && post.creatorId !== write.actor.userId) {
    throw forbidden('Only the author can unpublish a post.');
  }
  Object.assign(row, publication);
  row.scheduleChanged = publication.schedule?.at !== before.schedule?.at || publication.draft !== before.draft;
  if (post.draft) {
    const wanted = change.kind === 'custom' ? change.body.workflowInitStateId : undefined;
    row.initStateId = readInitialState(definition, wanted, post.initStateId, errors);
    // A post that was published before keeps the state it had reached.
    if (!publication.draft) row.stateId = post.stateId ?? row.initStateId;
  }
  if (publication.draft !== post.draft) row.publishedAt = publication.draft ? null : write.now;
  if (change.kind === 'event') {
    row.pinned = readPin(rights, change.body.pinned, post.pinned);
    row.coverContentRef = await readCover(write, change.body.coverImageContentRef, post.coverContentRef, errors);
    row.linkPreview = readLinkPreview(change.body.linkPreview, errors);
    const invited = { invitations: await readInvited(write, post.id), notifyInvited: post.eventNotifyInvited ?? false };
    validated.event = (await readEvent(write, change.body.event, invited, errors)) ?? null;
    row.event = validated.event;
  }
  return validated;
}

async function validateLists(
  write: WriteScope,
  { post, definition }: OpenPost,
  change: PostEdit,
  errors: FieldErrors,
  restored: { ids: readonly number[]; field: string } | undefined,
) {
  if (change.kind === 'customData') return {};
  const { body } = change;
  const watchers = await validateWatchers(write, definition, post.id, change, errors);
  const files = await planFiles(
    write,
    { communityId: post.communityId, postId: post.id, entityType: AttachmentEntityType.POST },
    {
      add: body.addAttachments,
      update: body.updateAttachments,
      removeIds: body.removeAttachmentIds,
      restoreIds: restored?.ids,
      ignoreUnknownRestored: true,
    },
    definition.community,
    {
      add: 'addAttachments',
      update: 'updateAttachments',
      remove: 'removeAttachmentIds',
      ...(restored && { restore: restored.field }),
    },
    errors,
  );
  return { watchers, files };
}

async function validateWatchers(
  write: WriteScope,
  definition: CommunityDefinition,
  postId: number,
  change: Exclude<PostEdit, { kind: 'customData' }>,
  errors: FieldErrors,
) {
  const { body } = change;
  const whole = change.kind === 'custom' ? change.watchers : undefined;
  const groups = change.kind === 'event' ? change.body : {};
  const lists = whole
    ? watcherListsOf(whole)
    : {
        addUserIds: body.addWatcherUserIds,
        removeUserIds: body.removeWatcherUserIds,
        addGroupIds: groups.addWatcherGroupIds,
        removeGroupIds: groups.removeWatcherGroupIds,
      };
  const { addUserIds = [], addGroupIds = [] } = lists;
  const present = whole?.present ?? (addGroupIds.length > 0 ? await watchersOf(write, postId) : undefined);
  const found = await findPrincipals(write, addUserIds, addGroupIds, present?.groups);
  const existing = {
    users: new Set([...found.users, ...(whole?.present.users ?? [])]),
    groups: new Set([...found.groups, ...(whole?.present.groups ?? [])]),
  };
  const paths = whole
    ? { users: 'watcherUserIds', groups: 'watcherGroupIds' }
    : { users: 'addWatcherUserIds', groups: 'addWatcherGroupIds' };
  return readWatchers(definition, lists, existing, paths, errors);
}

function scheduleOf(post: PostState): Publication['schedule'] {
  if (post.scheduledAt === null) return null;
  return { at: post.scheduledAt, local: post.scheduledLocal ?? '', timezone: post.scheduledTimezone ?? 'UTC' };
}

function textParts(post: PostState, row: EditedRow): { title: boolean; description: boolean } {
  return { title: row.title !== post.title, description: row.descriptionDelta !== post.descriptionDelta };
}

/** Returns the names of the changed parts, for the history. */
function changedParts(post: PostState, row: EditedRow, changedFieldIds: readonly number[], change: PostEdit): string[] {
  const texts = textParts(post, row);
  const differs: Record<string, boolean> = {
    ...texts,
    customData: changedFieldIds.length > 0,
    visibility: row.visibility !== post.visibility,
    pinned: row.pinned !== post.pinned,
    draft: row.draft !== post.draft,
    schedule: row.scheduleChanged && row.schedule?.at !== post.scheduledAt,
    coverImage: row.coverContentRef !== post.coverContentRef,
    linkPreview: JSON.stringify(row.linkPreview) !== JSON.stringify(post.linkPreview),
    event: change.kind === 'event',
  };
  return Object.keys(differs).filter((part) => differs[part]);
}

function titles(post: PostState, row: EditedRow): HistoryDetails {
  return {
    ...(post.title !== null && { titleBefore: post.title }),
    ...(row.title !== null && { titleAfter: row.title }),
  };
}

/** Returns counts of added, updated and removed attachments, for the history. */
export function counts(applied: AppliedFiles | undefined): HistoryDetails {
  if (!applied || applied.addedIds.length + applied.updatedIds.length + applied.removedIds.length === 0) return {};
  return {
    addedAttachmentsCount: applied.addedIds.length,
    removedAttachmentsCount: applied.removedIds.length,
    updatedAttachmentsCount: applied.updatedIds.length - applied.versionedIds.length,
    versionedAttachmentsCount: applied.versionedIds.length,
  };
}
