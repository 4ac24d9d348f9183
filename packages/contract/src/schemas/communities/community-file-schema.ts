import { type DeclaredName, declarations } from '../declarations.ts';
import type { FieldSchema } from '../fields.ts';
import { closure, type JsonSchema } from '../input.ts';

const nameOf = ({ $ref }: FieldSchema) => String($ref).replace(/#$/, '');

function propertyOf(field: FieldSchema): JsonSchema {
  if (field.$ref) return { $ref: `#/$defs/${nameOf(field)}`, description: field.description };
  const {
    'x-required': _sent,
    'x-enforced': _refused,
    'x-request': inRequests,
    'x-name': _line,
    items,
    ...schema
  } = field;
  return { ...schema, ...inRequests, ...(items && { items: propertyOf(items) }) };
}

function definitionOf(name: DeclaredName): JsonSchema {
  const { description, fields } = declarations[name];
  const entries = Object.entries(fields as Readonly<Record<string, FieldSchema>>);
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(entries.map(([field, schema]) => [field, propertyOf(schema)])),
    required: entries.filter(([, schema]) => schema['x-required']).map(([field]) => field),
    additionalProperties: false,
  };
}

/** JSON Schema (2020-12) of the file of a community, by which editors complete and check it. */
export function communityFileSchema(): JsonSchema {
  const { CommunityFile, ...others } = Object.fromEntries(
    [...closure(['CommunityFile'])].sort().map((name) => [name, definitionOf(name)]),
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Community',
    ...CommunityFile,
    $defs: others,
  };
}
