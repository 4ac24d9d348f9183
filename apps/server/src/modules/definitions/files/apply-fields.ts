/** Applies the custom fields in the file of a community. */
import { isDeepStrictEqual } from 'node:util';
import {
  type CommunityFileField,
  type CreatePostFieldRequest,
  DEFAULT_FIELD_TYPE,
  FieldType,
  ValidationType,
} from '@portico/contract';
import { FieldErrors } from '../../../kernel/errors.ts';
import {
  checkFieldsAgree,
  createField,
  editField,
  type FieldDefinition,
  type FieldPlace,
  loadDefinition,
} from '../../communities/index.ts';
import { editFieldWithData } from '../changes/edit-with-data.ts';
import { newTargets, removeFields, retype, valueTreatment } from './change-fields.ts';
import { fieldsByKey, valueKeysOf } from './describe-community.ts';
import { resolveReferences } from './field-references.ts';
import { type NamedFields, resolveConditions, resolveDefault } from './file-conditions.ts';
import { fieldDefaults, idsByKey } from './file-names.ts';
import { isRenamed, renamedValues } from './moved-keys.ts';
import { runAt, type Steps, tokenOf } from './steps.ts';

/** Names in the file that differ from the names in the forms of fields. */
const NAMES = {
  enumValues: 'values',
  validations: 'rules',
  catalogId: 'catalog',
  parentId: 'parent',
  externalId: 'key',
  parentIds: 'parents',
  validationTypeId: 'rule',
  fieldId: 'field',
  defaultValue: 'default',
};

/** Properties that cannot change after a field is created. */
const SETTLED = ['catalog', 'parent', 'searchable', 'sortable'] as const;

/** Returns the fields of a form in the file. */
function listed({ file, present }: Steps, place: FieldPlace) {
  return place === 'post'
    ? {
        form: 'posts' as const,
        kind: 'field' as const,
        path: 'file.fields',
        wanted: file.fields,
        before: present.file.fields,
        ids: present.ids.fields,
      }
    : {
        form: 'screens' as const,
        kind: 'screenField' as const,
        path: 'file.workflow.screenFields',
        wanted: file.workflow?.screenFields,
        before: present.file.workflow?.screenFields,
        ids: present.ids.screenFields,
      };
}

/**
 * Applies the fields of posts, or of screens. {@link checkFields} checks them against each other.
 * Omitted fields stay until {@link applyRemovals}.
 * @throws ValidationError also where the file changes a property that cannot change
 */
export async function applyFields(steps: Steps, communityId: number, place: FieldPlace): Promise<void> {
  const { within, write } = steps;
  const { form, kind, path, wanted: fields = [], before: present = [], ids: known } = listed(steps, place);
  refuseUnsupported(fields, present, path);
  const before = new Map(present.map((field) => [field.key, field]));
  const order = [...known.values()].map(({ id }) => id);
  const ids = new Map([...known].map(([key, { id }]) => [key, id]));
  for (const [index, field] of fields.entries()) {
    const key = field.key ?? '';
    let existing = known.get(key);
    if (existing && existing.type !== FieldType[field.type ?? DEFAULT_FIELD_TYPE]) {
      const former = existing.id;
      ids.set(key, await retype(steps, communityId, form, existing, field, `${path}[${index}]`));
      existing = await loadField(write, communityId, ids.get(key)!);
      order.splice(order.indexOf(former), 1, ids.get(key)!);
    }
    const parentId = ids.get(field.parent ?? '');
    // The parent field may have got its values just before.
    const above = parentId === undefined ? undefined : await loadField(write, communityId, parentId);
    const renamed = isRenamed(steps.present, kind, key);
    const valueKeys = renamedValues(steps.present, kind, key);
    if (existing) {
      const added = newTargets(steps, form, field, valueIds(existing, valueKeys));
      if (added.length > 0) {
        await addValues(steps, communityId, place, existing, added, `${path}[${index}]`);
        existing = (await loadField(write, communityId, existing.id))!;
      }
    }
    const sent = fieldForm(field, steps, existing, above, { renamed, valueKeys });
    await runAt(`${path}[${index}]`, NAMES, async () => {
      if (!existing) {
        const { fieldId } = await createField(within, place, communityId, sent as CreatePostFieldRequest, 'later');
        ids.set(key, fieldId!);
        order.push(fieldId!);
      }
      const id = ids.get(key)!;
      const moved = order[index] !== id;
      const same = !renamed && !valueKeys && isDeepStrictEqual(before.get(key), field);
      if (!moved && (!existing || same)) return;
      const {
        type: _type,
        catalogId: _catalog,
        parentId: _parent,
        searchable: _search,
        sortable: _sort,
        ...edit
      } = sent;
      // The values of a new field have ids that its form does not have.
      const { enumValues, ...others } = edit;
      const occToken = await tokenOf(steps, communityId);
      const moves = moved && { position: index + 1 };
      // The former default need not satisfy the new rules; the new one is set after all values are
      // stored.
      const begins = existing && !isDeepStrictEqual(before.get(key)?.default, field.default) && { defaultValue: '' };
      const treatment = existing && valueTreatment(steps, form, key, valueIds(existing, valueKeys));
      await editFieldWithData(
        within,
        place,
        communityId,
        id,
        { ...(existing ? edit : others), ...begins, ...moves, ...treatment, occToken },
        { agreement: 'later', follow: true },
      );
      if (moved) order.splice(index, 0, ...order.splice(order.indexOf(id), 1));
    });
  }
  await applyDependants(steps, communityId, place);
}

