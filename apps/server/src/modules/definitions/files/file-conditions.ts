/** Conditions on fields, and values that transitions set, in the form of a file: by key. */
import type { CommunityFileCondition, CommunityFileSetValue, FieldConditionForm } from '@portico/contract';
import { asList } from '@portico/platform/as-list';
import { unknownName } from '@portico/platform/text';
import { FieldErrors } from '../../../kernel/errors.ts';
import type { FieldDefinition, TransitionValue } from '../../communities/index.ts';
import { type FieldCondition, holdsObjects, isChoice } from '../../fields/index.ts';
import { withoutDefaults } from './file-names.ts';

/** A value in a file or a form. */
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

/** Returns values of a field in the form of a file. */
export function describeValues(keys: FieldKeys, fieldId: number, values: readonly Value[]): Value[] {
  const field = keys.fieldById.get(fieldId);
  if (!field || !isChoice(field)) return [...values];
  const known = field.catalogId === null ? keys.values.get(fieldId) : keys.entries;
  return values.map((id) => known?.get(id as number) ?? id);
}

/** @param owner of the conditions: conditions of screen fields refer to screen fields only */
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

/** Returns the values that a transition sets. */
export function describeSets(sets: readonly TransitionValue[], keys: FieldKeys): CommunityFileSetValue[] {
  return sets.flatMap(({ fieldId, source, value }): CommunityFileSetValue[] => {
    const field = keys.screens.get(fieldId);
    if (field === undefined) return [];
    const values = describeValues(keys, fieldId, asList<Value>(value));
    return [{ field, ...withoutDefaults({ source, values }, { source: 'value' }) }];
  });
}

/** Returns the default of a field in the form of a file: with the keys of its values. */
export function describeDefault({ id, defaultValue }: FieldDefinition, keys: FieldKeys): Value | undefined {
  if (defaultValue === null) return undefined;
  const values = describeValues(keys, id, Array.isArray(defaultValue) ? defaultValue : [defaultValue]);
  return Array.isArray(defaultValue) ? values : values[0];
}

/** Objects by the keys of a file, once fields and catalogs are stored. */
export interface NamedFields {
  readonly posts: ReadonlyMap<string, FieldDefinition>;
  readonly screens: ReadonlyMap<string, FieldDefinition>;
  /** Returns the ids of the values of a field by key. */
  readonly valueIds: (field: FieldDefinition) => ReadonlyMap<string, number> | undefined;
}

/** Replaces keys of values by ids. @param path of the values in the file; unknown keys are errors there */
function resolveValues(
  named: NamedFields,
  field: FieldDefinition | undefined,
  values: readonly Value[],
  path: string,
  errors: FieldErrors,
): Value[] {
  if (!field || !isChoice(field) || holdsObjects(field)) return [...values];
  const ids = named.valueIds(field) ?? new Map<string, number>();
  return values.map((key, index) => {
    const id = ids.get(String(key));
    if (id === undefined)
      errors.add(
        `${path}[${index}]`,
        'UNKNOWN_REFERENCE',
        unknownName('The field', 'value', String(key), [...ids.keys()]),
      );
    return id ?? key;
  });
}

/**
 * Returns the default of a field in the form of the interface; an empty text deletes it.
 * @param path of the default in the file @throws ValidationError for values that do not exist
 */
export function resolveDefault(
  value: Value | undefined,
  named: NamedFields,
  field: FieldDefinition,
  path: string,
): Value {
  if (value === undefined) return '';
  const errors = new FieldErrors();
  const values = resolveValues(named, field, Array.isArray(value) ? value : [value], path, errors);
  errors.throwIfAny();
  return Array.isArray(value) ? values : values[0]!;
}

/**
 * @param form the fields to which `field` refers; transitions refer to screen fields by
 * `screenField`
 * @param path of the conditions in the request @throws ValidationError for values that do not exist
 */
export function resolveConditions(
  conditions: readonly CommunityFileCondition[],
  named: NamedFields,
  form: 'posts' | 'screens',
  path: string,
): FieldConditionForm[] {
  const errors = new FieldErrors();
  const resolved = conditions.map(({ field, screenField, operator, values = [] }, index) => {
    const found = screenField === undefined ? named[form].get(field ?? '') : named.screens.get(screenField);
    if (!found) {
      const known = screenField === undefined ? named[form] : named.screens;
      const member = screenField === undefined ? 'field' : 'screenField';
      const message = unknownName('The form', 'field', screenField ?? field ?? '', [...known.keys()]);
      errors.add(`${path}[${index}].${member}`, 'UNKNOWN_REFERENCE', message);
    }
    return {
      fieldId: found?.id ?? 0,
      ...(operator !== undefined && { operator }),
      values: resolveValues(named, found, values, `${path}[${index}].values`, errors),
    };
  });
  errors.throwIfAny();
  return resolved;
}

/**
 * Returns the values that a transition sets, or a template has, in the form of the interface.
 * @param path of the list in the file @param form that has the fields @throws ValidationError for values that do not exist
 */
export function resolveSets(
  sets: readonly CommunityFileSetValue[],
  named: NamedFields,
  path: string,
  form: 'posts' | 'screens' = 'screens',
) {
  const errors = new FieldErrors();
  const resolved = sets.map(({ field, source, values = [] }, index) => {
    const found = named[form].get(field ?? '');
    return {
      fieldId: found?.id ?? 0,
      ...(source !== undefined && { source }),
      values: resolveValues(named, found, values, `${path}[${index}].values`, errors),
    };
  });
  errors.throwIfAny();
  return resolved;
}
