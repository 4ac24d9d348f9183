/**
 * Definitions shared by the communities of these tests: a screen of their workflow, and plain
 * fields.
 */
import { FieldType } from '@portico/contract';

/** A screen with a field that must be filled and one that may be. */
export const verdictScreen = {
  screens: [{ name: 'Verdict', fields: [{ label: 'Reason', required: true }, { label: 'Score' }] }],
  screenFields: [
    { label: 'Reason', type: FieldType.STRING },
    { label: 'Score', type: FieldType.INT },
  ],
};

/** Fields of posts. @param metadata further metadata of the field that lists people */
export const postFields = (metadata: Readonly<Record<string, string>> = {}) => [
  { label: 'Text', type: FieldType.STRING },
  { label: 'Number', type: FieldType.INT },
  {
    label: 'People',
    type: FieldType.GENERIC_ENTITY_LIST,
    metadata: { generic_entity_list_config_id: 'core.user', ...metadata },
  },
];
