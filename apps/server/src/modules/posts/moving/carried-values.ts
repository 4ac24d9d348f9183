/** Maps the value of each field of a post to a field of another community. Pure. */
import type { FieldMappingForm } from '@portico/contract';
import { sortKey } from '@portico/platform/text';
import type { FieldError, FieldErrors } from '../../../kernel/errors.ts';
import type { CommunityDefinition, FieldDefinition } from '../../communities/index.ts';
import { entityKind, isChoice, LOST, type StoredValue, storedIds, typeOf } from '../../fields/index.ts';
import { postFields } from '../writing/create-posts.ts';

/** The values of a post. */
interface ValuedPost {
  readonly type: number;
  readonly customData: Readonly<Record<string, unknown>>;
  readonly screenData: Readonly<Record<string, unknown>>;
}

/** A value of the post and the field of the other community that receives it. */
export interface CarriedValue {
  readonly source: FieldDefinition;
  readonly target: FieldDefinition;
  readonly value: StoredValue;
  /** Index of the request's item for this field; undefined: the fields were matched. */
  readonly index: number | undefined;
}

/** Returns the fields whose values a move has to map: fields of posts and of screens. */
export function movedFields(definition: CommunityDefinition, type: number): FieldDefinition[] {
  return [...postFields(definition, type), ...(definition.workflow?.fields ?? [])];
}

/**
 * Finds the target field of each value of a post: the field that the request names, else the same
 * field of a shared workflow, else a field of the same type with the same external id or label.
 * Errors name the values without a target field that the request does not allow to be lost.
 */
export function carryValues(
  post: ValuedPost,
  [from, to]: readonly [CommunityDefinition, CommunityDefinition],
  forms: readonly FieldMappingForm[],
  errors: FieldErrors,
): CarriedValue[] {
  const sources = movedFields(from, post.type);
  const targets = movedFields(to, post.type);
  const chosen = readForms(forms, sources, targets, errors);
  const taken = new Set([...chosen.values()].map((choice) => choice.target?.id));
  const carried: CarriedValue[] = [];
  for (const source of sources) {
    const value = (source.owner === 'post' ? post.customData : post.screenData)[String(source.id)] as StoredValue;
    if (value === undefined || value === null) continue;
    const explicit = chosen.get(source.id);
    if (explicit?.target === null) continue;
    const free = targets.filter(({ id }) => !taken.has(id));
    const target =
      explicit?.target ?? free.find(({ id }) => id === source.id) ?? free.find((one) => resembles(source, one));
    const moved = target === undefined ? LOST : valueIn(source, target, value);
    if (target === undefined || moved === LOST) {
      errors.push(noPlace(source, target));
      continue;
    }
    taken.add(target.id);
    carried.push({ source, target, value: moved, index: explicit?.index });
  }
  return carried;
}

/**
 * Returns the error of a value without a target. @param target the field that cannot hold it @param
 * why the reason
 */
export function noPlace(source: FieldDefinition, target?: FieldDefinition, why?: string): FieldError {
  const otherwise = `name ${target ? 'another field' : 'one'} of the same type, or leave toId out to lose the value.`;
  const begin = target
    ? `"${target.label}" of the other community cannot hold the value of "${source.label}" (${source.id})`
    : `No field of the other community takes the value of "${source.label}" (${source.id})`;
  return {
    field: 'fieldMapping',
    code: 'MAPPING_REQUIRED',
    defaultMessage: `${begin}${why ? ` (${why})` : ''}: ${otherwise}`,
    args: [source.id],
  };
}

/**
 * The request's choice for a field: the field that receives its value, or null when the value may
 * be lost.
 */
interface Choice {
  readonly target: FieldDefinition | null;
  readonly index: number;
}

const kinds = { post: 'field of posts', screen: 'field of screens' } as const;

/** @returns the choices of the request, by source field */
function readForms(
  forms: readonly FieldMappingForm[],
  sources: readonly FieldDefinition[],
  targets: readonly FieldDefinition[],
  errors: FieldErrors,
): Map<number, Choice> {
  const chosen = new Map<number, Choice>();
  for (const [index, { fromId, toId }] of forms.entries()) {
    const refuse = (member: string, code: FieldError['code'], defaultMessage: string) =>
      errors.add(`fieldMapping[${index}].${member}`, code, defaultMessage);
    const source = sources.find(({ id }) => id === fromId);
    const target = targets.find(({ id }) => id === toId);
    if (!source) refuse('fromId', 'UNKNOWN_REFERENCE', 'The post has no field with this id.');
    else if (chosen.has(source.id)) refuse('fromId', 'DUPLICATE_VALUE', 'The field is named twice.');
    else if (toId === undefined) chosen.set(source.id, { target: null, index });
    else if (!target) refuse('toId', 'UNKNOWN_REFERENCE', 'The other community has no field with this id.');
    else if (target.type !== source.type)
      refuse('toId', 'INVALID_VALUE', `"${target.label}" has another type than "${source.label}".`);
    else if (target.owner !== source.owner)
      refuse(
        'toId',
        'INVALID_VALUE',
        `"${target.label}" is a ${kinds[target.owner]}; name a ${kinds[source.owner]}, as "${source.label}" is.`,
      );
    else if ([...chosen.values()].some((choice) => choice.target === target))
      refuse('toId', 'DUPLICATE_VALUE', 'The field takes the value of another one.');
    else chosen.set(source.id, { target, index });
  }
  return chosen;
}

export const sameText = (one: string, other: string) => sortKey(one.trim()) === sortKey(other.trim());

function resembles(source: FieldDefinition, target: FieldDefinition): boolean {
  if (source.type !== target.type || source.owner !== target.owner) return false;
  return (
    (source.externalId !== null && source.externalId === target.externalId) || sameText(source.label, target.label)
  );
}

/**
 * Returns the value for a field of the same type: values of lists are found by their labels,
 * catalog entries stay.
 */
function valueIn(source: FieldDefinition, target: FieldDefinition, value: StoredValue): StoredValue | typeof LOST {
  if (source.id === target.id) return value;
  // An id of a person must not become the id of a group or post.
  if (entityKind(source) !== entityKind(target)) return LOST;
  if (!isChoice(source)) return value;
  if (source.catalogId !== target.catalogId) return LOST;
  if (source.catalogId !== null) return value;
  const ids = storedIds(value).map((id) => {
    const label = source.enumValueById.get(id)?.label;
    return target.enumValues.find((one) => !one.deleted && label !== undefined && sameText(one.label, label))?.id;
  });
  if (!ids.every((id) => id !== undefined) || ids.length === 0) return LOST;
  return typeOf(target).list ? ids : ids[0]!;
}
