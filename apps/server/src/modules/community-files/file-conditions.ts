/** Conditions on fields, and values that transitions set, as the file of a community writes them: by key. */
import type { CommunityFileCondition, CommunityFileSetValue, FieldConditionForm } from '@portico/contract';
import type { FieldDefinition, TransitionValue } from '../communities/index.ts';
import { type FieldCondition, isChoice } from '../fields/index.ts';
import { withoutDefaults } from './file-names.ts';

/** A value as a file or a form has it. */
type Value = NonNullable<FieldConditionForm['values']>[number];

/** Keys by id, as far as fields refer to them. */
export interface FieldKeys {
  /** Names of groups. */
  readonly groups: ReadonlyMap<number, string>;
  /** Other communities, and this one. */
  readonly communities: ReadonlyMap<number, string>;
  /** Roles of the tenant. */
  readonly roles: ReadonlyMap<number, string>;
  /** Fields of posts, and of screens. */
  readonly posts: ReadonlyMap<number, string>;
  readonly screens: ReadonlyMap<number, string>;
  readonly fieldById: ReadonlyMap<number, FieldDefinition>;
  readonly catalogs: ReadonlyMap<number, string>;
  readonly entries: ReadonlyMap<number, string>;
  /** By id of the field, then of the value. */
  readonly values: ReadonlyMap<number, ReadonlyMap<number, string>>;
}

/** Values of a field as a file has them. */
function describeValues(keys: FieldKeys, fieldId: number, values: readonly Value[]): Value[] {
  const field = keys.fieldById.get(fieldId);
  if (!field || !isChoice(field)) return [...values];
  const known = field.catalogId === null ? keys.values.get(fieldId) : keys.entries;
  return values.map((id) => known?.get(id as number) ?? id);
}

/** @param owner whose conditions they are: those of fields of screens name such fields alone */
export function describeConditions(
  conditions: readonly FieldCondition[],
  keys: FieldKeys,
  owner: 'post' | 'screen' | 'transition',
): CommunityFileCondition[] {
  return conditions.flatMap(({ fieldId, operator, values }): CommunityFileCondition[] => {
    const [post, screen] = [keys.posts.get(fieldId), keys.screens.get(fieldId)];
    const key = post ?? screen;
    if (key === undefined) return [];
    const name = post === undefined && owner === 'transition' ? 'screenField' : 'field';
    return [{ [name]: key, operator, ...withoutDefaults({ values: describeValues(keys, fieldId, values) }) }];
  });
}

/** What a transition sets. */
export function describeSets(sets: readonly TransitionValue[], keys: FieldKeys): CommunityFileSetValue[] {
  return sets.flatMap(({ fieldId, source, value }): CommunityFileSetValue[] => {
    const field = keys.screens.get(fieldId);
    if (field === undefined) return [];
    const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
    return [
      { field, ...withoutDefaults({ source, values: describeValues(keys, fieldId, values) }, { source: 'value' }) },
    ];
  });
}

/** The default of a field as a file has it: with the keys of its values. */
export function describeDefault({ id, defaultValue }: FieldDefinition, keys: FieldKeys): Value | undefined {
  if (defaultValue === null) return undefined;
  const values = describeValues(keys, id, Array.isArray(defaultValue) ? defaultValue : [defaultValue]);
  return Array.isArray(defaultValue) ? values : values[0];
}

/** What keys of a file stand for, once fields and catalogs are there. */
export interface NamedFields {
  readonly posts: ReadonlyMap<string, FieldDefinition>;
  readonly screens: ReadonlyMap<string, FieldDefinition>;
  /** Ids of values of a field by key. */
  readonly valueIds: (field: FieldDefinition) => ReadonlyMap<string, number> | undefined;
}

/** A key that stands for nothing stays as it is: the form refuses it where it has it. */
function resolveValues(named: NamedFields, field: FieldDefinition | undefined, values: readonly Value[]): Value[] {
  if (!field || !isChoice(field)) return [...values];
  const ids = named.valueIds(field);
  return values.map((key) => ids?.get(String(key)) ?? key);
}

/** The default of a field, as its form has it; an empty text takes it away. */
export function resolveDefault(value: Value | undefined, named: NamedFields, field: FieldDefinition): Value {
  if (value === undefined) return '';
  const values = resolveValues(named, field, Array.isArray(value) ? value : [value]);
  return Array.isArray(value) ? values : values[0]!;
}

/** @param form the fields that `field` names; transitions name those of screens by `screenField` */
export function resolveConditions(
  conditions: readonly CommunityFileCondition[],
  named: NamedFields,
  form: 'posts' | 'screens',
): FieldConditionForm[] {
  return conditions.map(({ field, screenField, operator, values = [] }) => {
    const found = screenField === undefined ? named[form].get(field ?? '') : named.screens.get(screenField);
    return {
      fieldId: found?.id ?? 0,
      ...(operator !== undefined && { operator }),
      values: resolveValues(named, found, values),
    };
  });
}

/** What a transition sets, as its form has it. */
export function resolveSets(sets: readonly CommunityFileSetValue[], named: NamedFields) {
  return sets.map(({ field, source, values = [] }) => {
    const found = named.screens.get(field ?? '');
    return {
      fieldId: found?.id ?? 0,
      ...(source !== undefined && { source }),
      values: resolveValues(named, found, values),
    };
  });
}
