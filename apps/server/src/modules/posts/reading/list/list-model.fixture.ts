/**
 * The expected content of lists of posts, computed by a filter and a sort over objects: no index,
 * no plan, no page.
 */

import {
  type AcknowledgeTaskFilter,
  type CommunityAttachmentFilters,
  type CommunityPostFilters,
  type CustomFieldFilter,
  FieldType,
  FilterType,
  type JsonValue,
  MimeKind,
} from '@portico/contract';
import { compare } from '@portico/platform/compare';
import { finishAtOnce } from '@portico/platform/parts';
import { compareSortKeys, normaliseText, searchTerms, sortKeyWithTies } from '@portico/platform/text';
import { matchesSearch } from '@portico/platform/text/search.fixture';
import {
  grantsOf,
  holds,
  type LoadedAttachment,
  type LoadedPost,
  titleKeyOf,
} from '../../../../../test/support/post-loader.ts';
import { seesPost } from '../../../../kernel/access/index.ts';
import type { Actor } from '../../../../kernel/scope.ts';
import type { FieldDefinition } from '../../../communities/index.ts';
import { storedText } from '../../../fields/field-types.ts';
import { entityKind, holdsText, isChoice, storedIds, typeOf } from '../../../fields/index.ts';
import { fieldRules, postCapabilities, searchTexts } from '../../../post-parts/index.ts';
import { labelKeyOf, type RandomCommunity } from '../reading.fixture.ts';

const DAY_MS = 86_400_000;

export interface ModelQuery {
  flat: CommunityPostFilters;
  nested?: CommunityPostFilters;
  attachments?: CommunityAttachmentFilters;
  orderBy: string;
  orderDesc: boolean;
  pinnedFirst: boolean;
}

/**
 * Caches the result of `make` for a post and a caller, which thousands of cases need. Posts do not
 * change; a changed definition has posts of its own.
 */
function keptByPost<T>(
  make: (world: RandomCommunity, actor: Actor, post: LoadedPost) => T,
): (world: RandomCommunity, actor: Actor, post: LoadedPost) => T {
  const kept = new WeakMap<LoadedPost, Map<Actor, T>>();
  return (world, actor, post) => {
    const byActor = kept.get(post) ?? new Map<Actor, T>();
    kept.set(post, byActor);
    const known = byActor.get(actor);
    if (known !== undefined) return known;
    const made = make(world, actor, post);
    byActor.set(actor, made);
    return made;
  };
}

function isGranted(actor: Actor, post: LoadedPost, definition: RandomCommunity['definition']): boolean {
  return seesPost(actor, {
    communityId: definition.id,
    creatorId: post.creatorId,
    visibility: post.visibility,
    draft: post.draft,
    deleted: post.deleted,
    principals: grantsOf(post, definition).map((grant) => grant.principal),
  });
}

const sees = keptByPost((world, actor, post) => isGranted(actor, post, world.definition));
const seesElsewhere = keptByPost((world, actor, post) => isGranted(actor, post, world.elsewhere.definition));

/** Whether the caller may run a transition of a post's workflow. */
const runs = keptByPost(
  (world, actor, post) =>
    postCapabilities(actor, world.definition, { ...post, communityId: world.communityId, asked: false }).transitions
      .length > 0,
);

/** Returns whether the caller sees the object of an id in a list of people, groups or posts. */
function isVisible(world: RandomCommunity, actor: Actor, field: FieldDefinition, id: number): boolean {
  const { elsewhere, gone } = world;
  switch (entityKind(field)) {
    case 'user':
      return gone.userIds.includes(id) || world.userIds.includes(id);
    case 'group':
      return gone.groupIds.includes(id) || world.groupMembers.has(id);
    default: {
      const here = world.posts.find((post) => post.id === id);
      if (here) return !here.draft && sees(world, actor, here);
      const there = elsewhere.posts.find((post) => post.id === id);
      return there !== undefined && seesElsewhere(world, actor, there);
    }
  }
}

/** Returns the references of a field of a post that the caller sees. */
export function shownReferences(
  world: RandomCommunity,
  actor: Actor,
  field: FieldDefinition,
  post: LoadedPost,
): number[] {
  return storedIds(valueOfPost(field, post) ?? []).filter((id) => isVisible(world, actor, field, id));
}

