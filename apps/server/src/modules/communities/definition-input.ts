/** Checks definitions of fields with their values and rules. Pure; SQL checks references. */
import { definitionLimits, FieldType, sortableFieldTypes, ValidationType, validationRules } from '@portico/contract';
import { describeDelta, parseDelta, plainTextToDelta, RichTextError } from '@portico/platform/richtext';
import { isLongerThan } from '@portico/platform/text';
import { programSize } from '@portico/platform/text/pattern';
import type { FieldErrors } from '../../kernel/errors.ts';
import type { OpenToRole } from '../../kernel/scope.ts';
import { requiredText } from '../../kernel/text-input.ts';
import { type FieldCondition, isChoice, metadataProblems, type StoredValue } from '../fields/index.ts';

/** Maximum length of a name or label, in code points. */
const MAX_LABEL = 200;

/** A value of a field with its own list. */
export interface NewEnumValue {
  label: string;
  /** The label in other languages, by language code. */
  translations?: Readonly<Record<string, string>>;
  externalId?: string;
  /**
   * In hierarchical fields: values of the parent field, by id, or by label among the parent's own
   * values.
   */
  parents?: readonly (number | string)[];
  deleted?: boolean;
}

export interface NewValidation {
  typeId: ValidationType;
  parameter?: string;
}

/** A new field of posts or of screens. */
export interface NewField {
  type: FieldType;
  label: string;
  /** The label in other languages, by language code. */
  translations?: Readonly<Record<string, string>>;
  /** Name of the section of the form. */
  section?: string;
  /** The name of the section in other languages, by language code. */
  sectionTranslations?: Readonly<Record<string, string>>;
  /** Default value of forms, as stored. */
  defaultValue?: StoredValue;
  /** Unique among the fields of the community or workflow. */
  externalId?: string;
  /** Help text for filling in the field: plain text, or a delta as JSON text. */
  description?: string;
  /** In hierarchical fields: the enumerated field above, of the same community or workflow. */
  parentId?: number;
  /**
   * Catalog of the values of an enumerated field; omitted: the field has its own
   * {@link enumValues}.
   */
  catalogId?: number;
  /** Default: after all other fields. */
  position?: number;
  required?: boolean;
  /** Default: true for links, which requests cannot write (docs/decisions/values.md), else false. */
  readonly?: boolean;
  /** Default true. */
  searchable?: boolean;
  /** Default false; only for types with an order (`sortableFieldTypes` of the contract). */
  sortable?: boolean;
  visibleInPreview?: boolean;
  visibleInDetail?: boolean;
  /** Default: the opposite of `readonly`. */
  visibleInCreate?: boolean;
  /** Default: the opposite of `readonly`. */
  visibleInEdit?: boolean;
  metadata?: Readonly<Record<string, string>>;
  enumValues?: readonly NewEnumValue[];
  validations?: readonly NewValidation[];
  /** Conditions under which forms show the field; they test other fields of the same owner. */
  conditions?: readonly FieldCondition[];
  /** Weakest roles that see the field, together with stronger roles; default: everybody. */
  visibleRoles?: readonly OpenToRole[];
}

/** @returns the label, trimmed */
export function checkLabel(field: string, label: string, errors: FieldErrors): string {
  return requiredText(field, label, MAX_LABEL, errors);
}

/**
 * Checks everything about a field that needs no look-up, in parts: patterns are compiled.
 * @param kept rules that the field already has: their patterns may be larger than the patterns of
 * new rules
 * @param stored metadata that the field already has
 */
