/** SQL that changes fields, their values and rules. */

import type { FieldValueForm } from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { sortKeyWithTies } from '@portico/platform/text';
import type { WriteScope } from '../../kernel/access/index.ts';
import { FieldErrors } from '../../kernel/errors.ts';
import type { StoredValue } from '../fields/index.ts';
import type { NewValidation } from './definition-input.ts';
import type { FieldDefinition } from './definition-types.ts';
import { type FieldOwner, ownerColumns } from './field-owner.ts';
import { insertEnumValues, insertValidations, resolveParents } from './field-rows.ts';
import { readValues } from './read-field-form.ts';

/** Properties that an edit of a field writes. */
type ChangedField = Pick<
  FieldDefinition,
  | 'label'
  | 'translations'
  | 'section'
  | 'sectionTranslations'
  | 'defaultValue'
  | 'description'
  | 'externalId'
  | 'required'
  | 'readonly'
  | 'visibleInPreview'
  | 'visibleInDetail'
  | 'visibleInCreate'
  | 'visibleInEdit'
  | 'metadata'
  | 'conditions'
  | 'visibleRoles'
  | 'searchable'
  | 'sortable'
>;

/** Returns whether another field of the owner has the external id. */
export async function externalIdTaken(
  tx: TenantTx,
  owner: FieldOwner,
  fieldId: number,
  externalId: string,
): Promise<boolean> {
  const rows = await tx.query(
    'SELECT FROM fields WHERE tenant_id = $1 AND (community_id = $2 OR workflow_id = $3) AND id <> $4 AND external_id = $5',
    [tx.tenantId, ...ownerColumns(owner), fieldId, externalId],
  );
  return rows.length > 0;
}

export async function updateField(tx: TenantTx, fieldId: number, field: ChangedField): Promise<void> {
  await tx.send(
    `UPDATE fields SET label = $3, description = $4, external_id = $5, required = $6, readonly = $7, visible_in_preview = $8,
            visible_in_detail = $9, visible_in_create = $10, visible_in_edit = $11, metadata = $12, conditions = $13, visible_roles = $14,
            searchable = $15, sortable = $16, translations = $17, section = $18, default_value = $19,
            section_translations = $20
      WHERE tenant_id = $1 AND id = $2`,
    [
      tx.tenantId,
      fieldId,
      field.label,
      field.description,
      field.externalId,
      field.required,
      field.readonly,
      field.visibleInPreview,
      field.visibleInDetail,
      field.visibleInCreate,
      field.visibleInEdit,
      JSON.stringify(field.metadata),
      JSON.stringify(field.conditions),
      field.visibleRoles,
      field.searchable,
      field.sortable,
      JSON.stringify(field.translations),
      field.section,
      field.defaultValue === null ? null : JSON.stringify(field.defaultValue),
      JSON.stringify(field.sectionTranslations),
    ],
  );
}

/**
 * Moves a field within the form.
 * @param fields all fields of the form, in order  @param position from 1; a position past the end
 * moves it to the end
 */
export async function moveField(
  tx: TenantTx,
  fields: readonly FieldDefinition[],
  field: FieldDefinition,
  position: number,
): Promise<void> {
  const ids = fields.flatMap(({ id }) => (id === field.id ? [] : id));
  ids.splice(position - 1, 0, field.id);
  if (ids.every((id, index) => fields[index]?.id === id)) return;
  await tx.send(
    `UPDATE fields f SET position = o.position
       FROM unnest($2::bigint[]) WITH ORDINALITY AS o (id, position)
      WHERE f.tenant_id = $1 AND f.id = o.id`,
    [tx.tenantId, ids],
  );
}

export async function replaceValidations(
  write: WriteScope,
  fieldId: number,
  validations: readonly NewValidation[],
): Promise<void> {
  await write.tx.send('DELETE FROM field_validations WHERE tenant_id = $1 AND field_id = $2', [
    write.tx.tenantId,
    fieldId,
  ]);
  await insertValidations(write, fieldId, validations);
}

/**
 * Replaces the list of values of a field, in the given order: values with an id are updated, the
 * others are created. Omitted values stay in the posts that hold them, can no longer be chosen, and
 * come last.
 * @throws ValidationError for parents outside the parent field; when the community would have too
 * many values
 */
