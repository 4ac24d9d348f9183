/** Making custom fields what the file of a community says. */
import { isDeepStrictEqual } from 'node:util';
import { type CommunityFileField, type CreatePostFieldRequest, FieldType, ValidationType } from '@portico/contract';
import { type FieldError, ValidationError } from '../../kernel/errors.ts';
import { createField, editField, type FieldDefinition, loadDefinitions } from '../communities/index.ts';
import { valueKeysOf } from './describe-community.ts';
import { fieldDefaults } from './file-names.ts';
import { at, type Steps, tokenOf } from './steps.ts';

/** How the file calls what the forms of fields call otherwise. */
const NAMES = {
  enumValues: 'values',
  validations: 'rules',
  catalogId: 'catalog',
  parentId: 'parent',
  externalId: 'key',
};

/** Properties that are settled when a field is created. */
const SETTLED = ['type', 'catalog', 'parent', 'searchable', 'sortable'] as const;

/** @throws ValidationError also where the file leaves fields out, or changes what is settled */
export async function applyFields(steps: Steps, communityId: number): Promise<void> {
  const { within, write, file, present, catalogs } = steps;
  const fields = file.fields ?? [];
  refuseUnsupported(fields, present.file.fields ?? [], 'file.fields');
  const before = new Map(present.file.fields?.map((field) => [field.key, field]));
  const order = [...present.ids.fields.values()].map(({ id }) => id);
  const ids = new Map([...present.ids.fields].map(([key, { id }]) => [key, id]));
  for (const [index, field] of fields.entries()) {
    const key = field.key ?? '';
    const known = present.ids.fields.get(key);
    const parentId = ids.get(field.parent ?? '');
    // The field above may have got its values a moment ago.
    const above =
      parentId === undefined
        ? undefined
        : (await loadDefinitions(write.tx, [communityId])).get(communityId)?.fieldById.get(parentId);
    const form = fieldForm(field, catalogs, known, above);
    await at(`file.fields[${index}]`, NAMES, async () => {
      if (!known) {
        const { fieldId } = await createField(within, 'post', communityId, form as CreatePostFieldRequest);
        ids.set(key, fieldId!);
        order.push(fieldId!);
      }
      const id = ids.get(key)!;
      const moved = order[index] !== id;
      if (!moved && (!known || isDeepStrictEqual(before.get(key), field))) return;
      const {
        type: _type,
        catalogId: _catalog,
        parentId: _parent,
        searchable: _search,
        sortable: _sort,
        ...edit
      } = form;
      // Values of a field that was just created have ids that its form does not know.
      const { enumValues, ...others } = edit;
      const occToken = await tokenOf(steps, communityId);
      await editField(within, 'post', communityId, id, {
        ...(known ? edit : others),
        ...(moved && { position: index + 1 }),
        occToken,
      });
      if (moved) order.splice(index, 0, ...order.splice(order.indexOf(id), 1));
    });
  }
}

/** Refuses what cannot be changed of fields that exist. */
export function refuseUnsupported(
  wanted: readonly CommunityFileField[],
  present: readonly CommunityFileField[],
  path: string,
): void {
  const errors: FieldError[] = [];
  const before = new Map(present.map((field) => [field.key, field]));
  for (const [index, field] of wanted.entries()) {
    const known = before.get(field.key);
    before.delete(field.key);
    for (const property of SETTLED)
      if (known && known[property] !== field[property])
        errors.push({
          field: `${path}[${index}].${property}`,
          code: 'INVALID_VALUE',
          defaultMessage: `It is settled when the field is created: ${String(known[property] ?? 'left out')}.`,
        });
  }
  if (before.size > 0)
    errors.push({
      field: path,
      code: 'INVALID_VALUE',
      defaultMessage: `Fields that exist cannot be left out: ${[...before.keys()].join(', ')}.`,
    });
  if (errors.length > 0) throw new ValidationError(errors);
}

/** The form of a field. @param present the field as it is, where there is one  @param above the field above, where there is one */
export function fieldForm(
  field: CommunityFileField,
  catalogs: ReadonlyMap<string, number>,
  present?: FieldDefinition,
  above?: FieldDefinition,
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
    ...rest
  } = field;
  const ids = new Map(present && [...valueKeysOf(present)].map(([id, valueKey]) => [valueKey, id]));
  const parents = new Map(above && [...valueKeysOf(above)].map(([id, valueKey]) => [valueKey, id]));
  const externalId = present ? present.externalId : key;
  return {
    ...fieldDefaults(field),
    ...rest,
    ...(field.type !== undefined && { type: FieldType[field.type] }),
    label,
    ...(description !== undefined && { description }),
    ...(externalId !== null && { externalId }),
    metadata: rest.metadata ?? {},
    ...(catalog !== undefined && { catalogId: catalogs.get(catalog)! }),
    ...(above && { parentId: above.id }),
    enumValues: values.map((value) => {
      const id = ids.get(value.key ?? '');
      const known = id === undefined ? undefined : present?.enumValueById.get(id);
      const valueId = known ? known.externalId : value.key;
      return {
        ...(known && { id: known.id }),
        label: value.label ?? '',
        ...(valueId != null && { externalId: valueId }),
        parentIds: (value.parents ?? []).flatMap((parent) => parents.get(parent) ?? []),
        deleted: false,
      };
    }),
    validations: rules.map(({ rule, parameter }) => ({
      ...(rule !== undefined && { validationTypeId: ValidationType[rule] }),
      ...(parameter !== undefined && { parameter }),
    })),
  };
}
