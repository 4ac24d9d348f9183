/** Existing fields that the file of a community omits, or whose type it changes. */
import {
  type ApplyCommunityRequest,
  type ChangeFieldTypeRequest,
  type CommunityFileField,
  type CommunityFileFieldChange,
  DEFAULT_FIELD_TYPE,
  FieldType,
  type RemoveFieldRequest,
} from '@portico/contract';
import { FieldErrors, invalid } from '../../../kernel/errors.ts';
import type { FieldDefinition } from '../../communities/index.ts';
import { isChoice } from '../../fields/index.ts';
import { changeFieldType } from '../changes/change-field-type.ts';
import { removeField } from '../changes/remove-field.ts';
import { runAt, type Steps, tokenOf } from './steps.ts';

type Form = 'posts' | 'screens';

/** Instructions of the request for the values of fields. */
export class FieldChanges {
  readonly #entries: readonly CommunityFileFieldChange[];

  /** @throws ValidationError for entries that name no field, or an unchanged field */
  constructor(entries: ApplyCommunityRequest['fieldChanges'], { file, present }: Pick<Steps, 'file' | 'present'>) {
    this.#entries = entries ?? [];
    const errors = new FieldErrors();
    for (const [index, { field, screenField, onExisting }] of this.#entries.entries()) {
      const path = `fieldChanges[${index}]`;
      if ((field === undefined) === (screenField === undefined))
        errors.add(`${path}.field`, 'INVALID_VALUE', 'An entry names one field.');
      const [before, after] =
        screenField === undefined
          ? [present.file.fields, file.fields]
          : [present.file.workflow?.screenFields, file.workflow?.screenFields];
      const of = (fields: readonly CommunityFileField[] = []) =>
        fields.find(({ key }) => key === (screenField ?? field));
      if (!of(before) || of(before)?.type === of(after)?.type)
        errors.add(
          `${path}.${screenField === undefined ? 'field' : 'screenField'}`,
          'UNKNOWN_REFERENCE',
          'The file leaves out no such field, and changes the type of none.',
        );
      if (onExisting === undefined) errors.add(`${path}.onExisting`, 'REQUIRED_FIELD');
    }
    errors.throwIfAny();
  }

  /** Returns the entry of a field, and its path in the request. */
  of(form: Form, key: string): { path: string; entry: CommunityFileFieldChange | undefined } {
    const index = this.#entries.findIndex((entry) => (form === 'posts' ? entry.field : entry.screenField) === key);
    return index < 0
      ? { path: 'fieldChanges', entry: undefined }
      : { path: `fieldChanges[${index}]`, entry: this.#entries[index] };
  }
}

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
  const { path, entry } = steps.fieldChanges.of(form, key);
  const to = FieldType[type];
  if (entry && entry.onExisting !== 'clear')
    throw invalid(`${path}.onExisting`, 'INVALID_VALUE', 'Of a field of another type: clear.');
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
      'fieldChanges',
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
    const { path, entry } = steps.fieldChanges.of(form, key);
    const { onExisting, into } = entry ?? {};
    const intoFieldId = named.get(into ?? '')?.id;
    if (into !== undefined && intoFieldId === undefined)
      throw invalid(`${path}.into`, 'UNKNOWN_REFERENCE', 'The file has no such field.');
    const request: RemoveFieldRequest = {
      ...(onExisting && { onExisting }),
      ...(intoFieldId !== undefined && { intoFieldId }),
      occToken: await tokenOf(steps, communityId),
    };
    await runAt('', namesOf(path, entry, place), () => removeField(steps.within, communityId, id, request));
  }
}
