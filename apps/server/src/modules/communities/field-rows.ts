/** SQL that writes fields, their values and rules. */

import { definitionLimits } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { finishInTurns } from '@portico/platform/parts';
import { sortKeyWithTies } from '@portico/platform/text';
import { GIVES_ROLES, knownGroupSql, Parameters, type WriteScope } from '../../kernel/access/index.ts';
import { type FieldError, FieldErrors, notFound, unknownElements } from '../../kernel/errors.ts';
import type { OpenToRole } from '../../kernel/scope.ts';
import { isChoice, typeOf } from '../fields/index.ts';
import { refuseArchived } from './communities.policy.ts';
import { archivedSql } from './community-rows.ts';
import {
  checkField,
  descriptionDelta,
  type NewEnumValue,
  type NewField,
  type NewValidation,
} from './definition-input.ts';
import type { FieldDefinition } from './definition-types.ts';
import { type FieldOwner, ownerColumns } from './field-owner.ts';
import { unknownAudience } from './roles/roles.repository.ts';
import { refuseTooManyValues } from './value-limit.ts';

/**
 * Returns the communities to whose posts the fields of an owner belong.
 * @throws PorticoError NOT_FOUND when the community or workflow does not exist; COMMUNITY_ARCHIVED
 */
export async function communitiesOf(write: Pick<WriteScope, 'tx'>, owner: FieldOwner): Promise<number[]> {
  const [communityId, workflowId] = ownerColumns(owner);
  const rows = await write.tx.query<{ id: number | null; archivedAt: number | null }>(
    `SELECT id, ${archivedSql('communities')} AS "archivedAt" FROM communities WHERE tenant_id = $1 AND (id = $2 OR workflow_id = $3)
     UNION ALL SELECT NULL, NULL FROM workflows WHERE tenant_id = $1 AND id = $3`,
    [write.tx.tenantId, communityId, workflowId],
  );
  if (rows.length === 0) throw notFound();
  for (const row of rows) if (row.id === communityId) refuseArchived(row);
  return rows.flatMap((row) => row.id ?? []);
}

/** A stored field. */
export interface AddedField {
  id: number;
  /** Ids of its own values, in the given order. */
  enumValueIds: number[];
}

/** Facts against which a new field is checked. */
interface FieldFacts {
  /** Position after the last field. */
  next: number;
  /** Whether another field has its external id. */
  taken: boolean;
  /** Type of its parent field; null without a parent. */
  parent: FieldDefinition['type'] | null;
  catalog: boolean;
  /** Number of fields. */
  fields: number;
}

export function tooMany(field: string, limit: number): FieldError {
  return { field, code: 'TOO_MANY_ITEMS', args: [limit], defaultMessage: `At most ${limit}.` };
}

/** Returns errors for roles that do not exist. */
export async function unknownRoles(tx: TenantTx, path: string, roles: readonly OpenToRole[]): Promise<FieldError[]> {
  return unknownElements(path, roles, await unknownAudience(tx, roles), 'There is no such role; listRoles names them.');
}

/**
 * Returns an error for metadata with a group that does not exist or that the writer does not know:
 * the accepted values would reveal the members of the group.
 * @param before present metadata of the field: its group may stay
 */
export async function unknownPicker(
  { tx, actor }: Pick<WriteScope, 'tx' | 'actor'>,
  path: string,
  metadata: Readonly<Record<string, string>> = {},
  before: Readonly<Record<string, string>> = {},
): Promise<FieldError[]> {
  const { user_picker_from_group: group = '' } = metadata;
  // Other texts name no group.
  if (!/^\d{1,16}$/.test(group) || group === before['user_picker_from_group']) return [];
  const parameters = new Parameters([tx.tenantId, group]);
  const [found] = await tx.query(
    `SELECT FROM groups g WHERE g.tenant_id = $1 AND g.id = $2::bigint AND g.deleted_at IS NULL
        AND ${knownGroupSql('g', actor, parameters, GIVES_ROLES)}`,
    parameters.values,
  );
  if (found) return [];
  const defaultMessage = 'There is no such group.';
  return [{ field: `${path}.user_picker_from_group`, code: 'UNKNOWN_REFERENCE', defaultMessage, args: [group] }];
}

