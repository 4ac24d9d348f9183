/** Common parts of the forms of fields of posts and of screens. */
import type { FieldRuleForm, FieldValueForm } from '@portico/contract';
import type { FieldErrors } from '../../kernel/errors.ts';
import { readTranslations } from '../../kernel/text-input.ts';
import type { NewEnumValue, NewValidation } from './definition-input.ts';

/** Returns the given description and external id; a blank id counts as absent. */
export const textsOf = (description: string | undefined, externalId: string | undefined) => ({
  ...(description !== undefined && { description }),
  ...(externalId?.trim() && { externalId: externalId.trim() }),
});

/** Reads new values from a form. @param path of the list of values */
export function readValues(path: string, values: readonly FieldValueForm[], errors: FieldErrors): NewEnumValue[] {
  return values.map(({ label, translations, externalId, parentIds, deleted }, index) => ({
    label: label ?? '',
    ...(translations && { translations: readTranslations(`${path}[${index}].translations`, translations, errors) }),
    ...textsOf(undefined, externalId),
    ...(parentIds && { parents: parentIds }),
    ...(deleted !== undefined && { deleted }),
  }));
}

/**
 * Reads the section name in other languages; a field without a section has none.
 * @param before names that stay where the form sends none  @param at path of the field
 */
export function readSectionNames(
  section: string | null,
  sent: Readonly<Record<string, string>> | undefined,
  before: Readonly<Record<string, string>>,
  errors: FieldErrors,
  at = '',
): Readonly<Record<string, string>> {
  const path = at === '' ? 'sectionTranslations' : `${at}.sectionTranslations`;
  const names = sent ? readTranslations(path, sent, errors) : before;
  return section === null ? {} : names;
}

export function readRules(rules: readonly FieldRuleForm[]): NewValidation[] {
  return rules.flatMap(({ validationTypeId, parameter }) => {
    if (validationTypeId === undefined) return [];
    return { typeId: validationTypeId, parameter };
  });
}
