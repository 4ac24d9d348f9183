/** Replaces the labels, names and external ids of a row by ids of the portal. Pure. */
import { fieldTypes, type JsonValue, TextFormat } from '@portico/contract';
import type { FieldError } from '../../kernel/errors.ts';
import type { TrustedPost } from '../posts/index.ts';
import { groupKey } from './groups.ts';
import { type PersonName, personKey } from './mapping/values.ts';
import { type PortalIds, unusableKey } from './prepared.ts';
import type { RowData } from './rows.ts';
import { labelKey, parentKey } from './scan.ts';
import { ValueProblem } from './source/errors.ts';
import type { FieldMapping, Mapping } from './source/mapping-types.ts';

/** References to posts of one row, by key of the field. */
export type PostReferences = ReadonlyMap<string, readonly string[]>;

export interface Assembled {
  readonly post: TrustedPost;
  /** References to posts; `post.customData` too holds the references resolved so far. */
  readonly references: PostReferences;
  /** Values omitted because of the mapping's `onError: drop`. */
  readonly dropped: readonly ValueProblem[];
}

/**
 * @param postIds known posts by external id
 * @param without keys of omitted fields
 * @throws ValueProblem for a name or value that could not be created
 */
export function assemble(
  mapping: Mapping,
  portalIds: PortalIds,
  data: RowData,
  postIds: ReadonlyMap<string, number>,
  without: ReadonlySet<string>,
): Assembled {
  const creatorId = data.author && personId(portalIds, data.author, mapping.author?.name.name ?? 'author');
  const at = data.created ?? data.modified;
  const fields = mapping.fields.filter(({ key }) => !without.has(key));
  const { customData, ...others } = assembleFields({ ...mapping, fields }, portalIds, data, postIds);
  for (const name of data.hashtags) {
    const reason = portalIds.unusable.get(unusableKey('hashtag', name));
    if (reason !== undefined) throw new ValueProblem(mapping.hashtags!.name, name, reason);
  }
  const stateId = data.state === undefined ? undefined : stateOf(mapping, portalIds, data.state);
  const watcherUserIds = data.watchers.map((who) => {
    const column = mapping.watchers!.name;
    if (who.deleted)
      throw new ValueProblem(column, who.name, 'a deleted person watches no post; leave it out by "map"');
    return personId(portalIds, who, column);
  });
  return {
    post: {
      clientUid: data.externalId,
      title: data.title,
      ...(data.body !== undefined && { description: data.body, descriptionFormat: TextFormat.DELTA }),
      customData,
      creatorId,
      at,
      visibility: data.visibility,
      draft: data.draft,
      pinned: data.pinned,
      announcement: data.announcement,
      watcherUserIds: watcherUserIds.length > 0 ? [...new Set(watcherUserIds)] : undefined,
      stateId,
    },
    ...others,
  };
}

function assembleFields(mapping: Mapping, portalIds: PortalIds, data: RowData, postIds: ReadonlyMap<string, number>) {
  const customData: Record<string, JsonValue> = {};
  const references = new Map<string, readonly string[]>();
  const dropped: ValueProblem[] = [];
  for (const field of mapping.fields) {
    const given = data.fields[field.key];
    if (!given) continue;
    if (given.kind === 'posts') references.set(field.key, given.externalIds);
    try {
      const value = assembleValue(mapping, portalIds, data, field, postIds);
      if (value !== undefined) customData[String(portalIds.fieldIds.get(field.key))] = value;
    } catch (error) {
      if (!(error instanceof ValueProblem) || field.onError === 'refuse') throw error;
      dropped.push(error);
    }
  }
  return { customData, references, dropped };
}

/** @throws ValueProblem */
function assembleValue(
  mapping: Mapping,
  portalIds: PortalIds,
  data: RowData,
  field: FieldMapping,
  postIds: ReadonlyMap<string, number>,
): JsonValue | undefined {
  const value = data.fields[field.key]!;
  if (value.kind === 'plain') return value.value;
  if (value.kind === 'people')
    return [...new Set(value.people.map((who) => personId(portalIds, who, field.source.name)))];
  if (value.kind === 'groups') {
    const ids = value.names.map((name) => {
      const id = portalIds.groups.get(groupKey(name));
      if (typeof id === 'number') return id;
      throw new ValueProblem(field.source.name, name, id ?? 'no group has this name');
    });
    return [...new Set(ids)];
  }
  if (value.kind === 'labels') {
    const parent = parentKey(mapping, data, field);
    const ids = value.labels.map((label) => labelId(portalIds, field.key, field.source.name, label, parent));
    return fieldTypes[field.type].list ? ids : ids[0]!;
  }
  const ids = value.externalIds.flatMap((externalId) => postIds.get(externalId) ?? []);
  return ids.length > 0 ? ids : undefined;
}

