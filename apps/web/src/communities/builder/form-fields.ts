/** Fields of a community file as inputs show them, and the values of inputs as files name them. Pure. */
import {
  type CommunityFile,
  type CommunityFileField,
  type CommunityPreviewField,
  type CommunityPreviewValue,
  FieldType,
  type JsonValue,
} from '@portico/sdk';
import { type FormField, type InputValues, isFilled, kindOf, wireOf } from '../../write/input-values.ts';
import { type Form, fieldsOf } from './edit-file.ts';

/** A value that can be chosen. */
interface Option {
  readonly key: string;
  readonly label: string;
  readonly parents: readonly string[];
}

/** Returns the values of a field: its own list, or the entries of its catalog. */
export function optionsOf(file: CommunityFile, field: CommunityFileField): readonly Option[] {
  const { values = [], catalog } = field;
  if (catalog === undefined) return values.map(({ key = '', label = key, parents = [] }) => ({ key, label, parents }));
  const { entries = [] } = file.catalogs?.find(({ key }) => key === catalog) ?? {};
  return entries.map(({ key = '', label = {}, parents = [] }) => ({
    key,
    label: Object.values(label)[0] ?? key,
    parents,
  }));
}

/** Whether fields of a type are chosen from a list of values. */
export const isListed = ({ type }: CommunityFileField): boolean =>
  type === 'ENUM' || type === 'ENUM_LIST' || type === 'HIERARCHICAL_ENUM';

/** A field of the file as an input; its id is its place in the form, from 1. */
export type PreviewField = FormField & { readonly key: string };

/** @param shown what the preview says about the fields */
export function previewFields(
  file: CommunityFile,
  form: Form,
  shown: readonly CommunityPreviewField[],
): PreviewField[] {
  const fields = fieldsOf(file, form);
  const told = new Map(shown.map((field) => [field.key, field]));
  const ids = new Map(fields.map(({ key }, index) => [key, index + 1]));
  return fields.map((field, index) => {
    const { key = '', label = '', type = 'STRING', section, description, parent, metadata = {} } = field;
    const above = fields.find((one) => one.key === parent);
    const aboveKeys = above ? optionsOf(file, above).map((option) => option.key) : [];
    const { community_id: _community, user_picker_from_group: _group, ...facts } = metadata;
    return {
      key,
      id: index + 1,
      label,
      type: FieldType[type],
      required: told.get(key)?.required ?? field.required === true,
      metadata: facts,
      ...(section !== undefined && { section }),
      ...(description !== undefined && { description }),
      ...(parent !== undefined && { parentId: ids.get(parent)! }),
      ...(isListed(field) && {
        enumValues: optionsOf(file, field).map((option, at) => ({
          id: at + 1,
          label: option.label,
          parentIds: option.parents.map((one) => aboveKeys.indexOf(one) + 1),
        })),
      }),
    };
  });
}

/** Returns the values of inputs by the keys of the file; leaves out numbers that are half typed. */
export function previewValues(
  file: CommunityFile,
  form: Form,
  fields: readonly PreviewField[],
  values: InputValues,
): CommunityPreviewValue[] {
  const member = form === 'fields' ? 'field' : 'screenField';
  return fields.flatMap((field) => {
    const value = values[String(field.id)];
    const own = fieldsOf(file, form)[field.id! - 1];
    if (!own || !isFilled(value) || (kindOf(field) === 'number' && !isNumber(field, value))) return [];
    const wire = wireOf(field, value);
    const list = (Array.isArray(wire) ? wire : [wire]) as JsonValue[];
    const options = optionsOf(file, own);
    const named = isListed(own) ? list.flatMap((id) => options[Number(id) - 1]?.key ?? []) : list;
    return [{ [member]: field.key, values: named }];
  });
}

function isNumber(field: FormField, value: InputValues[string]): boolean {
  try {
    return wireOf(field, value) !== null;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