/** Adds values to the list of a field, to which omitted ones move. */
async function addValues(
  steps: Steps,
  communityId: number,
  place: FieldPlace,
  field: FieldDefinition,
  added: NonNullable<CommunityFileField['values']>,
  path: string,
): Promise<void> {
  const enumValues = [
    ...field.enumValues.map(({ id, label, translations, externalId, parentIds, deleted }) => ({
      id,
      label,
      translations: { ...translations },
      ...(externalId !== null && { externalId }),
      parentIds: [...parentIds],
      deleted,
    })),
    ...added.map(({ key: externalId = '', label = '' }) => ({ label, externalId, deleted: false })),
  ];
  const { label, description, externalId } = field;
  const texts = {
    label,
    ...(description !== null && { description }),
    ...(externalId !== null && { externalId }),
  };
  const occToken = await tokenOf(steps, communityId);
  await runAt(path, NAMES, () =>
    editField(steps.within, place, communityId, field.id, { ...texts, enumValues, occToken }, 'later'),
  );
}

/** Returns the ids of the values of a field by their keys in the file. */
function valueIds(field: FieldDefinition, renamed: ReadonlyMap<string, string> | undefined): Map<string, number> {
  return new Map([...idsByKey(valueKeysOf(field))].map(([key, id]) => [renamed?.get(key) ?? key, id]));
}

async function loadField(write: Steps['write'], communityId: number, fieldId: number) {
  const definition = await loadDefinition(write.tx, communityId);
  return definition?.fieldById.get(fieldId) ?? definition?.workflow?.fieldById.get(fieldId);
}

/**
 * Sets changed conditions and defaults of fields, after the fields and values that they name are
 * stored.
 */
async function applyDependants(steps: Steps, communityId: number, place: FieldPlace): Promise<void> {
  const { form, path, wanted = [], before = [] } = listed(steps, place);
  const dependants = ({ conditions = [], default: begins }: CommunityFileField) => ({ conditions, begins });
  const present = new Map(before.map((field) => [field.key, dependants(field)]));
  const changed = wanted.flatMap((field, index) => {
    const after = dependants(field);
    const known = present.get(field.key) ?? dependants({});
    return isDeepStrictEqual(known, after) ? [] : { index, key: field.key ?? '', ...after };
  });
  if (changed.length === 0) return;
  const named = await namedFields(steps, communityId);
  for (const { index, key, conditions, begins } of changed) {
    const field = named[form].get(key)!;
    const { externalId, description } = field;
    const at = `${path}[${index}]`;
    const resolved = {
      conditions: resolveConditions(conditions, named, form, `${at}.conditions`),
      defaultValue: resolveDefault(begins, named, field, `${at}.default`),
    };
    await runAt(at, NAMES, async () =>
      editField(
        steps.within,
        place,
        communityId,
        field.id,
        {
          label: field.label,
          ...(externalId !== null && { externalId }),
          ...(description !== null && { description }),
          ...resolved,
          occToken: await tokenOf(steps, communityId),
        },
        'later',
      ),
    );
  }
}

/** Returns the present fields by the keys of the file. */
export async function namedFields({ write, entries }: Steps, communityId: number): Promise<NamedFields> {
  const definition = await loadDefinition(write.tx, communityId);
  const valueKeys = new Map<number, ReadonlyMap<string, number>>();
  return {
    posts: fieldsByKey(definition?.fields),
    screens: fieldsByKey(definition?.workflow?.fields),
    valueIds: (field) => {
      if (field.catalogId !== null) return entries.get(field.catalogId);
      const known = valueKeys.get(field.id) ?? idsByKey(valueKeysOf(field));
      valueKeys.set(field.id, known);
      return known;
    },
  };
}

