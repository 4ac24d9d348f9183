/** Pages of the documentation site that are generated from the contract: one for each part of the product, and the errors. */
import { errorCodes, type Operation, operationList, parts } from '@portico/contract';
import { buildOpenApi } from '@portico/contract/openapi';
import { samplesOf } from './samples.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly description?: string;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema;
}

interface Described {
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const document = buildOpenApi({ serverUrl: 'https://portal.acme.example' }) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const operationsById = new Map(operationList.map((operation) => [operation.id, operation]));
const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const title = (name: string) => words(name).replace(/^./, (letter) => letter.toUpperCase());
const file = (domain: string) => words(domain).replaceAll(' ', '-');

/** Pages of operations: their titles, and their names below `operations/`. */
const operationPages: readonly { readonly text: string; readonly name: string }[] = Object.keys(parts)
  .map((domain) => ({ text: title(domain), name: file(domain) }))
  .sort((a, b) => a.text.localeCompare(b.text, 'en'));

/** Links ids of operations and codes of errors in a text. */
const linked = (text: string) =>
  text.replace(/`(\w+)`/g, (word, name: string) => {
    const operation = operationsById.get(name);
    if (operation) return `[${word}](./${file(operation.domain)}.md#${name.toLowerCase()})`;
    return name in errorCodes ? `[${word}](../errors.md#${anchorOf(name)})` : word;
  });

const anchorOf = (code: string) => `error-${code.toLowerCase().replaceAll('_', '-')}`;

/** A text in a cell of a table. */
const cell = (text: string) => linked(text).replaceAll('|', '\\|').replaceAll('\n', ' ');

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  if (types.includes('array')) return `${typeOf(schema.items ?? {})}[]`;
  return types.join(' or ') || 'any';
}

const table = (names: readonly string[], rows: readonly (readonly string[])[]) =>
  rows.length === 0
    ? []
    : [
        `| ${names.join(' | ')} |`,
        `|${names.map(() => '---').join('|')}|`,
        ...rows.map((row) => `| ${row.join(' | ')} |`),
        '',
      ];

/** The members of a body, with its required ones marked. */
function members(schema: Schema): { required: Set<string>; properties: [string, Schema][] } {
  const named = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : undefined;
  const inner = [...(named ? [named] : []), ...(schema.allOf ?? [])].map(members);
  return {
    required: new Set([...(schema.required ?? []), ...inner.flatMap(({ required }) => [...required])]),
    properties: [...Object.entries(schema.properties ?? {}), ...inner.flatMap(({ properties }) => properties)],
  };
}

function operationSection(operation: Operation): string {
  const described = document.paths[operation.path]![operation.method.toLowerCase()]!;
  const schema = described.requestBody?.content['application/json']?.schema;
  const body = schema ? members(schema) : { required: new Set(), properties: [] };
  const { curl, library, command, response } = samplesOf(operation);
  return [
    `## ${operation.summary} {#${operation.id.toLowerCase()}}`,
    '',
    `\`${operation.method} ${operation.path}\` \`${operation.id}\`${operation.deprecated ? ' (deprecated)' : ''}`,
    '',
    linked(described.description),
    '',
    ...table(
      ['Parameter', 'In', 'Type', ''],
      described.parameters
        .filter(({ $ref }) => !$ref)
        .map(({ name, in: place, schema: type, description = '' }) => [
          `\`${name}\``,
          place,
          typeOf(type),
          cell(description),
        ]),
    ),
    ...table(
      ['Member of the body', 'Type', ''],
      body.properties.map(([name, member]) => [
        `\`${name}\`${body.required.has(name) ? ' (required)' : ''}`,
        typeOf(member),
        cell(member.description ?? ''),
      ]),
    ),
    '::: code-group',
    `\`\`\`sh [curl]\n${curl}\n\`\`\``,
    `\`\`\`js [library]\n${library}\n\`\`\``,
    `\`\`\`sh [command]\n${command}\n\`\`\``,
    ':::',
    '',
    ...(response === undefined ? [] : ['A response:', '', `\`\`\`json\n${response}\n\`\`\``, '']),
  ].join('\n');
}

function operationsPage(domain: keyof typeof parts): string {
  const operations = operationList.filter((operation) => operation.domain === domain);
  const { description } = parts[domain];
  return [
    '---\noutline: 2\n---',
    `# ${title(domain)}`,
    '',
    description,
    '',
    ...operations.map(({ id, summary, command }) => `- [${summary}](#${id.toLowerCase()})${command ? '' : ''}`),
    '',
    ...operations.map(operationSection),
  ].join('\n');
}

function errorsPage(): string {
  const sections = Object.entries(errorCodes).map(([code, definition]) =>
    [
      `## ${code} {#${anchorOf(code)}}`,
      '',
      `${definition.status}, ${definition.title}. ${definition.message}`,
      '',
    ].join('\n'),
  );
  return [
    '---\noutline: false\n---',
    '# Errors',
    '',
    'A refused request is answered with JSON: `code`, `message` and `requestId`, and `type`, `title`, `status` and `detail` of',
    '[RFC 9457](https://www.rfc-editor.org/rfc/rfc9457). A 400 names each wrong value in `validationErrors.list`, with a code of',
    'this list too. New codes may come: treat an unknown one by its status.',
    '',
    ...table(
      ['Code', 'Status', ''],
      Object.entries(errorCodes).map(([code, definition]) => [
        `[\`${code}\`](#${anchorOf(code)})`,
        String(definition.status),
        cell(definition.title),
      ]),
    ),
    ...sections,
  ].join('\n');
}

function operationsIndex(): string {
  const list = operationPages.map(({ text, name }) => {
    const domain = Object.keys(parts).find((part) => file(part) === name) as keyof typeof parts;
    return `- [${text}](./${name}.md): ${parts[domain].description}`;
  });
  return [
    '# Operations',
    '',
    'Every operation of the interface, with samples. [Try them](/portal/api/docs){target="_self"} in the portal.',
    '',
    ...list,
    '',
  ].join('\n');
}

/** The generated pages by their place in the site. */
export function generatedPages(): [place: string, text: string][] {
  return [
    ...(Object.keys(parts) as (keyof typeof parts)[]).map((domain): [string, string] => [
      `operations/${file(domain)}.md`,
      operationsPage(domain),
    ]),
    ['operations/index.md', operationsIndex()],
    ['errors.md', errorsPage()],
  ];
}
