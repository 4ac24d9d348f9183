import type { FieldError } from '../../../kernel/errors.ts';
import type { ValueError } from '../../fields/index.ts';
import type { FieldRule, FieldValidation } from './field-rules.ts';

/** The member of the body that holds the values: the prefix of the field path of each error. */
export type FieldPath = 'customData' | 'screenData';

/** The error of one custom field, as CustomFieldValidationError. */
export function fieldError(path: FieldPath, field: FieldRule, error: ValueError, rule?: FieldValidation): FieldError {
  return {
    code: error.code,
    field: `${path}.${field.id}`,
    defaultMessage: `${field.label}: ${error.message}`,
    ...(error.args && { args: error.args }),
    ...(rule && { validationId: rule.id, validationTypeId: rule.typeId }),
    customFieldId: field.id,
    ...(field.externalId !== null && { externalId: field.externalId }),
  };
}