/** Ids of all posts of a list, in order. */
export function expectedIds(world: RandomCommunity, actor: Actor, query: ModelQuery): number[] {
  const [flat, nested] = [query.flat, query.nested ?? {}];
  // A flag that modifies a filter of the other place applies there too, unless that place has its
  // own.
  const steer = (own: CommunityPostFilters, other: CommunityPostFilters) => ({
    ...own,
    hashtagsLogicalAnd: own.hashtagsLogicalAnd ?? other.hashtagsLogicalAnd,
    includeStatelessPosts: own.includeStatelessPosts ?? other.includeStatelessPosts,
  });
  const both = [steer(flat, nested), steer(nested, flat)];
  const drafts = both.some((filters) => filters.draft === true || filters.draftType !== undefined);
  const seen = world.posts.filter((post) => {
    if (post.draft !== drafts) return false;
    return sees(world, actor, post);
  });
  const kept = seen.filter(
    (post) =>
      both.every((filters) => fitsPost(world, actor, post, filters)) &&
      (!query.attachments || fitsAttachments(world, post, query.attachments)),
  );
  const key = keyOf(world, actor, query.orderBy);
  const sign = query.orderDesc ? -1 : 1;
  return kept
    .map((post) => ({ post, key: key(post) }))
    .sort((a, b) => {
      if (query.pinnedFirst && a.post.pinned !== b.post.pinned) return a.post.pinned ? -1 : 1;
      if ((a.key === null) !== (b.key === null)) return a.key === null ? 1 : -1;
      return sign * (compareKeys(a.key ?? [], b.key ?? []) || a.post.id - b.post.id);
    })
    .map(({ post }) => post.id);
}

type Key = readonly (number | bigint | string)[];

function compareKeys(a: Key, b: Key): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] as typeof left;
    const order = typeof left === 'string' ? compareSortKeys(left, right as string) : compare(left, right);
    if (order !== 0) return order;
  }
  return 0;
}

/** Returns the sort key of a post, or null if it has no value. */
function keyOf(world: RandomCommunity, actor: Actor, orderBy: string): (post: LoadedPost) => Key | null {
  const state = (name: 'viewedAt' | 'modifiedAt' | 'commentedAt') => (post: LoadedPost) => {
    const at = post.states.find((entry) => entry.userId === actor.userId)?.[name] ?? null;
    return at === null ? null : [at];
  };
  const user = (id: number) => {
    const { last, first } = world.userKeys.get(id)!;
    return [last, first];
  };
  switch (orderBy) {
    case 'postCustomId':
      return (post) => [post.customNo];
    case 'postTitle':
      return (post) => (titleKeyOf(post.title) === '' ? null : [titleKeyOf(post.title)]);
    case 'postCreatorUser':
      return (post) => user(post.creatorId);
    case 'postCreationTimestamp':
      return (post) => [post.createdAt];
    case 'postLastModifyUser':
      return (post) => user(post.modifierId);
    case 'postLastModifyTimestamp':
      return (post) => [post.modifiedAt];
    case 'postLastModifyAndCommentTimestamp':
      return (post) => [post.activeAt];
    case 'postViewedByMeTimestamp':
      return state('viewedAt');
    case 'postModifiedByMeTimestamp':
      return state('modifiedAt');
    case 'postCommentedByMeTimestamp':
      return state('commentedAt');
    case 'postScheduledPublication':
      return (post) => (post.scheduledAt === null ? null : [post.scheduledAt]);
    case 'postRecency':
      return (post) => [post.recentAt];
    default: {
      const id = Number(orderBy.split('-')[1]);
      const field = fieldsOf(world).find((candidate) => candidate.id === id)!;
      return (post) => fieldKey(world, field, post);
    }
  }
}

function fieldsOf(world: RandomCommunity): FieldDefinition[] {
  return [...world.definition.fields, ...(world.definition.workflow?.fields ?? [])];
}

function valueOfPost(field: FieldDefinition, post: LoadedPost) {
  return (field.owner === 'post' ? post.customData : post.screenData)[String(field.id)];
}

function fieldKey(world: RandomCommunity, field: FieldDefinition, post: LoadedPost): Key | null {
  const value = valueOfPost(field, post);
  if (value === undefined) return null;
  if (holdsText(field)) return [sortKeyOfValue(field, value)];
  if (isChoice(field)) return [labelKeyOf(world, field, value as number)];
  if (field.type === FieldType.FLAG) return [value ? 1 : 0];
  return field.type === FieldType.BIGINT ? [BigInt(value as string | number)] : [value as number];
}

function sortKeyOfValue(field: FieldDefinition, value: Parameters<typeof storedText>[1]): string {
  return sortKeyWithTies(storedText(field, value));
}

const within = (at: number | null, from: number | undefined, to: number | undefined) =>
  at !== null && (from === undefined || at >= from) && (to === undefined || at <= to);