/**
 * Writes a field with its values and rules.
 * @param hidden writes it without external id and marked deleted, so that it is invisible until
 * `revealField`
 * @param before metadata of the field that it replaces
 * @throws ValidationError with all errors; PorticoError NOT_FOUND for its catalog
 */
export async function insertField(
  write: WriteScope,
  owner: FieldOwner,
  field: NewField,
  hidden = false,
  path = '',
  before: Readonly<Record<string, string>> = {},
): Promise<AddedField> {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const errors = new FieldErrors(write.missing);
  await finishInTurns(checkField(path, field, errors, [], before));
  const description = descriptionDelta(at('description'), field.description, errors);
  const [communityId, workflowId] = ownerColumns(owner);
  const [facts] = await write.tx.query<FieldFacts>(
    `SELECT (SELECT coalesce(max(position), 0) + 1 FROM fields
              WHERE tenant_id = $1 AND (community_id = $2 OR workflow_id = $3)) AS next,
            EXISTS (SELECT FROM fields WHERE tenant_id = $1 AND (community_id = $2 OR workflow_id = $3) AND external_id = $4) AS taken,
            (SELECT type FROM fields WHERE tenant_id = $1 AND (community_id = $2 OR workflow_id = $3) AND id = $5 AND NOT deleted) AS parent,
            EXISTS (SELECT FROM catalogs WHERE tenant_id = $1 AND id = $6) AS catalog,
            (SELECT count(*) FROM fields WHERE tenant_id = $1 AND (community_id = $2 OR workflow_id = $3) AND NOT deleted) AS fields`,
    [
      write.tx.tenantId,
      communityId,
      workflowId,
      field.externalId ?? null,
      field.parentId ?? null,
      field.catalogId ?? null,
    ],
  );
  errors.push(...(await unknownRoles(write.tx, at('visibleToRoles'), field.visibleRoles ?? [])));
  errors.push(...(await unknownPicker(write, at('metadata'), field.metadata, before)));
  if (facts!.fields >= definitionLimits.fields) errors.push(tooMany('fields', definitionLimits.fields));
  if ((field.enumValues?.length ?? 0) > definitionLimits.fieldValues)
    errors.push(tooMany(at('enumValues'), definitionLimits.fieldValues));
  if (field.catalogId !== undefined && !facts!.catalog) {
    errors.add(at('catalogId'), 'UNKNOWN_REFERENCE', 'There is no such catalog.');
  }
  if (facts!.taken) errors.add(at('externalId'), 'DUPLICATE_VALUE');
  if (field.parentId !== undefined && (facts!.parent === null || !isChoice({ type: facts!.parent }))) {
    errors.add(at('parentId'), 'UNKNOWN_REFERENCE', 'The parent is an enumerated field of the same form.');
  }
  errors.throwIfAny();
  const readonly = field.readonly ?? typeOf(field).readonlyByDefault ?? false;
  const [row] = await write.tx.query<{ id: number }>(
    `INSERT INTO fields (tenant_id, community_id, workflow_id, catalog_id, parent_id, position, type, label, description,
       external_id, required, readonly, searchable, sortable, visible_in_preview, visible_in_detail, visible_in_create,
       visible_in_edit, metadata, deleted, conditions, visible_roles, translations, section,
       section_translations, default_value)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26) RETURNING id`,
    [
      write.tx.tenantId,
      communityId,
      workflowId,
      field.catalogId ?? null,
      field.parentId ?? null,
      field.position ?? facts!.next,
      field.type,
      field.label.trim(),
      description,
      hidden ? null : (field.externalId ?? null),
      field.required ?? false,
      readonly,
      field.searchable ?? true,
      field.sortable ?? false,
      field.visibleInPreview ?? true,
      field.visibleInDetail ?? true,
      field.visibleInCreate ?? !readonly,
      field.visibleInEdit ?? !readonly,
      JSON.stringify(field.metadata ?? {}),
      hidden,
      JSON.stringify(field.conditions ?? []),
      field.visibleRoles ?? [],
      JSON.stringify(field.translations ?? {}),
      field.section ?? null,
      JSON.stringify(field.sectionTranslations ?? {}),
      field.defaultValue === undefined ? null : JSON.stringify(field.defaultValue),
    ],
  );
  const id = row!.id;
  const enumValueIds = await insertEnumValues(
    write,
    owner,
    { id, parentId: field.parentId ?? null },
    field.enumValues ?? [],
    path,
  );
  await insertValidations(write, id, field.validations ?? []);
  return { id, enumValueIds };
}

