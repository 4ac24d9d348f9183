/** Replaces the keys of an archived post by ids of this portal. Pure. */
import { type InputPostAttachment, type JsonValue, PostType, TextFormat, Visibility } from '@portico/contract';
import { asList } from '@portico/platform/as-list';
import type { FieldDefinition } from '../../communities/index.ts';
import type { DescribedCommunity } from '../../definitions/index.ts';
import type { PastComment } from '../../post-parts/index.ts';
import type { TrustedPost } from '../../posts/index.ts';
import { groupKey } from '../groups.ts';
import { fieldKindOf } from './archived-fields.ts';
import type { ArchivedFile, ArchivedPost } from './format.ts';

/** Ids by the keys of the archive. */
export interface ArchiveIds {
  readonly described: DescribedCommunity;
  readonly people: ReadonlyMap<string, number>;
  /** By key of the group: its id, or the reason why it cannot be named. */
  readonly groups: ReadonlyMap<string, number | string>;
  /** Uploads by the numbers of files. */
  readonly uploads: ReadonlyMap<number, string>;
  /** Time of the import, epoch milliseconds. */
  readonly importedAt: number;
}

/** A value that is left out. */
export interface LeftOut {
  readonly column: string;
  readonly value?: unknown;
  readonly reason: string;
}

/** A post as verbs take it. */
export interface ReadyPost {
  readonly post: TrustedPost;
  /** Values of the fields of screens, by id as text. */
  readonly screenData: Readonly<Record<string, JsonValue>>;
  readonly attachments: readonly InputPostAttachment[];
  readonly comments: readonly PastComment[];
  readonly leftOut: readonly LeftOut[];
}

/** @param without ids of fields whose values are left out */
export function readArchived(
  post: ArchivedPost,
  clientUid: string,
  ids: ArchiveIds,
  without: ReadonlySet<string>,
): ReadyPost {
  const leftOut: LeftOut[] = [];
  const { fields, screenFields, states } = ids.described.ids;
  const text = (ops: readonly JsonValue[]) => JSON.stringify(ops.map((op) => withMention(op, ids)));
  const stateId = post.state === undefined ? undefined : states.get(post.state);
  if (post.state !== undefined && stateId === undefined)
    leftOut.push({ column: 'state', value: post.state, reason: 'the workflow has no such state' });
  const data = (values: ArchivedPost['values'], known: ReadonlyMap<string, FieldDefinition>) =>
    readValues(values ?? {}, known, ids, leftOut, text);
  const customData = data(post.values, fields);
  for (const id of without) delete customData[id];
  return {
    post: {
      clientUid,
      imported: { number: post.number, at: ids.importedAt },
      type: post.event ? PostType.EVENT : PostType.CUSTOM,
      ...(post.title !== undefined && { title: post.title }),
      ...(post.text && { description: text(post.text), descriptionFormat: TextFormat.DELTA }),
      ...(!post.event && { customData }),
      ...(post.event && { event: eventOf(post.event) }),
      creatorId: ids.people.get(post.by)!,
      at: post.at,
      visibility: post.visibility === 'private' ? Visibility.PRIVATE : Visibility.PUBLIC,
      announcement: post.announcement ?? false,
      pinned: post.pinned ?? false,
      ...(stateId !== undefined && { stateId }),
    },
    screenData: data(post.screenValues, screenFields),
    attachments: filesOf(post.files, ids),
    comments: (post.comments ?? []).map(({ by, at, text: ops, answers, files }) => ({
      authorId: ids.people.get(by)!,
      at,
      comment: text(ops),
      answers: answers === undefined ? undefined : answers - 1,
      attachments: filesOf(files, ids),
    })),
    leftOut,
  };
}

function filesOf(files: readonly ArchivedFile[] = [], { uploads }: ArchiveIds): InputPostAttachment[] {
  return files.flatMap(({ file, name }) => {
    const contentRef = uploads.get(file);
    return contentRef === undefined ? [] : [{ contentRef, name }];
  });
}

function eventOf({ start, end, timezone, allDay, location }: NonNullable<ArchivedPost['event']>) {
  return {
    startAt: { localDatetime: start },
    ...(end !== undefined && { endAt: { localDatetime: end } }),
    ...(timezone !== undefined && { timezone }),
    ...(allDay && { allDay }),
    ...(location !== undefined && { location }),
  };
}

/** Returns an operation of a delta with the id of the mentioned user. Deltas are checked where they are read. */
function withMention(op: JsonValue, { people }: ArchiveIds): JsonValue {
  const insert = (op as { insert?: unknown } | null)?.insert;
  if (typeof insert !== 'object' || insert === null || !('mention' in insert)) return op;
  const mention = (insert as { mention: unknown }).mention as { id?: unknown } | null;
  const id = people.get(String(mention?.id));
  if (id === undefined) return { ...(op as object), insert: `@${(mention as { value?: unknown } | null)?.value}` };
  return { ...(op as object), insert: { mention: { ...mention, id } } } as JsonValue;
}

function readValues(
  values: NonNullable<ArchivedPost['values']>,
  known: ReadonlyMap<string, FieldDefinition>,
  ids: ArchiveIds,
  leftOut: LeftOut[],
  text: (ops: readonly JsonValue[]) => string,
): Record<string, JsonValue> {
  const read: Record<string, JsonValue> = {};
  for (const [column, value] of Object.entries(values)) {
    const field = known.get(column);
    if (!field) {
      leftOut.push({ column, value, reason: 'the community has no such field' });
      continue;
    }
    const kind = fieldKindOf(field);
    // Posts are named once all of them are there.
    if (kind === 'post') continue;
    if (kind === 'plain') read[String(field.id)] = value;
    else if (kind === 'richText') {
      if (Array.isArray(value)) read[String(field.id)] = text(value);
      else leftOut.push({ column, value, reason: 'it is no rich text' });
    } else {
      const found = asList<JsonValue>(value).flatMap((key) => {
        const id = idOf(field, kind, String(key), ids);
        if (typeof id === 'number') return [id];
        leftOut.push({ column, value: key, reason: id });
        return [];
      });
      if (found.length > 0) read[String(field.id)] = Array.isArray(value) ? found : found[0]!;
    }
  }
  return read;
}

/** @returns an id, or the reason why there is none */
function idOf(
  field: FieldDefinition,
  kind: 'choice' | 'user' | 'group',
  key: string,
  ids: ArchiveIds,
): number | string {
  if (kind === 'user') return ids.people.get(key) ?? 'the archive names nobody so';
  if (kind === 'group') return ids.groups.get(groupKey(key)) ?? 'no group has this name';
  return ids.described.valueIds(field).get(key) ?? 'it is not among the values of the field';
}