/**
 * Takes omitted fields out of use, after all others are stored and nothing names the omitted ones
 * any more.
 */
export async function applyRemovals(steps: Steps, communityId: number): Promise<void> {
  for (const place of ['post', 'screen'] as const) {
    const { form, path, wanted = [], ids } = listed(steps, place);
    const kept = new Set(wanted.map(({ key }) => key));
    const gone = [...ids].flatMap(([key, { id }]) => (kept.has(key) ? [] : [{ key, id }]));
    if (gone.length === 0 || (place === 'screen' && !steps.file.workflow)) continue;
    await removeFields(steps, communityId, form, gone, (await namedFields(steps, communityId))[form], path);
  }
}

/** Checks the fields of posts and of screens against each other. @throws ValidationError */
export async function checkFields(steps: Steps, communityId: number): Promise<void> {
  const definition = (await loadDefinition(steps.write.tx, communityId))!;
  for (const place of definition.workflow ? (['post', 'screen'] as const) : (['post'] as const))
    await runAt(listed(steps, place).path, { '': '' }, async () => checkFieldsAgree(definition, place));
}

/** Rejects changes of existing fields that are not supported. */
function refuseUnsupported(
  wanted: readonly CommunityFileField[],
  present: readonly CommunityFileField[],
  path: string,
): void {
  const errors = new FieldErrors();
  const before = new Map(present.map((field) => [field.key, field]));
  for (const [index, field] of wanted.entries()) {
    const known = before.get(field.key);
    for (const property of SETTLED)
      if (known && known[property] !== field[property])
        errors.add(
          `${path}[${index}].${property}`,
          'INVALID_VALUE',
          `It is settled when the field is created: ${String(known[property] ?? 'left out')}.`,
        );
  }
  errors.throwIfAny();
}

/**
 * Returns the form of a field. @param present the present field, if it exists @param above its
 * parent field, if it exists @param keys whether the file renames the field, and its values
 */
function fieldForm(
  field: CommunityFileField,
  { catalogs, roles, groups, communities }: Pick<Steps, 'catalogs' | 'roles' | 'groups' | 'communities'>,
  present: FieldDefinition | undefined,
  above: FieldDefinition | undefined,
  keys: { readonly renamed: boolean; readonly valueKeys: ReadonlyMap<string, string> | undefined },
) {
  const {
    key = '',
    label = '',
    type: _type,
    description,
    catalog,
    parent: _parent,
    values = [],
    rules = [],
    visibleToRoles = [],
    conditions: _conditions,
    default: _default,
    translations = {},
    section = '',
    sectionTranslations = {},
    ...rest
  } = field;
  const ids = present && valueIds(present, keys.valueKeys);
  const newKeys = new Set(keys.valueKeys?.values());
  const parents = above && idsByKey(valueKeysOf(above));
  const externalId = present && !keys.renamed ? present.externalId : key;
  return {
    ...fieldDefaults(field),
    ...rest,
    ...(field.type !== undefined && { type: FieldType[field.type] }),
    label,
    translations,
    section,
    sectionTranslations,
    ...(description !== undefined && { description }),
    ...(externalId !== null && { externalId }),
    metadata: resolveReferences(rest.metadata ?? {}, { groups, communities }),
    visibleToRoles: visibleToRoles.map((role) => roles.get(role)!),
    ...(catalog !== undefined && { catalogId: catalogs.get(catalog)! }),
    ...(above && { parentId: above.id }),
    enumValues: values.map((value) => {
      const id = ids?.get(value.key ?? '');
      const known = id === undefined ? undefined : present?.enumValueById.get(id);
      const valueId = known && !newKeys.has(value.key ?? '') ? known.externalId : value.key;
      return {
        ...(known && { id: known.id }),
        label: value.label ?? '',
        translations: value.translations ?? {},
        ...(valueId != null && { externalId: valueId }),
        parentIds: (value.parents ?? []).flatMap((parent) => parents?.get(parent) ?? []),
        deleted: false,
      };
    }),
    validations: rules.map(({ rule, parameter }) => ({
      ...(rule !== undefined && { validationTypeId: ValidationType[rule] }),
      ...(parameter !== undefined && { parameter }),
    })),
  };
}
