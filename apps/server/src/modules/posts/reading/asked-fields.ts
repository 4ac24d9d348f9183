/**
 * The parameter `fields` of lists and details of posts: the requested members, and the parts of the
 * row and of its references that have to be read for them.
 */
import { fieldsWithIds, mostFieldNames, type PostFieldName } from '@portico/contract';
import { nearestOf } from '@portico/platform/text';
import { type FieldError, FieldErrors, invalid } from '../../../kernel/errors.ts';
import type { CommunityDefinition, FieldDefinition } from '../../communities/index.ts';
import { ALL_PARTS, type RowPart, type RowParts } from './post-rows.repository.ts';

/** Requested values of custom fields: all, or only these fields. */
type AskedValues = 'all' | readonly number[];

/** Requested members of a post. */
export interface AskedFields {
  /** Undefined: all members that the flags include. */
  readonly names: ReadonlySet<string> | undefined;
  readonly customData: AskedValues;
  readonly screenData: AskedValues;
}

/** Everything. */
export const ALL_FIELDS: AskedFields = { names: undefined, customData: 'all', screenData: 'all' };

/** Part of the row to read for a member, beside the head of the post. */
const PART_OF: { readonly [K in PostFieldName]?: RowPart } = {
  customId: 'head',
  type: 'head',
  visibility: 'head',
  creationTimestamp: 'head',
  lastModifyTimestamp: 'head',
  lastOperationTimestamp: 'head',
  capabilities: 'head',
  draft: 'head',
  publicationTimestamp: 'head',
  importTimestamp: 'head',
  coverImage: 'cover',
  announcement: 'counts',
  event: 'event',
  watchersCount: 'counts',
  attachmentsCount: 'counts',
  imageAttachmentsCount: 'counts',
  videoAttachmentsCount: 'counts',
  commentsCount: 'counts',
  tasksCount: 'counts',
  totalStandardTasksCount: 'counts',
  likesCount: 'counts',
  descriptionPlainText: 'texts',
  descriptionDelta: 'texts',
  customData: 'customData',
  currentWorkflowScreenData: 'screenData',
  viewsCount: 'views',
  viewedByUsersCount: 'views',
  likedByMe: 'own',
  followedByMe: 'own',
  myState: 'own',
  viewedByMe: 'own',
  mainAttachment: 'main',
  mentions: 'mentions',
  watchers: 'watchers',
  watcherUsers: 'watchers',
  watcherGroups: 'watchers',
  hashtags: 'hashtags',
  commentMentions: 'commentMentions',
};

/**
 * Reads `fields`. @param allowed names of the operation
 * @throws ValidationError that names the unknown fields and lists the allowed ones
 */
export function readAskedFields(
  given: string | readonly string[] | undefined,
  allowed: readonly PostFieldName[],
): AskedFields {
  const words = (given === undefined ? [] : String(given).split(',')).map((word) => word.trim()).filter(Boolean);
  if (words.length === 0) return ALL_FIELDS;
  if (words.length > mostFieldNames)
    throw invalid('fields', 'TOO_MANY_ITEMS', `fields may name at most ${mostFieldNames} members.`);
  const withIds = fieldsWithIds.filter((name) => allowed.includes(name));
  const names = new Set<string>(['id']);
  const ids = new Map<string, number[]>();
  const errors = new FieldErrors();
  for (const word of new Set(words)) {
    const [name = '', id, ...more] = word.split('.');
    const single = id !== undefined && more.length === 0 && /^[0-9]{1,15}$/.test(id);
    const known = (allowed as readonly string[]).includes(name);
    if (known && (id === undefined || (single && (withIds as readonly string[]).includes(name)))) {
      names.add(name);
      if (single) ids.set(name, [...(ids.get(name) ?? []), Number(id)]);
      continue;
    }
    const nearest = known ? undefined : nearestOf(name, allowed);
    const choice = [...allowed, ...withIds.map((one) => `${one}.{field id}`)];
    errors.add(
      'fields',
      'UNRECOGNIZED_FIELD',
      `A post has no member ${JSON.stringify(word)} here${nearest?.alike ? `; the nearest is ${nearest.name}` : ''}. Members are ${choice.join(', ')}.`,
      choice,
    );
  }
  errors.throwIfAny();
  const whole = (name: string): AskedValues => (words.includes(name) ? 'all' : (ids.get(name) ?? []));
  return { names, customData: whole('customData'), screenData: whole('currentWorkflowScreenData') };
}

/** @throws ValidationError for ids that are no field of the community */
export function checkAskedFields(asked: AskedFields, definition: CommunityDefinition): void {
  const errors = new FieldErrors();
  errors.push(...unknownFields(asked.customData, 'customData', definition.fields));
  errors.push(...unknownFields(asked.screenData, 'currentWorkflowScreenData', definition.workflow?.fields ?? []));
  errors.throwIfAny();
}

function unknownFields(asked: AskedValues, name: string, fields: readonly FieldDefinition[]): FieldError[] {
  if (asked === 'all') return [];
  return asked
    .filter((id) => !fields.some((field) => field.id === id))
    .map((id) => ({
      code: 'UNKNOWN_FIELD',
      field: 'fields',
      customFieldId: id,
      defaultMessage: `${name} has no field ${id}; fields: ${fields.map((field) => `${field.id} (${field.label})`).join(', ') || 'there are none'}.`,
      args: fields.map((field) => field.id),
    }));
}

/** Returns whether a member is requested. */
export function isAsked({ names }: AskedFields, name: PostFieldName): boolean {
  return names === undefined || names.has(name);
}

/** Returns the parts of a row to read. @param main whether the flags include the main attachment */
export function partsOf({ names, customData, screenData }: AskedFields, main: boolean): RowParts {
  if (names === undefined) return main ? ALL_PARTS : { ...ALL_PARTS, main: false };
  const parts: { [K in RowPart]?: boolean | readonly number[] } = {};
  for (const name of names) {
    const part = PART_OF[name as PostFieldName];
    if (part) parts[part] = true;
  }
  if (parts.customData && customData !== 'all') parts.customData = customData;
  if (parts.screenData && screenData !== 'all') parts.screenData = screenData;
  // The transitions that a post offers depend on all of its values.
  return names.has('capabilities') ? { ...parts, customData: true, screenData: true, asked: true } : parts;
}

/** Returns a definition with only the fields whose values are requested. */
export function narrowed(definition: CommunityDefinition, { names, customData, screenData }: AskedFields) {
  if (names === undefined) return definition;
  const chosen = (fields: readonly FieldDefinition[], asked: AskedValues) =>
    asked === 'all' ? fields : fields.filter(({ id }) => asked.includes(id));
  const { workflow } = definition;
  return {
    ...definition,
    fields: chosen(definition.fields, names.has('customData') ? customData : []),
    workflow: workflow && {
      ...workflow,
      fields: chosen(workflow.fields, names.has('currentWorkflowScreenData') ? screenData : []),
    },
  };
}

/** Returns the names of the requested members. @param all names of the operation */
export function namesOf({ names }: AskedFields, all: readonly PostFieldName[]): readonly PostFieldName[] {
  return names === undefined ? all : all.filter((name) => names.has(name));
}
