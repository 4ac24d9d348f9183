/** Existing fields that the file of a community omits, or whose type or values it changes. */
import {
  type ChangeFieldTypeRequest,
  type CommunityFileField,
  DEFAULT_FIELD_TYPE,
  type EditPostFieldRequest,
  FieldType,
  type RemoveFieldRequest,
} from '@portico/contract';
import { invalid } from '../../../kernel/errors.ts';
import type { FieldDefinition } from '../../communities/index.ts';
import { isChoice } from '../../fields/index.ts';
import { changeFieldType } from '../changes/change-field-type.ts';
import { removeField } from '../changes/remove-field.ts';
import { runAt, type Steps, tokenOf } from './steps.ts';

type Form = 'posts' | 'screens';

/**
 * Maps fields of the verbs to paths in the request; without an entry, errors report it as missing.
 * @param place of the field
 */
const namesOf = (path: string, entry: object | undefined, place: string) => ({
  onExisting: entry ? `${path}.onExisting` : path,
  intoFieldId: `${path}.into`,
  enumValues: `${place}.values`,
  type: `${place}.type`,
  fieldId: place,
});

/**
 * Changes the type of a field to the one in the file.
 * @param place of the field in the request
 * @returns its id
 * @throws ValidationError; also where posts are so many that their values are converted in the
 * background
 */
export async function retype(
  steps: Steps,
  communityId: number,
  form: Form,
  { id, type: from }: FieldDefinition,
  { key = '', type = DEFAULT_FIELD_TYPE, values = [] }: CommunityFileField,
  place: string,
): Promise<number> {
  const { path, entry } = steps.choices.of(form, key);
  const to = FieldType[type];
  const request: ChangeFieldTypeRequest = {
    type: to,
    ...(isChoice({ type: to }) &&
      !isChoice({ type: from }) && {
        enumValues: values.map(({ key: externalId = '', label = '' }) => ({ label, externalId })),
      }),
    ...(entry && { onExisting: 'clear' }),
    occToken: await tokenOf(steps, communityId),
  };
  const { fieldId, changeId } = await runAt('', namesOf(path, entry, place), () =>
    changeFieldType(steps.within, communityId, id, request),
  );
  if (changeId !== undefined)
    throw invalid(
      `${place}.type`,
      'INVALID_VALUE',
      `Posts are so many that the type of "${key}" changes in the background: change it by changeFieldType first.`,
    );
  return fieldId!;
}

/**
 * Takes omitted fields out of use, after all references to them are gone. @param place of the
 * fields in the request @param named ids of fields by their keys
 */
export async function removeFields(
  steps: Steps,
  communityId: number,
  form: Form,
  gone: readonly { key: string; id: number }[],
  named: ReadonlyMap<string, { readonly id: number }>,
  place: string,
): Promise<void> {
  // Reverse order: fields come after the fields on which their values depend.
  for (const { key, id } of gone.toReversed()) {
    const { path, entry } = steps.choices.of(form, key);
    const { onExisting, into } = entry ?? {};
    const intoFieldId = named.get(into ?? '')?.id;
    const request: RemoveFieldRequest = {
      ...(onExisting && { onExisting }),
      ...(intoFieldId !== undefined && { intoFieldId }),
      occToken: await tokenOf(steps, communityId),
    };
    await runAt('', namesOf(path, entry, place), () => removeField(steps.within, communityId, id, request));
  }
}

/**
 * Returns the treatment of omitted values of a list, as the form of the field has it.
 * @param ids of the present values by key; a value that is new in the file has an id once it is added
 */
export function valueTreatment(
  steps: Steps,
  form: Form,
  key: string,
  ids: ReadonlyMap<string, number>,
): Pick<EditPostFieldRequest, 'onExisting' | 'valueMapping'> {
  const { onExisting = steps.choices.ofValues, values = [] } = steps.choices.of(form, key).entry ?? {};
  if (onExisting === undefined) return {};
  if (onExisting !== 'map') return { onExisting };
  const valueMapping = values.map(({ value = '', into }) => {
    const toId = into === undefined ? undefined : ids.get(into);
    return { fromId: ids.get(value)!, ...(toId !== undefined && { toId }) };
  });
  return { onExisting, valueMapping };
}

/** Returns values of the file to which others move and that the field does not have yet. */
export function newTargets(
  steps: Steps,
  form: Form,
  { key = '', values = [] }: CommunityFileField,
  ids: ReadonlyMap<string, number>,
): NonNullable<CommunityFileField['values']> {
  const into = new Set(steps.choices.of(form, key).entry?.values?.map((entry) => entry.into));
  return values.filter((value) => into.has(value.key) && !ids.has(value.key ?? ''));
}
