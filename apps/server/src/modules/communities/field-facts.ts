/** Facts derived from the definition of a field. Pure. */
import { ValidationType } from '@portico/contract';
import { typeOf } from '../fields/index.ts';
import type { Catalog } from './catalogs/catalog-types.ts';
import type { FieldDefinition, FieldValidation, ScreenField } from './definition-types.ts';

type Ruled = Pick<FieldDefinition, 'required' | 'validations' | 'conditions'>;

function ruleOf(field: Pick<FieldDefinition, 'validations'>, typeId: ValidationType): FieldValidation | undefined {
  return field.validations.find((validation) => validation.typeId === typeId);
}

/** Returns whether the field is shown only under a condition on other fields. */
function isConditional(field: Pick<FieldDefinition, 'validations'>): boolean {
  return ruleOf(field, ValidationType.CONDITIONAL) !== undefined;
}

/**
 * Returns whether the field is shown under a condition that the server does not know. The server
 * never demands a value of such a field.
 */
export function isUnknownCondition(field: Pick<FieldDefinition, 'validations' | 'conditions'>): boolean {
  return isConditional(field) && field.conditions.length === 0;
}

/**
 * Returns whether a form that shows the field must hold a value of it. The minimum length of a list
 * is a separate rule.
 */
export function isDemanded(field: Ruled): boolean {
  return (field.required || ruleOf(field, ValidationType.REQUIRED) !== undefined) && !isUnknownCondition(field);
}

/** Returns whether a screen that shows the field requires a value of it. */
export function isDemandedOnScreen(
  field: Pick<FieldDefinition, 'validations' | 'conditions'>,
  { required }: ScreenField,
): boolean {
  return isDemanded({ required, validations: field.validations, conditions: field.conditions });
}

/** `required` of a field on a screen: whether the screen always requires a value of it. */
export function isRequiredOnScreen(
  field: Pick<FieldDefinition, 'validations' | 'conditions'>,
  onScreen: ScreenField,
): boolean {
  return isDemandedOnScreen(field, onScreen) && !isConditional(field);
}

/** `required` of a field of posts: true if a new post without the value is always refused. */
export function isRequired(field: FieldDefinition): boolean {
  if (field.readonly || !field.visibleInCreate || isConditional(field)) return false;
  return isDemanded(field) || Number(ruleOf(field, ValidationType.MIN_COUNT)?.parameter ?? 0) > 0;
}

/**
 * `metadata` of a field: its own metadata, and the source of its values. `catalog_id` is missing
 * while the catalog is out of use; `catalog_entries_path` is the path of the entry list when the
 * entries are too many to be included.
 * @param catalog the field's catalog, if it has one
 */
export function metadataOf(field: FieldDefinition, catalog: Catalog | undefined): Record<string, string> {
  const { catalog_id: _stored, ...defined } = field.metadata;
  const metadata: Record<string, string> = defined;
  for (const [key, { default: usual }] of Object.entries(typeOf(field).metadata ?? {})) {
    if (usual !== undefined) metadata[key] ??= usual;
  }
  if (!catalog || catalog.deleted) return metadata;
  return {
    ...metadata,
    catalog_id: String(catalog.id),
    ...(catalog.entries === null && {
      catalog_entries_path: `/communication/settings/post-definition/catalogs/${catalog.id}/entries`,
    }),
  };
}
