/**
 * JSON Schemas (2020-12) of the custom fields of one community: of their values in answers and in
 * requests. Keys are the ids of fields, `title` is the label.
 */
import { type FieldType, fieldTypes } from './codes/field-types.ts';
import type { GetPostDefinitionResponse, PostFieldConfigEnumValue } from './types/index.ts';

/** A JSON Schema. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** The facts that a schema is derived from, common to fields of posts and of screens. */
interface SchemaField {
  readonly id?: number;
  readonly label?: string;
  readonly type?: FieldType;
  readonly required?: boolean;
  readonly readonly?: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly enumValues?: readonly PostFieldConfigEnumValue[];
}

/** Names of the schemas, which are also the components of the OpenAPI document of a community. */
export type CommunitySchemaName = 'PostFields' | 'PostFieldsInput' | 'ScreenFields' | 'ScreenFieldsInput';

const int64 = { type: 'integer', format: 'int64' };
const text = { type: 'string' };
const bigint = { anyOf: [int64, { type: 'string', pattern: '^-?[0-9]{1,19}$' }] };

/**
 * A schema that stands alone: the components it would refer to in the OpenAPI document are 64-bit
 * integers.
 */
const inline = (schema: ValueSchema): ValueSchema => ('$ref' in schema ? bigint : schema);

/**
 * Maximum number of values that the schema of a field lists; with more, values are plain numbers.
 */
const MOST_LISTED = 500;

/** Ids of values, each with its label. */
function idOf(values: readonly PostFieldConfigEnumValue[]): ValueSchema {
  if (values.length === 0 || values.length > MOST_LISTED) return int64;
  return { oneOf: values.map(({ id, label }) => ({ const: id, title: label })) };
}

const listOf = (items: ValueSchema): ValueSchema => ({ type: 'array', items });
const objectWith = (id: ValueSchema): ValueSchema => ({ type: 'object', properties: { id }, required: ['id'] });

function readSchema(field: SchemaField): ValueSchema {
  const { kind, list, schema } = fieldTypes[field.type as FieldType];
  if (kind === 'objects') return listOf(objectWith(int64));
  if (kind !== 'choice') return inline(schema);
  const values = field.enumValues ?? [];
  const entries = listOf(objectWith(idOf(values)));
  const own = list ? listOf(idOf(values)) : idOf(values);
  if (field.metadata?.['catalog_id'] !== undefined) return entries;
  // A catalog out of use is not named, and all its entries are deleted.
  return values.some((value) => !value.deleted) ? own : { anyOf: [own, entries] };
}

function inputSchema(field: SchemaField): ValueSchema {
  const { kind, list, schema } = fieldTypes[field.type as FieldType];
  const choosable = (field.enumValues ?? []).filter((value) => !value.deleted);
  switch (kind) {
    case 'objects':
      return listOf(int64);
    case 'choice':
      return list || field.metadata?.['catalog_id'] !== undefined ? listOf(idOf(choosable)) : idOf(choosable);
    case 'day':
    case 'instant':
      return { anyOf: [int64, text] };
    default:
      return inline(schema);
  }
}

function mapOf(title: string, fields: readonly SchemaField[], input: boolean): ValueSchema {
  const properties = fields
    .filter((field) => !input || !field.readonly)
    .map((field) => {
      const value = input ? { anyOf: [inputSchema(field), { type: 'null' }] } : readSchema(field);
      const description = field.required && input ? { description: 'New posts need a value.' } : {};
      return [String(field.id), { title: field.label ?? '', ...description, ...value }] as const;
    });
  return { title, type: 'object', properties: Object.fromEntries(properties) };
}

/**
 * Returns the schemas of the fields of a community.
 * @param definition as the caller sees it
 */
export function communitySchemas(definition: GetPostDefinitionResponse): Record<CommunitySchemaName, ValueSchema> {
  const fields = definition.fieldDefinitions ?? [];
  const screens = definition.workflowDefinition?.screenFieldMetadatas ?? [];
  return {
    PostFields: mapOf('Custom fields of a post', fields, false),
    PostFieldsInput: mapOf('Custom fields of a post in requests', fields, true),
    ScreenFields: mapOf('Fields of the workflow screens of a post', screens, false),
    ScreenFieldsInput: mapOf('Fields of the workflow screens of a post in requests', screens, true),
  };
}
