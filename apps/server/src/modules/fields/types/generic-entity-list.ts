import type { FieldMetadata, ReferenceType } from './shared/field-type.ts';
import { manyIds } from './shared/ids.ts';

/** Kind of the objects in a field (metadata `generic_entity_list_config_id`). */
type EntityKind = 'user' | 'group' | 'post';

const KINDS: Readonly<Record<string, EntityKind>> = {
  'core.user': 'user',
  'core.group': 'group',
  'communication.post': 'post',
};

/** Returns the kind of the objects in a field; people if the definition does not set it. */
export function entityKind({ metadata }: FieldMetadata): EntityKind | undefined {
  return KINDS[metadata['generic_entity_list_config_id'] ?? 'core.user'];
}

/** People, groups (not negated) or posts. */
export const genericEntityList: ReferenceType = {
  ...manyIds,
  filter: 'objects',
  metadata: {
    extends_post_visibility: {
      accepts: (text) => text === 'true' || text === 'false',
      message: 'The text true or false.',
    },
    generic_entity_list_config_id: {
      accepts: (text) => Object.hasOwn(KINDS, text),
      message: `One of: ${Object.keys(KINDS).join(', ')}.`,
      required: true,
    },
  },
};
