/** What forms of fields of posts and of screens have in common. */
import type { FieldRuleForm, FieldValueForm } from '@portico/contract';
import type { FieldError } from '../../kernel/errors.ts';
import type { NewEnumValue, NewValidation } from './definition-input.ts';

/** Description and external id as far as they are given; a blank id counts as none. */
export const textsOf = (description: string | undefined, externalId: string | undefined) => ({
  ...(description !== undefined && { description }),
  ...(externalId?.trim() && { externalId: externalId.trim() }),
});

/** A value of a form as one to be made. */
export function newValue({ label, externalId, parentIds, deleted }: FieldValueForm): NewEnumValue {
  return {
    label: label ?? '',
    ...textsOf(undefined, externalId),
    ...(parentIds && { parents: parentIds }),
    ...(deleted !== undefined && { deleted }),
  };
}

/** @param path of the list of rules */
export function readRules(path: string, rules: readonly FieldRuleForm[], errors: FieldError[]): NewValidation[] {
  return rules.flatMap(({ validationTypeId, parameter }, index) => {
    if (validationTypeId !== undefined)
      return { typeId: validationTypeId, ...(parameter !== undefined && { parameter }) };
    errors.push({ field: `${path}[${index}].validationTypeId`, code: 'REQUIRED_FIELD' });
    return [];
  });
}