/** Writes the rules of a field without rules. */
export async function insertValidations(
  write: Pick<WriteScope, 'tx'>,
  fieldId: number,
  validations: readonly NewValidation[],
): Promise<void> {
  const ids = await takeIds(write.tx, 'field_validations', validations.length);
  const rows = validations.map(({ typeId, parameter }, index) => ({
    id: ids[index],
    type_id: typeId,
    parameter: parameter ?? null,
    position: index + 1,
  }));
  await write.tx.send(
    `INSERT INTO field_validations (tenant_id, id, field_id, type_id, parameter, position)
     SELECT a.tenant_id, v.id, $2, v.type_id, v.parameter, v.position
       FROM tenant_versions a, jsonb_to_recordset($3::jsonb) AS v (id bigint, type_id smallint, parameter text, position integer)
      WHERE a.tenant_id = $1`,
    [write.tx.tenantId, fieldId, JSON.stringify(rows)],
  );
}

/**
 * Appends values to a field's own list.
 * @returns their ids in the given order
 * @throws ValidationError for parents outside the parent field; when the community would have too
 * many values
 */
export async function insertEnumValues(
  write: WriteScope,
  owner: FieldOwner,
  field: { id: number; parentId: number | null },
  values: readonly NewEnumValue[],
  path: string,
): Promise<number[]> {
  if (values.length === 0) return [];
  await refuseTooManyValues(write.tx, owner, path === '' ? 'enumValues' : `${path}.enumValues`, values.length);
  const parents = await resolveParents(write, field.parentId, values, path);
  const ids = await takeIds(write.tx, 'field_enum_values', values.length);
  const rows = values.map((value, n) => ({
    id: ids[n],
    n,
    label: value.label.trim(),
    translations: value.translations ?? {},
    label_key: sortKeyWithTies(value.label),
    external_id: value.externalId ?? null,
    parent_ids: parents[n],
    deleted: value.deleted ?? false,
  }));
  await write.tx.send(
    `INSERT INTO field_enum_values (tenant_id, id, field_id, position, label, translations, label_key, external_id, parent_ids, deleted)
     SELECT a.tenant_id, v.id, $2, v.n + 1 + (SELECT coalesce(max(position), 0) FROM field_enum_values WHERE tenant_id = $1 AND field_id = $2),
            v.label, v.translations, v.label_key, v.external_id, v.parent_ids, v.deleted
       FROM tenant_versions a, jsonb_to_recordset($3::jsonb)
            AS v (id bigint, n integer, label text, translations jsonb, label_key text, external_id text, parent_ids bigint[], deleted boolean)
      WHERE a.tenant_id = $1`,
    [write.tx.tenantId, field.id, JSON.stringify(rows)],
  );
  return ids;
}

/**
 * Returns the ids of the parents of values. @throws ValidationError for parents outside the parent
 * field
 */
export async function resolveParents(
  write: WriteScope,
  parentId: number | null,
  values: readonly NewEnumValue[],
  path: string,
): Promise<number[][]> {
  if (values.every((value) => !value.parents?.length)) return values.map(() => []);
  const above = await write.tx.query<{ id: number; label: string | null }>(
    `SELECT v.id, v.label FROM field_enum_values v WHERE v.tenant_id = $1 AND v.field_id = $2
     UNION ALL
     SELECT e.id, NULL FROM fields f JOIN catalog_entries e ON e.tenant_id = f.tenant_id AND e.catalog_id = f.catalog_id
      WHERE f.tenant_id = $1 AND f.id = $2`,
    [write.tx.tenantId, parentId],
  );
  const ids = new Set(above.map((row) => row.id));
  const byLabel = new Map(above.map((row) => [row.label, row.id]));
  const errors = new FieldErrors();
  const resolved = values.map((value, index) =>
    (value.parents ?? []).flatMap((parent) => {
      const id = typeof parent === 'number' ? parent : byLabel.get(parent);
      if (id !== undefined && ids.has(id)) return [id];
      errors.add(
        `${path === '' ? '' : `${path}.`}enumValues[${index}].parents`,
        'UNKNOWN_REFERENCE',
        'Parents are values of the parent field.',
        [parent],
      );
      return [];
    }),
  );
  errors.throwIfAny();
  return resolved;
}
