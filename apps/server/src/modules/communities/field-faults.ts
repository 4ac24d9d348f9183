/**
 * Faults of a single field: bounds that no value satisfies, and values that people cannot tell
 * apart. Checked for forms and files; imports accept fields as the other system has them.
 */
import type { FieldError, FieldErrors } from '../../kernel/errors.ts';
import { crossedRules, typeOf } from '../fields/index.ts';
import type { NewEnumValue, NewField } from './definition-input.ts';

/** Properties of a field that are checked. */
export type FaultyField = Pick<NewField, 'type' | 'metadata' | 'validations' | 'enumValues'>;

interface Fault extends FieldError {
  /** Identifies the fault independently of its position. */
  readonly key: string;
}

/**
 * Rejects the faults of a field. Faults that the field already had are accepted, so that they do
 * not block other edits.
 * @param path of the field, or nothing  @param before the present field, if it exists
 */
export function refuseFaults(path: string, field: FaultyField, errors: FieldErrors, before?: FaultyField): void {
  const known = new Set(before && faultsOf(before).map(({ key }) => key));
  for (const { key, ...error } of faultsOf(field))
    if (!known.has(key)) errors.push({ ...error, field: path === '' ? error.field : `${path}.${error.field}` });
}

function faultsOf({ type, metadata = {}, validations = [], enumValues = [] }: FaultyField): Fault[] {
  const range = typeOf({ type }).metadataFault?.({ metadata });
  return [
    ...crossedRules({ type, metadata, validations }).map(({ index, message }) =>
      contradiction(`validations[${index}].parameter`, message),
    ),
    ...(range ? [contradiction(`metadata.${range.key}`, range.message)] : []),
    ...sameLabels(enumValues),
  ];
}

const contradiction = (field: string, message: string): Fault => ({
  ...{ field, code: 'INVALID_VALUE', defaultMessage: message },
  key: message,
});

/**
 * Finds selectable values with the same label, in the same language and below the same parent, as
 * an earlier value.
 */
function sameLabels(values: readonly NewEnumValue[]): Fault[] {
  const counts = new Map<string, number>();
  return values.flatMap(({ label, translations = {}, parents = [], deleted }, index) => {
    if (deleted) return [];
    const labels = [['label', label] as const, ...Object.entries(translations).map(inLanguage)];
    return labels.flatMap(([name, text]) => {
      const keys = (parents.length === 0 ? [''] : parents).map((parent) => `${name}|${parent}|${text.trim()}`);
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
      const repeated = keys.find((key) => counts.get(key)! > 1);
      if (repeated === undefined || text.trim() === '') return [];
      return {
        field: `enumValues[${index}].${name}`,
        code: 'DUPLICATE_VALUE',
        defaultMessage: `Another value is called "${text.trim()}": values that can be chosen beside each other have different labels.`,
        key: `${repeated}|${counts.get(repeated)}`,
      } as const;
    });
  });
}

const inLanguage = ([language, text]: readonly [string, string]) => [`translations.${language}`, text] as const;