function fitsPost(world: RandomCommunity, actor: Actor, post: LoadedPost, f: CommunityPostFilters): boolean {
  const given = (list: readonly unknown[] | undefined) => list !== undefined && list.length > 0;
  const memberOf = (groups: readonly number[]) =>
    groups.some((id) => world.groupMembers.get(id)?.includes(post.creatorId));
  const openTasks = () =>
    post.tasks.filter((task) => !task.deleted && !task.closed && actor.principals.includes(task.assignee));
  const hashtags = (all: boolean | undefined, ids: readonly number[]) =>
    all ? ids.every((id) => post.hashtagIds.includes(id)) : ids.some((id) => post.hashtagIds.includes(id));
  return (
    (!f.title || holds(post.title ?? '', f.title)) &&
    (!f.description || holds(post.descriptionText ?? '', f.description)) &&
    (!f.containsText || matchesSearch(documentOf(world, post), searchTerms(f.containsText))) &&
    (f.createdByUserId === undefined || post.creatorId === f.createdByUserId) &&
    (!given(f.createdByUserIds) || f.createdByUserIds!.includes(post.creatorId)) &&
    (!given(f.createdByGroupIds) || memberOf(f.createdByGroupIds!)) &&
    (f.modifiedByUserId === undefined || post.modifierId === f.modifiedByUserId) &&
    within(post.createdAt, f.creationTimestampFrom, f.creationTimestampTo) &&
    within(post.modifiedAt, f.modifiedTimestampFrom, f.modifiedTimestampTo) &&
    (!f.followedByMe || post.watchers.includes(actor.userId)) &&
    (!f.mentioned || [...post.mentions, ...post.commentMentions].includes(actor.userId)) &&
    (!f.toManageProcesses || runs(world, actor, post)) &&
    (!f.toManageStandardTasks || openTasks().some((task) => task.type === 1)) &&
    (!f.toManage || runs(world, actor, post) || openTasks().length > 0) &&
    (!given(f.currentWorkflowStatusIds) ||
      (post.stateId === null
        ? f.includeStatelessPosts === true
        : f.currentWorkflowStatusIds!.includes(post.stateId))) &&
    (!given(f.postTypes) || f.postTypes!.includes(post.type)) &&
    (!given(f.postSurveyTypes) || (post.surveyType !== null && f.postSurveyTypes!.includes(post.surveyType))) &&
    (f.draftType === undefined || (f.draftType === 2) === (post.scheduledAt !== null)) &&
    (!f.onlyPinned || post.pinned) &&
    (f.postId === undefined || post.id === f.postId) &&
    (!given(f.postIds) || f.postIds!.includes(post.id)) &&
    (!given(f.hashtagIds) || hashtags(f.hashtagsLogicalAnd, f.hashtagIds!)) &&
    (f.visibility === undefined || post.visibility === f.visibility) &&
    fitsEvent(post, f) &&
    fitsAcknowledgement(actor, post, f.acknowledgeTaskFilter) &&
    [...(f.postFieldFilters ?? []), ...(f.screenFieldFilters ?? [])].every((filter) =>
      fitsField(world, actor, post, filter),
    )
  );
}

/**
 * The search document of each post, cached: posts of a world never change, and thousands of cases
 * need it.
 */
const documents = new WeakMap<LoadedPost, string>();

function documentOf(world: RandomCommunity, post: LoadedPost): string {
  let doc = documents.get(post);
  if (doc === undefined) {
    ({ doc } = finishAtOnce(searchTexts(post, fieldRules(world.definition))));
    documents.set(post, doc);
  }
  return doc;
}

function fitsEvent(post: LoadedPost, { eventPostFilter: f }: CommunityPostFilters): boolean {
  if (!f) return true;
  const start = post.eventStartAt;
  const last = post.eventEndAt ?? start;
  // A whole day lasts to its end.
  const end = last !== null && post.eventAllDay ? last + DAY_MS - 1 : last;
  const dated = [f.startDateFrom, f.startDateTo, f.endDateFrom, f.endDateTo].some((bound) => bound !== undefined);
  return (
    (!dated || (within(start, f.startDateFrom, f.startDateTo) && within(end, f.endDateFrom, f.endDateTo))) &&
    (!f.location || (post.type === 2 && holds(post.eventLocation, f.location.trim())))
  );
}

function fitsAcknowledgement(actor: Actor, post: LoadedPost, f: AcknowledgeTaskFilter | undefined): boolean {
  if (!f || (f.confirmed === undefined && !f.assignedToMe)) return true;
  return post.tasks.some(
    (task) =>
      task.type === 2 &&
      !task.deleted &&
      (f.confirmed === undefined || task.closed === f.confirmed) &&
      (!f.assignedToMe || actor.principals.includes(task.assignee)),
  );
}