export function* checkField(
  path: string,
  field: NewField,
  errors: FieldErrors,
  kept: readonly { readonly parameter: string | null }[] = [],
  stored?: Readonly<Record<string, string>>,
): Generator<void, void> {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const refuse = (name: string, defaultMessage: string) => errors.add(at(name), 'INVALID_VALUE', defaultMessage);
  checkLabel(at('label'), field.label, errors);
  if (!Object.values(FieldType).includes(field.type)) {
    refuse('type', 'Unknown field type.');
    return;
  }
  if (field.sortable && !sortableFieldTypes.includes(field.type)) {
    refuse('sortable', 'Fields of this type are not sortable.');
  }
  if (!isChoice(field)) {
    if (field.catalogId !== undefined) refuse('catalogId', 'Only enumerated fields take their values from a catalog.');
    if (field.enumValues?.length) refuse('enumValues', 'Only enumerated fields have values to choose from.');
    if (field.parentId !== undefined) refuse('parentId', 'Only enumerated fields can have a parent field.');
  } else if (field.catalogId !== undefined && field.enumValues?.length) {
    refuse('enumValues', 'A field takes its values from a catalog or from its own list, not from both.');
  }
  for (const [index, value] of (field.enumValues ?? []).entries()) {
    checkLabel(at(`enumValues[${index}].label`), value.label, errors);
  }
  if (field.visibleRoles?.length && field.metadata?.['generate_post_comment'] === 'true') {
    refuse('visibleToRoles', 'Everybody sees the comments that the field generates (generate_post_comment).');
  }
  for (const { key, message } of metadataProblems(field, stored)) refuse(`metadata.${key}`, message);
  for (const [index, validation] of (field.validations ?? []).entries()) {
    const problem = validationProblem(field.type, validation);
    if (problem) refuse(`validations[${index}]`, problem);
    else if (
      validation.typeId === ValidationType.PATTERN &&
      !kept.some(({ parameter }) => parameter === validation.parameter)
    ) {
      const excess = patternExcess(validation.parameter!);
      if (excess) refuse(`validations[${index}].parameter`, excess);
    }
    yield;
  }
}

function validationProblem(type: FieldType, validation: NewValidation): string | undefined {
  const rule = validationRules.find(({ id }) => id === validation.typeId);
  if (!rule) return 'There is no such rule.';
  if (!rule.fieldTypes.includes(type)) return `The rule ${rule.name} does not apply to fields of this type.`;
  const { parameter } = validation;
  if (rule.parameter === null) return parameter === undefined ? undefined : `The rule ${rule.name} takes no parameter.`;
  if (parameter === undefined || !isParameter(rule.parameter, parameter))
    return `The parameter must be: ${rule.parameter}.`;
  return undefined;
}

function isParameter(form: string, text: string): boolean {
  if (form.startsWith('decimal')) return /^-?\d{1,15}(\.\d{1,15})?$/.test(text);
  if (form.startsWith('whole')) return /^\d{1,9}$/.test(text);
  // Accepts a pattern that is too large: patternExcess reports it.
  if (form.startsWith('regular'))
    return isLongerThan(text, definitionLimits.pattern) || programSize(text) !== 'invalid';
  return /^now([+-]\d{1,5})?$/.test(text) || /^-?\d{1,15}$/.test(text) || !Number.isNaN(Date.parse(text));
}

/**
 * Returns an error message for a pattern above the limits: the time of a match grows with the size
 * of its program.
 */
function patternExcess(pattern: string): string | undefined {
  const { pattern: length, patternSize } = definitionLimits;
  if (isLongerThan(pattern, length)) return `A pattern has at most ${length} characters.`;
  const size = programSize(pattern);
  if (size !== 'tooLarge' && Number(size) <= patternSize) return undefined;
  return `The pattern is too large: what it repeats is written out, and the program of RE2 has at most ${patternSize} instructions. Use smaller counts in braces.`;
}

/** Returns a description as stored: a delta in bare-array form. */
export function descriptionDelta(path: string, text: string | undefined, errors: FieldErrors): string | null {
  if (text === undefined || text.trim() === '') return null;
  try {
    return describeDelta(/^\s*[[{]/.test(text) ? parseDelta(text) : plainTextToDelta(text)).delta;
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    errors.add(path, 'INVALID_DELTA', error.message);
    return null;
  }
}
