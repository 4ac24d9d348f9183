/** How values of fields travel in the archive of a community. */
import { fieldTypes } from '@portico/contract';
import type { FieldDefinition } from '../../communities/index.ts';
import { entityKind } from '../../fields/index.ts';

/**
 * Returns the form of a value: `plain` as it is stored, `richText` with keys of people, `choice` by
 * keys of values, others by the objects that it names.
 */
export function fieldKindOf(field: FieldDefinition): 'plain' | 'richText' | 'choice' | 'user' | 'group' | 'post' {
  const { kind } = fieldTypes[field.type];
  if (kind === 'richText' || kind === 'choice') return kind;
  return kind === 'objects' ? (entityKind(field) ?? 'user') : 'plain';
}
