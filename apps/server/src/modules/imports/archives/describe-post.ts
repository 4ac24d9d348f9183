/** A post in the form of the archive of its community. Pure, but for the keys that it gives. */
import { type JsonValue, PostType, Visibility } from '@portico/contract';
import { type DeltaOp, parseDelta } from '@portico/platform/richtext';
import type { CommunityDefinition, FieldDefinition } from '../../communities/index.ts';
import { fieldKindOf } from './archived-fields.ts';
import type { CommentRow, EventRow, FileRow, PostRow } from './archived-rows.repository.ts';
import { ARCHIVED_TYPES } from './archived-rows.repository.ts';
import type { ArchivedComment, ArchivedEvent, ArchivedFile, ArchivedMeeting, ArchivedPost } from './format.ts';

/** Keys by id. The keys of people and files are given when they are asked for. */
export interface ArchiveKeys {
  person(id: number): string;
  file(storageKey: string): number;
  readonly fields: ReadonlyMap<number, string>;
  readonly states: ReadonlyMap<number, string>;
  readonly transitions: ReadonlyMap<number, string>;
  /** Keys of the values of a field. */
  values(field: FieldDefinition): ReadonlyMap<number, string>;
  /** Names of groups, and numbers of posts of the community. */
  readonly groups: ReadonlyMap<number, string>;
  readonly numbers: ReadonlyMap<number, number>;
}

/** Rows about a post. */
interface PostParts {
  readonly post: PostRow;
  readonly comments: readonly CommentRow[];
  readonly files: readonly FileRow[];
  readonly events: readonly EventRow[];
}

/** @param definition as the caller sees it: hidden fields are left out */
export function describePost(
  { post, comments, files, events }: PostParts,
  definition: CommunityDefinition,
  keys: ArchiveKeys,
): ArchivedPost {
  const { title, delta, stateId } = post;
  const state = stateId === null ? undefined : keys.states.get(stateId);
  const values = describeValues(definition.fields, post.customData, keys);
  const screenValues = describeValues(definition.workflow?.fields ?? [], post.screenData, keys);
  const own = files.filter(({ commentId }) => commentId === null);
  return {
    number: post.number,
    by: keys.person(post.creatorId),
    at: post.createdAt,
    modifiedBy: keys.person(post.modifierId),
    modifiedAt: post.modifiedAt,
    ...(title !== null && { title }),
    ...(delta !== null && { text: textOf(delta, keys) }),
    visibility: post.visibility === Visibility.PRIVATE ? 'private' : 'public',
    ...(post.announcement && { announcement: true }),
    ...(post.pinned && { pinned: true }),
    ...(state !== undefined && { state }),
    ...(Object.keys(values).length > 0 && { values }),
    ...(Object.keys(screenValues).length > 0 && { screenValues }),
    ...(post.type === PostType.EVENT && post.eventStartAt !== null && { event: meetingOf(post, post.eventStartAt) }),
    ...(own.length > 0 && { files: filesIn(own, keys) }),
    ...(comments.length > 0 && { comments: commentsIn(comments, files, keys) }),
    ...(events.length > 0 && { history: events.map((event) => eventOf(event, keys)) }),
  };
}

function describeValues(
  fields: readonly FieldDefinition[],
  stored: Readonly<Record<string, unknown>>,
  keys: ArchiveKeys,
): Record<string, JsonValue> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = stored[String(field.id)];
      const described = value === undefined || value === null ? undefined : describeValue(field, value, keys);
      return described === undefined ? [] : [[keys.fields.get(field.id)!, described] as const];
    }),
  );
}

function describeValue(field: FieldDefinition, value: unknown, keys: ArchiveKeys): JsonValue | undefined {
  const kind = fieldKindOf(field);
  if (kind === 'richText') return textOf(value as string, keys);
  if (kind === 'plain') return value as JsonValue;
  const ids = Array.isArray(value) ? (value as number[]) : [value as number];
  const known: Readonly<Record<Exclude<typeof kind, 'richText' | 'plain'>, (id: number) => JsonValue | undefined>> = {
    choice: (id) => keys.values(field).get(id),
    user: keys.person,
    group: (id) => keys.groups.get(id),
    post: (id) => keys.numbers.get(id),
  };
  const named = ids.flatMap((id) => known[kind](id) ?? []) as JsonValue[];
  if (named.length === 0) return undefined;
  return Array.isArray(value) ? named : named[0];
}

/** Returns a stored delta with keys of people in its mentions. */
function textOf(delta: string, keys: ArchiveKeys): JsonValue[] {
  return parseDelta(delta).map((op): DeltaOp => {
    const { insert } = op;
    if (typeof insert === 'string') return op;
    if ('hashtag' in insert) return { ...op, insert: { hashtag: { value: insert.hashtag.value } } };
    if (!('mention' in insert)) return op;
    return { ...op, insert: { mention: { ...insert.mention, id: keys.person(Number(insert.mention.id)) } } };
  }) as unknown as JsonValue[];
}

const DATE_LENGTH = 10;

function meetingOf(post: PostRow, startAt: number): ArchivedMeeting {
  const allDay = post.eventAllDay === true;
  const textAt = (at: number) => {
    const text = new Date(at).toISOString();
    return allDay ? text.slice(0, DATE_LENGTH) : text;
  };
  return {
    start: textAt(startAt),
    ...(post.eventEndAt !== null && { end: textAt(post.eventEndAt) }),
    ...(post.eventTimezone !== null && !allDay && { timezone: post.eventTimezone }),
    ...(allDay && { allDay }),
    ...(post.eventLocation !== null && { location: post.eventLocation }),
  };
}

const filesIn = (files: readonly FileRow[], keys: ArchiveKeys): ArchivedFile[] =>
  files.map(({ name, storageKey }) => ({ file: keys.file(storageKey), name }));

function commentsIn(comments: readonly CommentRow[], files: readonly FileRow[], keys: ArchiveKeys): ArchivedComment[] {
  const places = new Map(comments.map(({ id }, index) => [id, index + 1]));
  const filesOf = Map.groupBy(files, ({ commentId }) => commentId);
  return comments.map(({ id, creatorId, createdAt, delta, parentId }, index) => {
    const answers = parentId === null ? undefined : places.get(parentId);
    const own = filesOf.get(id);
    return {
      by: keys.person(creatorId),
      at: createdAt,
      text: textOf(delta, keys),
      ...(answers !== undefined && answers <= index && { answers }),
      ...(own && { files: filesIn(own, keys) }),
    };
  });
}

function eventOf(event: EventRow, keys: ArchiveKeys): ArchivedEvent {
  const { typeId, at, authorId, transitionId, titleBefore, titleAfter, notes, parts } = event;
  const [kind] = Object.entries(ARCHIVED_TYPES).find(([, type]) => type === typeId)!;
  const transition = transitionId === null ? undefined : keys.transitions.get(transitionId);
  return {
    kind: kind as ArchivedEvent['kind'],
    by: keys.person(authorId),
    at,
    ...(transition !== undefined && { transition }),
    ...(titleBefore !== null && { titleBefore }),
    ...(titleAfter !== null && { titleAfter }),
    ...(notes !== null && { notes }),
    ...(parts && { parts }),
  };
}