const nonEmpty = <T>(list: T[]) => (list.length > 0 ? list : undefined);

function fitsField(world: RandomCommunity, actor: Actor, post: LoadedPost, filter: CustomFieldFilter): boolean {
  const field = fieldsOf(world).find((candidate) => candidate.id === filter.columnId)!;
  const references = field.type === FieldType.GENERIC_ENTITY_LIST;
  const shown = references ? shownReferences(world, actor, field, post) : undefined;
  const value = shown ? nonEmpty(shown) : valueOfPost(field, post);
  const named = (filter.parameters ?? []) as JsonValue[];
  const all = references ? named.filter((id) => isVisible(world, actor, field, id as number)) : named;
  const [first, second] = all;
  if (filter.typeId === FilterType.IS_EMPTY) return value === undefined;
  if (value === undefined) return filter.typeId === FilterType.IS_NULL_OR_IN;
  if (holdsText(field)) {
    const text = storedText(field, value);
    return filter.typeId === FilterType.EQUAL
      ? text === first
      : normaliseText(text).includes(normaliseText(String(first)));
  }
  if (field.type === FieldType.FLAG) return value === first;
  if (typeOf(field).list) {
    const ids = storedIds(value);
    if (filter.typeId === FilterType.EQUAL) return ids.length === 1 && ids[0] === first;
    return all.some((id) => ids.includes(id as number));
  }
  const number = (wanted: JsonValue) => (field.type === FieldType.BIGINT ? BigInt(wanted as string) : wanted) as number;
  const held = number(value as JsonValue);
  if (filter.typeId === FilterType.INTERVAL) {
    return (first === null || held >= number(first!)) && (second === null || held <= number(second!));
  }
  return all.some((wanted) => number(wanted) === held);
}

function fitsAttachments(world: RandomCommunity, post: LoadedPost, f: CommunityAttachmentFilters): boolean {
  const given = (list: readonly unknown[] | undefined) => list !== undefined && list.length > 0;
  const active = Object.entries(f).some(
    ([name, value]) =>
      name !== 'hashtagsLogicalAnd' && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  if (!active) return true;
  let entities: readonly number[] = [1];
  if (given(f.entityTypes)) entities = f.entityTypes!;
  else if (f.postFilePickerFieldId !== undefined) entities = [4];
  else if (f.wfScreenFilePickerFieldId !== undefined) entities = [5];
  const fits = (a: LoadedAttachment) =>
    !a.deleted &&
    (given(f.types) ? f.types! : [1]).includes(a.type) &&
    entities.includes(a.entityType) &&
    (!f.name || holds(a.name, f.name)) &&
    (f.createdByUserId === undefined || a.creatorId === f.createdByUserId) &&
    (!given(f.createdByUserIds) || f.createdByUserIds!.includes(a.creatorId)) &&
    (!given(f.createdByGroupIds) ||
      f.createdByGroupIds!.some((id) => world.groupMembers.get(id)?.includes(a.creatorId))) &&
    (!given(f.mimeTypes) || f.mimeTypes!.some((kind) => isOfKind(a.mimeType, kind))) &&
    (f.mimeTypeCategory === undefined || (f.mimeTypeCategory === 'multimedia') === a.kind < 4) &&
    (!f.excludeFilePickers || a.entityType < 4) &&
    within(a.createdAt, f.creationTimestampFrom, f.creationTimestampTo) &&
    within(a.modifiedAt, f.modifiedTimestampFrom, f.modifiedTimestampTo) &&
    (f.modifiedByUserId === undefined || a.modifierId === f.modifiedByUserId) &&
    (f.postFilePickerFieldId === undefined || a.fieldId === f.postFilePickerFieldId) &&
    (f.wfScreenFilePickerFieldId === undefined || a.fieldId === f.wfScreenFilePickerFieldId) &&
    (!given(f.hashtagIds) ||
      (f.hashtagsLogicalAnd
        ? f.hashtagIds!.every((id) => a.hashtagIds.includes(id))
        : f.hashtagIds!.some((id) => a.hashtagIds.includes(id))));
  return post.attachments.some(fits);
}

/** The media types that the fixture uses, by kind. */
function isOfKind(mimeType: string, kind: number): boolean {
  const kinds: Record<string, readonly number[]> = {
    'image/png': [MimeKind.IMAGE],
    'video/mp4': [MimeKind.VIDEO],
    'audio/mpeg': [MimeKind.AUDIO],
    'application/pdf': [MimeKind.PDF],
    'text/csv': [MimeKind.TEXT, MimeKind.SPREADSHEET],
    'application/zip': [MimeKind.ARCHIVE],
  };
  return (kinds[mimeType] ?? []).includes(kind);
}
