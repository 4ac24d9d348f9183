/** Default values of forms: sets them, and finds the ones that can be written now. */
import { type EditPostFieldRequest, TextFormat, ValidationType } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { finishInTurns } from '@portico/platform/parts';
import { Turns } from '@portico/platform/turns';
import type { WriteScope } from '../../kernel/access/index.ts';
import type { FieldError, FieldErrors } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import {
  brokenRules,
  holdsObjects,
  isChoice,
  type StoredValue,
  storedIds,
  typeOf,
  ValueError,
} from '../fields/index.ts';
import { loadCatalogEntries } from './catalogs/catalogs.repository.ts';
import type { NewField } from './definition-input.ts';
import type { FieldDefinition } from './definition-types.ts';

/** A default value that can be written. */
export interface UsableDefault {
  readonly value: StoredValue;
  /**
   * For lists of values: for each id of the default, the ids of its parent values; empty: the value
   * fits all parents.
   */
  readonly parentIds: readonly (readonly number[])[];
}

/**
 * Returns the defaults that can be written now: their values can still be chosen and satisfy the
 * rules of the field, also the rules about past and future. Runs one statement where fields on
 * catalogs have a default, otherwise no statement.
 * @returns by id of the field
 */
export async function usableDefaults(
  scope: Scope | WriteScope,
  fields: readonly FieldDefinition[],
): Promise<Map<number, UsableDefault>> {
  const [db, now] = 'tx' in scope ? [scope.tx, scope.now] : [scope.db, scope.clock.now()];
  const set = fields.flatMap((field) => (field.defaultValue === null ? [] : [{ field, value: field.defaultValue }]));
  const entries = await loadCatalogEntries(
    db,
    set.flatMap(({ field, value }) => (field.catalogId === null || !isChoice(field) ? [] : storedIds(value))),
  );
  const usable = new Map<number, UsableDefault>();
  const turns = new Turns();
  for (const { field, value } of set) {
    if (turns.isOver) await turns.next();
    const chosen = (isChoice(field) ? storedIds(value) : []).map((id) =>
      field.catalogId === null ? field.enumValueById.get(id) : entries.get(id),
    );
    const known = chosen.filter((one) => one !== undefined && !one.deleted && isOf(field.catalogId, one));
    if (known.length < chosen.length) continue;
    if ((await finishInTurns(brokenRules(field, value, now))).length > 0) continue;
    usable.set(field.id, { value, parentIds: known.map((one) => one!.parentIds) });
  }
  return usable;
}

const isOf = (catalogId: number | null, entry: object) =>
  catalogId === null || ('catalogId' in entry && entry.catalogId === catalogId);

/** A field after the edit, against which its default is checked. */
type DefaultedField = Pick<NewField, 'type' | 'catalogId' | 'validations'> & {
  readonly metadata: Readonly<Record<string, string>>;
  /** Ids of the selectable values of its own list; undefined before the values have ids. */
  readonly choosable?: ReadonlySet<number>;
};

/** Returns whether a rule depends on the current time: it is checked when the default is used. */
const dependsOnMoment = ({ typeId, parameter }: { typeId: ValidationType; parameter?: string }) =>
  typeId === ValidationType.NOT_IN_THE_PAST ||
  typeId === ValidationType.NOT_IN_THE_FUTURE ||
  parameter?.trim().startsWith('now') === true;

/**
 * Reads the default of a field that a form sends, or checks the default that the field keeps.
 * @param sent whether the form sends it: only then must the values of a list exist
 * @returns its stored form, null for no default
 */
export async function readDefault(
  db: TenantExecutor,
  field: DefaultedField,
  value: unknown,
  sent: boolean,
  errors: FieldErrors,
): Promise<StoredValue | null> {
  if (value === undefined || value === null || value === '') return null;
  const refuse = (defaultMessage: string, code: FieldError['code'] = 'INVALID_VALUE') => {
    errors.add('defaultValue', code, defaultMessage);
    return null;
  };
  if (holdsObjects(field)) return refuse('Fields of people, groups and posts have no default.');
  let stored: StoredValue | undefined;
  try {
    stored = typeOf(field).parse(value, field, TextFormat.DELTA);
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    return refuse(error.message, error.code);
  }
  if (stored === undefined) return null;
  if (sent && isChoice(field)) {
    const ids = storedIds(stored);
    if (field.catalogId === undefined && !field.choosable)
      return refuse('Set the default by an edit, when the values of the field have ids.');
    const entries = field.catalogId === undefined ? undefined : await loadCatalogEntries(db, ids);
    const isChoosable = (id: number) => {
      const entry = entries?.get(id);
      return entries
        ? entry !== undefined && !entry.deleted && isOf(field.catalogId ?? null, entry)
        : field.choosable!.has(id);
    };
    if (!ids.every(isChoosable)) return refuse('The field has no such value to choose.', 'UNKNOWN_REFERENCE');
  }
  const validations = (field.validations ?? [])
    .filter((rule) => !dependsOnMoment(rule))
    .map(({ typeId, parameter = null }) => ({ typeId, parameter }));
  const [broken] = await finishInTurns(brokenRules({ ...field, validations }, stored, 0));
  return broken ? refuse(`The default breaks a rule of the field: ${broken.error.message}`) : stored;
}

/**
 * Returns the default that a field keeps when an edit changes its list of values: it is mapped like
 * the values of posts.
 */
export function keptDefault(
  { defaultValue, catalogId, type }: FieldDefinition,
  { enumValues, valueMapping = [] }: EditPostFieldRequest,
): StoredValue | null {
  if (defaultValue === null || !enumValues || catalogId !== null || !isChoice({ type })) return defaultValue;
  const choosable = choosableIds(enumValues);
  const moves = new Map(valueMapping.map(({ fromId, toId }) => [fromId, toId]));
  const moved = storedIds(defaultValue).flatMap((id) => (choosable.has(id) ? id : (moves.get(id) ?? [])));
  const ids = [...new Set(moved)].filter((id) => choosable.has(id));
  if (ids.length === 0) return null;
  return Array.isArray(defaultValue) ? ids : ids[0]!;
}

/** Returns the ids of selectable values. */
export function choosableIds(values: readonly { readonly id?: number; readonly deleted?: boolean }[]): Set<number> {
  return new Set(values.flatMap(({ id, deleted }) => (id === undefined || deleted ? [] : id)));
}
