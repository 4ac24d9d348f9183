/** Which field of another community takes over the value of each field of a post. Pure. */
import type { FieldMappingForm } from '@portico/contract';
import type { FieldError } from '../../../kernel/errors.ts';
import { sortKey } from '../../../platform/text/index.ts';
import type { CommunityDefinition, FieldDefinition } from '../../communities/index.ts';
import { isChoice, LOST, type StoredValue, storedIds, typeOf } from '../../fields/index.ts';
import { postFields } from '../writing/index.ts';

/** A post, as far as its values go. */
interface ValuedPost {
  readonly type: number;
  readonly customData: Readonly<Record<string, unknown>>;
  readonly screenData: Readonly<Record<string, unknown>>;
}

/** The values of a post in the other community. */
export interface CarriedValues {
  customData: Record<string, StoredValue>;
  screenData: Record<string, StoredValue>;
}

/** Fields whose values a move has to map: those of posts, and, unless the communities share the workflow, those of screens. */
export function movedFields(
  definition: CommunityDefinition,
  other: CommunityDefinition,
  type: number,
): FieldDefinition[] {
  const shared = definition.workflow?.id === other.workflow?.id;
  return [...postFields(definition, type), ...(shared ? [] : (definition.workflow?.fields ?? []))];
}

/**
 * Carries the values of a post over: to the fields that the request names, else to those of the same type with the same external
 * id or label. Errors name the values that no field takes and that nobody said may be left out.
 */
export function carryValues(
  post: ValuedPost,
  [from, to]: readonly [CommunityDefinition, CommunityDefinition],
  forms: readonly FieldMappingForm[],
  errors: FieldError[],
): CarriedValues {
  const sources = movedFields(from, to, post.type);
  const targets = movedFields(to, from, post.type);
  const shared = from.workflow?.id === to.workflow?.id;
  const carried = {
    customData: {},
    screenData: shared ? { ...post.screenData } : {},
  } as CarriedValues;
  const chosen = readForms(forms, sources, targets, errors);
  const taken = new Set([...chosen.values()].map((target) => target?.id));
  for (const source of sources) {
    const value = (source.owner === 'post' ? post.customData : post.screenData)[String(source.id)] as StoredValue;
    if (value === undefined || value === null) continue;
    const explicit = chosen.get(source.id);
    if (explicit === null) continue;
    const target = explicit ?? targets.find((one) => !taken.has(one.id) && resembles(source, one));
    const moved = target === undefined ? LOST : valueIn(source, target, value);
    if (target === undefined || moved === LOST) {
      errors.push({
        field: 'fieldMapping',
        code: 'MAPPING_REQUIRED',
        defaultMessage: target
          ? `"${target.label}" of the other community cannot hold the value of "${source.label}" (${source.id}): name another field of the same type, or leave toId out to lose the value.`
          : `No field of the other community takes the value of "${source.label}" (${source.id}): name one of the same type, or leave toId out to lose the value.`,
        args: [source.id],
      });
      continue;
    }
    taken.add(target.id);
    (target.owner === 'post' ? carried.customData : carried.screenData)[String(target.id)] = moved;
  }
  return carried;
}

/** @returns the field that takes a value over by the field that holds it; null for a value that may be lost */
function readForms(
  forms: readonly FieldMappingForm[],
  sources: readonly FieldDefinition[],
  targets: readonly FieldDefinition[],
  errors: FieldError[],
): Map<number, FieldDefinition | null> {
  const chosen = new Map<number, FieldDefinition | null>();
  for (const [index, { fromId, toId }] of forms.entries()) {
    const refuse = (member: string, code: FieldError['code'], defaultMessage: string) =>
      errors.push({ field: `fieldMapping[${index}].${member}`, code, defaultMessage });
    const source = sources.find(({ id }) => id === fromId);
    const target = targets.find(({ id }) => id === toId);
    if (!source) refuse('fromId', 'UNKNOWN_REFERENCE', 'The post has no field with this id.');
    else if (chosen.has(source.id)) refuse('fromId', 'DUPLICATE_VALUE', 'The field is named twice.');
    else if (toId === undefined) chosen.set(source.id, null);
    else if (!target) refuse('toId', 'UNKNOWN_REFERENCE', 'The other community has no field with this id.');
    else if (target.type !== source.type)
      refuse('toId', 'INVALID_VALUE', `"${target.label}" has another type than "${source.label}".`);
    else if ([...chosen.values()].includes(target))
      refuse('toId', 'DUPLICATE_VALUE', 'The field takes the value of another one.');
    else chosen.set(source.id, target);
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

/** The value in a field of the same type: values of lists are found by their labels, those of a catalog stay. */
function valueIn(source: FieldDefinition, target: FieldDefinition, value: StoredValue): StoredValue | typeof LOST {
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
