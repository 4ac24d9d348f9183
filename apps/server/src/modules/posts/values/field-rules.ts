/** What writing needs to know about the custom fields of a community and of its workflow's screens. */
import type { FieldType, ValidationType } from '@portico/contract';
import type { TenantExecutor } from '../../../platform/db/tenant-db.ts';

/** A rule that a value must keep (contract: ValidationType). */
export interface FieldValidation {
  id: number;
  typeId: ValidationType;
  parameter: string | null;
}

/** A value of a field that keeps its own list. */
export interface FieldEnumValue {
  id: number;
  parentIds: readonly number[];
  deleted: boolean;
}

/** One field of a community's posts or of a workflow's screens. */
export interface FieldRule {
  id: number;
  type: FieldType;
  label: string;
  /** The field whose value narrows the values of this one. */
  parentId: number | null;
  /** Where an enumerated field takes its values from; null: from `enumValues`. */
  catalogId: number | null;
  required: boolean;
  readonly: boolean;
  searchable: boolean;
  sortable: boolean;
  visibleInCreate: boolean;
  visibleInEdit: boolean;
  metadata: Readonly<Record<string, string>>;
  enumValues: readonly FieldEnumValue[];
  validations: readonly FieldValidation[];
}

interface FieldRow extends Omit<FieldRule, 'enumValues' | 'validations'> {
  communityId: number | null;
}

/** The living fields of a community (`post`) and of its workflow's screens (`screen`), each in their order. */
export interface FieldRules {
  post: readonly FieldRule[];
  screen: readonly FieldRule[];
}

/**
 * Reads the fields of a community and of a workflow, with their own values and rules, in three statements.
 * @param workflowId the community's workflow, or null
 */
export async function loadFieldRules(
  db: TenantExecutor,
  communityId: number | null,
  workflowId: number | null,
): Promise<FieldRules> {
  const rows = await db.query<FieldRow>(
    `SELECT id, type, label, parent_id AS "parentId", catalog_id AS "catalogId", required, readonly, searchable, sortable,
            visible_in_create AS "visibleInCreate", visible_in_edit AS "visibleInEdit", metadata,
            community_id AS "communityId"
       FROM fields
      WHERE tenant_id = $1 AND NOT deleted AND (community_id = $2 OR workflow_id = $3)
      ORDER BY position, id`,
    [db.tenantId, communityId, workflowId],
  );
  const ids = rows.map((row) => row.id);
  const values = await db.query<FieldEnumValue & { fieldId: number }>(
    `SELECT field_id AS "fieldId", id, parent_ids AS "parentIds", deleted FROM field_enum_values
      WHERE tenant_id = $1 AND field_id = ANY ($2::bigint[]) ORDER BY position, id`,
    [db.tenantId, ids],
  );
  const validations = await db.query<FieldValidation & { fieldId: number }>(
    `SELECT field_id AS "fieldId", id, type_id AS "typeId", parameter FROM field_validations
      WHERE tenant_id = $1 AND field_id = ANY ($2::bigint[]) ORDER BY position, id`,
    [db.tenantId, ids],
  );
  const valuesOf = Map.groupBy(values, (value) => value.fieldId);
  const validationsOf = Map.groupBy(validations, (validation) => validation.fieldId);
  const rules: { post: FieldRule[]; screen: FieldRule[] } = { post: [], screen: [] };
  for (const { communityId: owner, ...row } of rows) {
    rules[owner === null ? 'screen' : 'post'].push({
      ...row,
      enumValues: valuesOf.get(row.id) ?? [],
      validations: validationsOf.get(row.id) ?? [],
    });
  }
  return rules;
}
