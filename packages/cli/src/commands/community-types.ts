/** `portico api communities types`: TypeScript types of the custom fields of a community. */
import {
  communitySchemas,
  FieldType,
  fieldTypes,
  type GetPostDefinitionResponse,
  type ValueSchema,
} from '@portico/contract';
import type { findNamed as FindNamed } from '@portico/sdk';
import type { Command } from 'commander';
import { addCommonOptions } from '../client/flags.ts';
import { communityNamed } from '../people/names.ts';
import { type CommonOptions, openSession } from '../session.ts';

export function addTypesCommand(communities: Command): void {
  const command = communities
    .command('types')
    .argument('<community>', 'the community, by name or number')
    .summary('Print TypeScript types of the custom fields of a community')
    .description(
      'Print TypeScript types of the custom fields of a community, of its posts and of its screens, as they are read and written, and the ids of fields, values, states and transitions by their names. `Community` has labels instead of ids, for CommunityClient of the client library. The file imports nothing.',
    );
  addCommonOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico api communities types Orders > orders.ts\n  $ portico api communities types 12 --profile acme',
    )
    .action(async (given: string) => {
      const session = await openSession(command.opts<CommonOptions>());
      const { id: communityId } = await communityNamed(session, given);
      const [{ findNamed }, { community }, definition] = await Promise.all([
        import('@portico/sdk'),
        session.client.communities.get({ communityId }),
        session.client.communities.definition({ communityId }),
      ]);
      process.stdout.write(printTypes(community?.name ?? '', definition, findNamed));
    });
}

/** Comments must not end where a label says so. */
const comment = (text: string) => `/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */`;

/**
 * The text of the file.
 * @param name name of the community
 * @param find finds what a label names, as the client library does
 */
export function printTypes(name: string, definition: GetPostDefinitionResponse, find: typeof FindNamed): string {
  const schemas = communitySchemas(definition);
  const { workflowDefinition: workflow } = definition;
  const parts = [
    comment(
      `Posts of “${name}” (community ${definition.communityId}). Made by \`portico api communities types\`; do not edit.`,
    ),
    ...Object.entries(schemas).map(
      ([type, schema]) => `${comment(String(schema['title']))}\nexport type ${type} = ${printType(schema, '')};`,
    ),
    `${comment('A post with the custom fields of the community: `CommunityPost<PostDetail>`.')}
export type CommunityPost<Post> = Omit<Post, 'customData' | 'currentWorkflowScreenData'> & {
  customData?: PostFields;
  currentWorkflowScreenData?: ScreenFields;
};`,
    printLabels(definition, find),
    printIds('fields', 'Ids of the custom fields, by label.', definition.fieldDefinitions ?? []),
    printIds('screenFields', 'Ids of the fields of screens, by label.', workflow?.screenFieldMetadatas ?? []),
    printIds('states', 'Ids of the states, by name.', workflow?.states ?? []),
    printIds('transitions', 'Ids of the transitions, by name.', workflow?.transitions ?? []),
  ];
  return `${parts.join('\n\n')}\n`;
}

type Field = NonNullable<GetPostDefinitionResponse['fieldDefinitions']>[number];

/** The interface with labels instead of ids. */
function printLabels(definition: GetPostDefinitionResponse, find: typeof FindNamed): string {
  const { PostFields, PostFieldsInput, ScreenFieldsInput } = communitySchemas(definition);
  const { fieldDefinitions = [], workflowDefinition: workflow } = definition;
  const screens = (workflow?.screenFieldMetadatas ?? []) as Field[];
  const names = (things: readonly { name?: string }[] = []) =>
    [...new Set(things.map(({ name = '' }) => JSON.stringify(name)))].join(' | ') || 'never';
  const map = (fields: readonly Field[], schema: ValueSchema, input: boolean) => {
    const values = schema['properties'] as Record<string, ValueSchema>;
    const lines = fields
      .filter(({ id }) => Object.hasOwn(values, String(id)))
      .map((field) => {
        const key = field.label && find(fields, field.label) === field ? field.label : String(field.id);
        return `    ${JSON.stringify(key)}?: ${labelledType(field, values[String(field.id)] as ValueSchema, input, find)};`;
      });
    return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('\n')}\n  }`;
  };
  return `${comment('Names of the community, for `CommunityClient<Community>`; the labels of its fields are keys.')}
export interface Community {
  values: ${map(fieldDefinitions, PostFields, false)};
  input: ${map(fieldDefinitions, PostFieldsInput, true)};
  screenInput: ${map(screens, ScreenFieldsInput, true)};
  state: ${names(workflow?.states)};
  transition: ${names(workflow?.transitions)};
}`;
}

/** The type of a field whose values have labels. @param schema of its values by id */
function labelledType(field: Field, schema: ValueSchema, input: boolean, find: typeof FindNamed): string {
  const { kind, list } = fieldTypes[field.type as FieldType];
  const values = field.enumValues ?? [];
  const catalog = field.metadata?.['catalog_id'] !== undefined;
  if (kind === 'choice' && values.length > 0 && (input || !catalog)) {
    const given = values.filter(({ deleted }) => !(input && deleted));
    const labels = given.map((value) =>
      value.label && find(values, value.label) === value ? JSON.stringify(value.label) : String(value.id),
    );
    const one = labels.join(' | ') || 'never';
    return `${list || catalog ? `(${one})[]` : one}${input ? ' | null' : ''}`;
  }
  if (!input) return printType(schema, '    ');
  if (kind === 'objects') return '(number | string)[] | null';
  const more = kind === 'day' || kind === 'instant' ? ' | Date' : '';
  return `${printType(schema, '    ')}${field.type === FieldType.BIGINT ? ' | bigint' : more}`;
}

/** A constant with ids by name; of several with one name the first. */
function printIds(
  constant: string,
  text: string,
  things: readonly { id?: number; label?: string; name?: string }[],
): string {
  const ids = new Map<string, number>();
  for (const { id, label, name } of things) {
    const key = label ?? name ?? '';
    if (id !== undefined && !ids.has(key)) ids.set(key, id);
  }
  const lines = [...ids].map(([key, id]) => `  ${JSON.stringify(key)}: ${id},`);
  return `${comment(text)}\nexport const ${constant} = {\n${lines.join('\n')}\n} as const;`;
}

/** The type of the values that a schema of {@link communitySchemas} accepts. */
function printType(schema: ValueSchema, indent: string): string {
  const inner = `${indent}  `;
  if (schema['const'] !== undefined)
    return `${JSON.stringify(schema['const'])}${schema['title'] ? ` ${comment(String(schema['title']))}` : ''}`;
  const alternatives = (schema['oneOf'] ?? schema['anyOf']) as readonly ValueSchema[] | undefined;
  if (alternatives) return alternatives.map((one) => printType(one, indent)).join(' | ');
  switch (schema['type']) {
    case 'object': {
      const properties = Object.entries((schema['properties'] ?? {}) as Record<string, ValueSchema>);
      const needed = (schema['required'] ?? []) as readonly string[];
      const lines = properties.map(([key, value]) => {
        const title = value['title'] ? `${inner}${comment(String(value['title']))}\n` : '';
        return `${title}${inner}${JSON.stringify(key)}${needed.includes(key) ? '' : '?'}: ${printType(value, inner)};`;
      });
      return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('\n')}\n${indent}}`;
    }
    case 'array':
      return `(${printType((schema['items'] ?? {}) as ValueSchema, indent)})[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return String(schema['type']);
    default:
      return 'unknown';
  }
}
