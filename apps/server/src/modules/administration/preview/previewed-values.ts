/** Values of the post of a preview. */
import { type CommunityPreviewValue, TextFormat } from '@portico/contract';
import { FieldErrors } from '../../../kernel/errors.ts';
import { type RehearsedDefinition, resolveNamedValues } from '../../definitions/index.ts';
import { type FieldData, type StoredValue, typeOf, ValueError } from '../../fields/index.ts';

/** Values by id of the field, as posts store them. */
export interface PreviewedValues {
  readonly customData: FieldData;
  readonly screenData: FieldData;
}

/** @throws ValidationError for unknown fields and values, and values of another form */
export function readPreviewedValues(
  rehearsed: RehearsedDefinition,
  sent: readonly CommunityPreviewValue[],
): PreviewedValues {
  const { fieldById, workflow } = rehearsed.definition;
  const errors = new FieldErrors();
  const customData: Record<string, StoredValue> = {};
  const screenData: Record<string, StoredValue> = {};
  for (const [index, { fieldId, values }] of resolveNamedValues(rehearsed, sent).entries()) {
    const ofPost = fieldById.get(fieldId);
    const field = ofPost ?? workflow?.fieldById.get(fieldId);
    if (!field || values.length === 0) continue;
    const type = typeOf(field);
    try {
      const stored = type.parse(type.list ? [...values] : values[0], field, TextFormat.PLAIN_TEXT);
      if (stored !== undefined) (ofPost ? customData : screenData)[fieldId] = stored;
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      errors.add(`values[${index}].values[0]`, error.code, error.message);
    }
  }
  errors.throwIfAny();
  return { customData, screenData };
}