export async function replaceEnumValues(
  write: WriteScope,
  owner: FieldOwner,
  field: FieldDefinition,
  values: readonly FieldValueForm[],
): Promise<void> {
  const fresh = values.filter(({ id }) => id === undefined);
  // The form was checked.
  const read = readValues('enumValues', values, new FieldErrors());
  const parents = await resolveParents(write, field.parentId, read, '');
  const isFresh = values.map(({ id }) => id === undefined);
  const freshIds = await insertEnumValues(
    write,
    owner,
    field,
    read.filter((_value, index) => isFresh[index]),
    '',
  );
  const rows = values.map(({ id, label, externalId, parentIds, deleted }, index) => {
    const before = id === undefined ? undefined : field.enumValueById.get(id);
    return {
      id: id ?? freshIds[fresh.indexOf(values[index]!)],
      position: index + 1,
      label: (label ?? '').trim(),
      translations: read[index]!.translations ?? before?.translations ?? {},
      label_key: sortKeyWithTies(label ?? ''),
      external_id: externalId?.trim() || null,
      parent_ids: parentIds === undefined ? (before?.parentIds ?? []) : parents[index],
      deleted: deleted ?? false,
    };
  });
  const given = new Set(rows.map(({ id }) => id));
  const left = field.enumValues.filter(({ id }) => !given.has(id));
  const kept = left.map((value, index) => ({
    id: value.id,
    position: rows.length + index + 1,
    label: value.label,
    translations: value.translations,
    label_key: value.labelKey,
    external_id: value.externalId,
    parent_ids: value.parentIds,
    deleted: true,
  }));
  await write.tx.send(
    `UPDATE field_enum_values v SET position = r.position, label = r.label, translations = r.translations,
            label_key = r.label_key, external_id = r.external_id, parent_ids = r.parent_ids, deleted = r.deleted
       FROM jsonb_to_recordset($3::jsonb) AS r (id bigint, position integer, label text, translations jsonb,
              label_key text, external_id text, parent_ids bigint[], deleted boolean)
      WHERE v.tenant_id = $1 AND v.field_id = $2 AND v.id = r.id`,
    [write.tx.tenantId, field.id, JSON.stringify([...rows, ...kept])],
  );
}

/** Takes a field out of use, and removes it from screens and views. Its values stay stored. */
export async function retireField(write: WriteScope, fieldId: number): Promise<void> {
  const parameters = [write.tx.tenantId, fieldId];
  await write.tx.send(
    'UPDATE fields SET deleted = true, external_id = NULL WHERE tenant_id = $1 AND id = $2',
    parameters,
  );
  await write.tx.send('DELETE FROM workflow_screen_fields WHERE tenant_id = $1 AND field_id = $2', parameters);
  await write.tx.send(
    'UPDATE post_views SET field_ids = array_remove(field_ids, $2::bigint) WHERE tenant_id = $1 AND $2::bigint = ANY (field_ids)',
    parameters,
  );
}

/**
 * Puts a field that is not in use yet into the place of another field, also on screens and views,
 * with the external id of that field.
 * @param field the replaced field  @param values whether the new field takes over the list of
 * values
 */
export async function putInPlace(
  write: WriteScope,
  field: FieldDefinition,
  successorId: number,
  values: boolean,
): Promise<void> {
  const { tx } = write;
  const both = [tx.tenantId, field.id, successorId];
  await tx.send('UPDATE fields SET deleted = true, external_id = NULL WHERE tenant_id = $1 AND id = $2', [
    tx.tenantId,
    field.id,
  ]);
  await tx.send(
    'UPDATE fields SET deleted = false, external_id = $3, position = $4, successor_of = $5 WHERE tenant_id = $1 AND id = $2',
    [tx.tenantId, successorId, field.externalId, field.position, field.id],
  );
  await tx.send('UPDATE workflow_screen_fields SET field_id = $3 WHERE tenant_id = $1 AND field_id = $2', both);
  await tx.send(
    'UPDATE post_views SET field_ids = array_replace(field_ids, $2::bigint, $3::bigint) WHERE tenant_id = $1 AND $2::bigint = ANY (field_ids)',
    both,
  );
  if (values) await tx.send('UPDATE field_enum_values SET field_id = $3 WHERE tenant_id = $1 AND field_id = $2', both);
}

/** Sets the default value of a field. */
export async function setDefault(tx: TenantTx, fieldId: number, value: StoredValue): Promise<void> {
  await tx.send('UPDATE fields SET default_value = $3 WHERE tenant_id = $1 AND id = $2', [
    tx.tenantId,
    fieldId,
    JSON.stringify(value),
  ]);
}

/** Returns the replaced fields of a form: ids of former fields by the ids of their successors. */
export async function readSuccessions(
  { tx }: Pick<WriteScope, 'tx'>,
  community: { id: number; workflowId: number | null },
): Promise<Map<number, number>> {
  const rows = await tx.query<{ id: number; formerId: number }>(
    `SELECT id, successor_of AS "formerId" FROM fields
      WHERE tenant_id = $1 AND (community_id = $2 OR workflow_id = $3) AND successor_of IS NOT NULL`,
    [tx.tenantId, community.id, community.workflowId],
  );
  return new Map(rows.map(({ id, formerId }) => [id, formerId]));
}