/**
 * Returns the fields to omit because of errors of a write verb.
 * @returns their keys; undefined if an error concerns anything except a field with `onError: drop`
 */
export function droppable(mapping: Mapping, portalIds: PortalIds, errors: readonly FieldError[]): string[] | undefined {
  const fields = errors.map((error) => fieldOf(mapping, portalIds, error));
  return fields.every((field) => field?.onError === 'drop') ? fields.map((field) => field!.key) : undefined;
}

function fieldOf(mapping: Mapping, portalIds: PortalIds, error: FieldError): FieldMapping | undefined {
  const id = /^customData\.(\d+)/.exec(error.field)?.[1];
  return id === undefined ? undefined : mapping.fields.find(({ key }) => String(portalIds.fieldIds.get(key)) === id);
}

/** @throws ValueProblem */
export function personId(portalIds: PortalIds, who: PersonName, column: string): number {
  const key = personKey(who);
  const id = portalIds.people.get(key);
  if (id !== undefined) return id;
  throw new ValueProblem(
    column,
    who.email ?? who.name,
    portalIds.unusable.get(unusableKey('person', key)) ?? 'no user has this name',
  );
}

function stateOf(mapping: Mapping, portalIds: PortalIds, name: string): number {
  const id = portalIds.states.get(name);
  if (id !== undefined) return id;
  const reason = portalIds.unusable.get(unusableKey('state', name));
  throw new ValueProblem(
    mapping.state!.name,
    name,
    reason ?? `the workflow has no such state; it has: ${[...portalIds.states.keys()].join(', ')}`,
  );
}

const MOST_NAMED = 20;

/** The first labels of a field, in words. */
function some(labels: ReadonlyMap<string, number>): string {
  // They were read from the last to the first.
  const names = [...labels.keys()]
    .reverse()
    .slice(0, MOST_NAMED)
    .map((label) => label.replaceAll('\0', ' / '));
  return `${names.join(', ')}${labels.size > MOST_NAMED ? ', …' : ''}` || 'none';
}

function labelId(
  portalIds: PortalIds,
  field: string,
  column: string,
  label: string,
  parent: string | undefined,
): number {
  const ids = portalIds.labels.get(field)!;
  const key = labelKey(label, parent);
  const id = ids.get(key) ?? (parent === undefined ? undefined : ids.get(labelKey(label, undefined)));
  if (id !== undefined) return id;
  const reason = portalIds.unusable.get(unusableKey(field, key));
  throw new ValueProblem(
    column,
    label,
    reason ?? `it is not among the values of the field, and addValues is false; it has: ${some(ids)}`,
  );
}

/** The column that an error of a write verb is about. */
export function columnOf(mapping: Mapping, portalIds: PortalIds, error: FieldError): string | undefined {
  const field = fieldOf(mapping, portalIds, error);
  if (field) return field.source.name;
  if (error.field === 'title') return mapping.title?.name;
  if (error.field === 'description') return mapping.body?.source.name;
  if (error.field === 'clientUid') return mapping.externalId.name;
  if (error.field === 'visibility') return mapping.visibility?.name;
  return error.field.startsWith('watcher') ? mapping.watchers?.name : undefined;
}

/** The value of a row that such an error is about, as far as it is short enough to name. */
export function givenValue(mapping: Mapping, portalIds: PortalIds, data: RowData, error: FieldError): unknown {
  const field = fieldOf(mapping, portalIds, error);
  if (field) {
    const value = data.fields[field.key];
    if (value?.kind === 'plain') return value.value;
    if (value?.kind === 'labels') return value.labels.join(', ');
    return value?.kind === 'posts' ? value.externalIds.join(', ') : undefined;
  }
  if (error.field === 'title') return data.title;
  return error.field === 'clientUid' ? data.externalId : undefined;
}
