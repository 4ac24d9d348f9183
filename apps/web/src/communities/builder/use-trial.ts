/** A trial of the draft: the person as whom it is met, the values of a post, and the answer of the server. */
import type { CommunityFile } from '@portico/sdk';
import { useState } from 'react';
import type { InputValues } from '../../write/input-values.ts';
import { type PreviewField, previewFields, previewValues } from './form-fields.ts';
import { usePreview, type Whom } from './use-checks.ts';

/** Values by id of the field, which inputs take; they are kept by key, as the place of a field changes. */
export const valuesById = (fields: readonly PreviewField[], values: InputValues): InputValues =>
  Object.fromEntries(fields.map((field) => [String(field.id), values[field.key]]));

export type Trial = ReturnType<typeof useTrial>;

/** Keeps the choices of a trial, and asks for its answer. */
export function useTrial(file: CommunityFile) {
  const [whom, setWhom] = useState<Whom>({});
  const [form, setForm] = useState<'create' | 'edit'>('create');
  const [byAuthor, setByAuthor] = useState(true);
  const [values, setValues] = useState<InputValues>({});
  const inputs = previewFields(file, 'fields', []);
  const preview = usePreview(file, {
    ...whom,
    form,
    byAuthor,
    values: previewValues(file, 'fields', inputs, valuesById(inputs, values)),
  });
  return { whom, setWhom, form, setForm, byAuthor, setByAuthor, values, setValues, preview };
}
