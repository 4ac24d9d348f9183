/** Creates the fields, values and catalogs that an import needs. */
import { oneLine } from '@portico/contract';
import type { Scope } from '../../kernel/scope.ts';
import { sqlColumns } from '../columns.ts';
import {
  addEnumValues,
  type CommunityDefinition,
  createCatalogEntries,
  type EnsuredCatalog,
  ensureCatalog,
  ensureField,
  type NewField,
  textIn,
} from '../communities/index.ts';
import { isChoice } from '../fields/index.ts';
import { LABELS_AT_ONCE, makeNoted, type PortalIds, type Prepared, unusableKey } from './prepared.ts';
import { runInBatches } from './run-in-batches.ts';
import { labelKey, type WantedLabel } from './scan.ts';
import type { FieldMapping, Mapping } from './source/mapping-types.ts';

const catalogEntries = sqlColumns('catalog_entries');
const catalogs = sqlColumns('catalogs');
const fieldEnumValues = sqlColumns('field_enum_values');

export async function prepareField(
  prepared: Prepared,
  field: FieldMapping,
  catalogIds: Map<string, number>,
  definition: CommunityDefinition,
): Promise<void> {
  const { scope, mapping, survey, portalIds } = prepared;
  const wanted = new Map<string, WantedLabel>();
  if (isChoice(field)) {
    for (const label of field.values) wanted.set(labelKey(label, undefined), { label });
    if (field.addValues) for (const [key, label] of survey.labels.get(field.key)!) wanted.set(key, label);
  }
  const catalogId = field.known
    ? (field.known.catalogId ?? undefined)
    : field.catalog && (await findOrMakeCatalog(scope, catalogOf(mapping, field, catalogIds)));
  if (catalogId !== undefined) catalogIds.set(field.key, catalogId);
  const owner = { communityId: portalIds.communityId };
  const fields = [...definition.fieldById.values()];
  const ensure = async (within: Scope) => [
    (await ensureField(within, owner, definitionOf(field, portalIds, catalogId))).id,
  ];
  const there = field.known ?? fields.find(({ externalId }) => externalId === field.key);
  const id = field.known?.id ?? (await (there ? ensure(scope) : makeNoted(prepared, 'field', fields, ensure)))[0]!;
  portalIds.fieldIds.set(field.key, id);
  if (!isChoice(field)) return;
  const before = catalogId === undefined ? await valuesOf(scope, id) : [];
  const ids = portalIds.labels.get(field.key)!;
  // Values below others differ in more than their label; the verbs find these.
  if (field.parent === undefined || !field.addValues) await readPresent(scope, id, catalogId, ids);
  const missing = [...wanted].filter(([key]) => !ids.has(key));
  const parents = (label: WantedLabel) => {
    const parentId = label.parent === undefined ? undefined : portalIds.labels.get(field.parent!)?.get(label.parent);
    return parentId === undefined ? [] : [parentId];
  };
  await runInBatches(
    missing,
    LABELS_AT_ONCE,
    async (batch) => {
      const made =
        catalogId === undefined
          ? await makeNoted(prepared, 'value', before, (within) =>
              addEnumValues(
                within,
                id,
                batch.map(([key, label]) => ({
                  label: label.label,
                  externalId: label.parent !== undefined ? key.replaceAll('\0', ' / ') : undefined,
                  parents: parents(label),
                })),
              ),
            )
          : await createCatalogEntries(
              scope,
              catalogId,
              batch.map(([, label]) => ({ label: label.label, parentIds: parents(label) })),
            );
      for (const [index, [key]] of batch.entries()) ids.set(key, made[index]!);
    },
    ([key], reason) => portalIds.unusable.set(unusableKey(field.key, key), reason),
  );
}

/** The values of a field's own list, deleted ones included. */
async function valuesOf(scope: Scope, fieldId: number): Promise<{ id: number }[]> {
  const db = scope.db;
  return db.query<{ id: number }>(
    `SELECT ${fieldEnumValues.id} FROM field_enum_values WHERE tenant_id = $1 AND ${fieldEnumValues.field_id} = $2`,
    [db.tenantId, fieldId],
  );
}

/** Reading first avoids a needless new definitions version. */
async function findOrMakeCatalog(scope: Scope, catalog: EnsuredCatalog & { name: string }): Promise<number> {
  const db = scope.db;
  const [known] = await db.query<{ id: number }>(
    `SELECT ${catalogs.id} FROM catalogs WHERE tenant_id = $1 AND CASE WHEN $2::text IS NULL THEN ${catalogs.name} ->> $4 = $3 ELSE ${catalogs.external_id} = $2 END
      ORDER BY ${catalogs.deleted}, ${catalogs.id} LIMIT 1`,
    [db.tenantId, catalog.externalId ?? null, catalog.name.trim(), scope.settings.defaultLanguage],
  );
  return known?.id ?? ensureCatalog(scope, catalog);
}

function catalogOf(mapping: Mapping, field: FieldMapping, catalogIds: ReadonlyMap<string, number>) {
  const parent = mapping.fields.find((other) => other.key === field.parent);
  return { ...field.catalog!, parentId: parent && catalogIds.get(parent.key) };
}

export function definitionOf(field: FieldMapping, portalIds: PortalIds, catalogId: number | undefined): NewField {
  const { type, label, description, required, readonly, searchable, sortable, metadata, validations } = field;
  return {
    type,
    label,
    externalId: field.key,
    description,
    required,
    readonly,
    searchable,
    sortable,
    visibleInPreview: field.preview,
    metadata,
    parentId: field.parent === undefined ? undefined : portalIds.fieldIds.get(field.parent),
    catalogId,
    validations,
  };
}

/**
 * Reads existing values by label in one line (not all were stored so): all allowed values if none
 * are to be added.
 */
async function readPresent(
  scope: Scope,
  fieldId: number,
  catalogId: number | undefined,
  ids: Map<string, number>,
): Promise<void> {
  const db = scope.db;
  if (catalogId !== undefined) {
    const rows = await db.query<{ id: number; label: Readonly<Record<string, string>> }>(
      `SELECT ${catalogEntries.id}, ${catalogEntries.label} FROM catalog_entries WHERE tenant_id = $1 AND ${catalogEntries.catalog_id} = $2 AND NOT ${catalogEntries.deleted} ORDER BY ${catalogEntries.id} DESC`,
      [db.tenantId, catalogId],
    );
    for (const row of rows)
      ids.set(labelKey(oneLine(textIn(row.label, scope.settings.defaultLanguage)), undefined), row.id);
    return;
  }
  const rows = await db.query<{ id: number; label: string }>(
    `SELECT ${fieldEnumValues.id}, ${fieldEnumValues.label} FROM field_enum_values WHERE tenant_id = $1 AND ${fieldEnumValues.field_id} = $2 AND NOT ${fieldEnumValues.deleted} ORDER BY ${fieldEnumValues.id} DESC`,
    [db.tenantId, fieldId],
  );
  for (const row of rows) ids.set(labelKey(oneLine(row.label), undefined), row.id);
}
