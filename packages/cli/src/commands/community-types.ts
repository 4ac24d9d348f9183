/** `portico api communities types`: TypeScript types of the custom fields of a community. */
import { communitySchemas, type GetPostDefinitionResponse, type ValueSchema } from '@portico/contract';
import type { Command } from 'commander';
import { addCommonOptions, parseNumber } from '../client/flags.ts';
import { type CommonOptions, openSession } from '../session.ts';

export function addTypesCommand(communities: Command): void {
  const command = communities
    .command('types')
    .argument('<community-id>', 'id of the community', parseNumber)
    .summary('Print TypeScript types of the custom fields of a community')
    .description(
      'Print TypeScript types of the custom fields of a community, of its posts and of its screens, as they are read and written, and the ids of fields, values, states and transitions by their names. The file imports nothing.',
    );
  addCommonOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico api communities types 12 > posts.ts\n  $ portico api communities types 12 --url https://portal.acme.example',
    )
    .action(async (communityId: number) => {
      const { client } = await openSession(command.opts<CommonOptions>());
      const { community } = await client.communities.get({ communityId });
      const definition = await client.communities.definition({ communityId });
      process.stdout.write(printTypes(community?.name ?? '', definition));
    });
}

/** Comments must not end where a label says so. */
const comment = (text: string) => `/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */`;

/** The text of the file. @param name name of the community */
export function printTypes(name: string, definition: GetPostDefinitionResponse): string {
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
    printIds('fields', 'Ids of the custom fields, by label.', definition.fieldDefinitions ?? []),
    printIds('screenFields', 'Ids of the fields of screens, by label.', workflow?.screenFieldMetadatas ?? []),
    printIds('states', 'Ids of the states, by name.', workflow?.states ?? []),
    printIds('transitions', 'Ids of the transitions, by name.', workflow?.transitions ?? []),
  ];
  return `${parts.join('\n\n')}\n`;
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
