/**
 * Defines fields of posts and of screens, for generators and imports (not an operation of the
 * interface).
 */

import { type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors, invalid, notFound } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { isChoice } from '../fields/index.ts';
import { insertMissingValues } from '../records/index.ts';
import { requireDefinitionRight } from './communities.policy.ts';
import { checkLabel, type NewEnumValue, type NewField } from './definition-input.ts';
import type { FieldDefinition } from './definition-types.ts';
import { changeDefinitions } from './definition-versions.ts';
import { type FieldOwner, ownerColumns } from './field-owner.ts';
import { type AddedField, communitiesOf, insertEnumValues, insertField } from './field-rows.ts';
import { needsPrefill, prefill } from './prefill-values.ts';
import { refuseTooManyValues } from './value-limit.ts';

/**
 * Adds a field to the posts of a community or to the screens of a workflow. Existing posts get
 * empty value rows: in the same transaction if they are few (or if the scope has joined one),
 * otherwise in small transactions before the field appears. The rows are therefore complete when
 * the field becomes visible.
 * @param check rejects a field that does not fit the definition; called in each transaction that
 * adds to it
 * @throws PorticoError FORBIDDEN, NOT_FOUND for owner or catalog; ValidationError with all errors
 */
export async function addField(
  scope: Scope,
  owner: FieldOwner,
  field: NewField,
  check: (write: WriteScope) => Promise<void> = async () => undefined,
): Promise<AddedField> {
  const indexed = (field.searchable ?? true) || field.sortable === true;
  const { added, communityIds, hidden } = await writeTransaction(scope, 'definitions', async (write) => {
    const communityIds = await communitiesOf(write, owner);
    requireDefinitionRight(write.actor, communityIds);
    await check(write);
    const hidden = indexed && !scope.db.inTransaction && (await needsPrefill(write, 1, communityIds));
    if (hidden) return { added: await insertField(write, owner, field, true), communityIds, hidden };
    const added = await changeDefinitions(write, communityIds, async () => {
      const made = await insertField(write, owner, field, false);
      if (indexed) await insertMissingValues(write.tx, [made.id], communityIds);
      return made;
    });
    return { added, communityIds, hidden };
  });
  if (hidden) {
    await prefill(scope, [added.id], communityIds);
    await writeTransaction(scope, 'definitions', async (write) => {
      // A workflow may have been given to a further community meanwhile.
      const now = await communitiesOf(write, owner);
      await check(write);
      await changeDefinitions(write, now, async () => {
        await insertMissingValues(write.tx, [added.id], now);
        await write.tx.send('UPDATE fields SET deleted = false, external_id = $3 WHERE tenant_id = $1 AND id = $2', [
          write.tx.tenantId,
          added.id,
          field.externalId ?? null,
        ]);
        // Others may have added values meanwhile.
        if (added.enumValueIds.length > 0) await refuseTooManyValues(write.tx, owner, 'enumValues');
      });
    });
  }
  return added;
}

/**
 * Finds a field by its external id, else by its label, or adds it. An existing field only gets the
 * values that its own list lacks.
 * @throws ValidationError when the existing field has another type
 */
export async function ensureField(scope: Scope, owner: FieldOwner, field: NewField): Promise<AddedField> {
  const known = await writeTransaction(scope, 'none', (write) => findField(write, owner, field));
  if (!known) return addField(scope, owner, field);
  if (known.type !== field.type) {
    throw invalid('type', 'INVALID_VALUE', `The field "${field.label}" exists with another type.`);
  }
  return { id: known.id, enumValueIds: await addEnumValues(scope, known.id, field.enumValues ?? []) };
}

async function findField(
  write: WriteScope,
  owner: FieldOwner,
  field: NewField,
): Promise<Pick<FieldDefinition, 'id' | 'type'> | undefined> {
  const [communityId, workflowId] = ownerColumns(owner);
  const [row] = await write.tx.query<Pick<FieldDefinition, 'id' | 'type'>>(
    `SELECT id, type FROM fields
      WHERE tenant_id = $1 AND (community_id = $2 OR workflow_id = $3) AND NOT deleted
        AND CASE WHEN $4::text IS NULL THEN label = $5 ELSE external_id = $4 END
      ORDER BY position, id LIMIT 1`,
    [write.tx.tenantId, communityId, workflowId, field.externalId ?? null, field.label.trim()],
  );
  return row;
}

/** Returns the key that identifies a value of a field's list: its external id, else its label. */
function valueKey(value: { label: string; externalId?: string | null }): string {
  return value.externalId ? `x${value.externalId}` : `l${value.label.trim()}`;
}

/**
 * Adds the values that a field's own list lacks, compared by external id, else by label. Safe to
 * repeat.
 * @returns ids of all the given values, in their order
 * @throws PorticoError FORBIDDEN, NOT_FOUND; ValidationError when the field has no list of its own
 */
export async function addEnumValues(scope: Scope, fieldId: number, values: readonly NewEnumValue[]): Promise<number[]> {
  if (values.length === 0) return [];
  const find = async (write: WriteScope) => {
    const rows = await write.tx.query<{ id: number; label: string; externalId: string | null }>(
      `SELECT id, label, external_id AS "externalId" FROM field_enum_values
        WHERE tenant_id = $1 AND field_id = $2 ORDER BY deleted DESC, id DESC`,
      [write.tx.tenantId, fieldId],
    );
    const ids = new Map<string, number>();
    for (const row of rows) {
      ids.set(valueKey({ label: row.label }), row.id);
      if (row.externalId) ids.set(valueKey(row), row.id);
    }
    return ids;
  };
  const present = await writeTransaction(scope, 'none', find);
  if (values.every((value) => present.has(valueKey(value))))
    return values.map((value) => present.get(valueKey(value))!);
  return writeTransaction(scope, 'definitions', async (write) => {
    const [field] = await write.tx.query<
      Pick<FieldDefinition, 'id' | 'type' | 'catalogId' | 'parentId'> & {
        communityId: number | null;
        workflowId: number;
      }
    >(
      `SELECT id, type, catalog_id AS "catalogId", parent_id AS "parentId", community_id AS "communityId",
              workflow_id AS "workflowId"
         FROM fields WHERE tenant_id = $1 AND id = $2 AND NOT deleted`,
      [write.tx.tenantId, fieldId],
    );
    if (!field) throw notFound();
    const owner = field.communityId === null ? { workflowId: field.workflowId } : { communityId: field.communityId };
    const communityIds = await communitiesOf(write, owner);
    requireDefinitionRight(write.actor, communityIds);
    const errors = new FieldErrors();
    if (!isChoice(field) || field.catalogId !== null) {
      errors.add('fieldId', 'INVALID_VALUE', 'This field has no list of values of its own.');
    }
    for (const [index, value] of values.entries()) checkLabel(`[${index}].label`, value.label, errors);
    errors.throwIfAny();
    const ids = await find(write);
    const missing = new Map(
      values.map((value) => [valueKey(value), value]).filter(([key]) => !ids.has(key as string)) as [
        string,
        NewEnumValue,
      ][],
    );
    const made = await changeDefinitions(write, communityIds, () =>
      insertEnumValues(write, owner, field, [...missing.values()], ''),
    );
    for (const [index, key] of [...missing.keys()].entries()) ids.set(key, made[index]!);
    return values.map((value) => ids.get(valueKey(value))!);
  });
}
