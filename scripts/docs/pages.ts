/** Pages of the documentation site that are generated from the contract: one for each part of the product, and the errors. */
import { errorCodes, type Operation, operationList, parts, problemType } from '@portico/contract';
import { buildOpenApi, samplesOf } from '@portico/contract/openapi';

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
const json = (value: unknown) => JSON.stringify(value, null, 2);
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
    return name in errorCodes ? `[${word}](../errors/${slugOf(name)}.md)` : word;
  });

const slugOf = (code: string) => code.toLowerCase().replaceAll('_', '-');

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
    ...operations.map(({ id, summary }) => `- [${summary}](#${id.toLowerCase()})`),
    '',
    ...operations.map(operationSection),
  ].join('\n');
}

/** A caller's next step after an error without a better one in its message, by status. */
const NEXT_STEPS: Readonly<Record<number, string>> = {
  400: 'The same request fails again: correct it. Nothing was written.',
  401: 'Sign in again and repeat the request: [signing in](../interface.md#sign-in).',
  403: 'The same request of the same caller fails again. [Explanations](../operations/explain.md) tell which right is missing.',
};

const errorTable = (codes: readonly string[]) =>
  table(
    ['Code', 'Status', ''],
    codes.map((code) => {
      const { status, title: kind } = errorCodes[code as keyof typeof errorCodes];
      return [`[\`${code}\`](./errors/${slugOf(code)}.md)`, String(status), cell(kind)];
    }),
  );

/** Operations whose texts name an error. */
const operationsWith = (code: string) =>
  operationList.filter(({ path, method }) => {
    const { description, parameters, requestBody } = document.paths[path]![method.toLowerCase()]!;
    const schema = requestBody?.content['application/json']?.schema;
    const texts = [
      description,
      ...parameters.map((parameter) => parameter.description ?? ''),
      ...(schema ? members(schema).properties.map(([, member]) => member.description ?? '') : []),
    ];
    return texts.some((text) => text.includes(`\`${code}\``));
  });

function errorPage(code: keyof typeof errorCodes): string {
  const { status, title: kind, message } = errorCodes[code];
  const answer = { code, message, requestId: '…', type: problemType(code), title: kind, status, detail: message };
  const operations = operationsWith(code);
  return [
    '---\noutline: false\nprev: false\nnext: false\n---',
    `# ${code}`,
    '',
    `${status}, ${kind}. ${message}`,
    '',
    ...(status in NEXT_STEPS ? [NEXT_STEPS[status]!, ''] : []),
    `\`\`\`json\n${json(answer)}\n\`\`\``,
    '',
    ...(status === 400
      ? [
          'In `validationErrors.list` the code stands with the `field` that it is about, and a `message` about that value.',
          '',
        ]
      : []),
    ...(operations.length === 0
      ? []
      : [
          'Operations that say when:',
          '',
          ...operations.map(
            ({ id, summary, domain }) => `- [${summary}](../operations/${file(domain)}.md#${id.toLowerCase()})`,
          ),
          '',
        ]),
    '[All errors](../errors.md)',
    '',
  ].join('\n');
}

function errorsPage(): string {
  return [
    '---\noutline: false\n---',
    '# Errors',
    '',
    'A refused request is answered with JSON: `code`, `message` and `requestId`, and `type`, `title`, `status` and `detail` of',
    '[RFC 9457](https://www.rfc-editor.org/rfc/rfc9457). A 400 names each wrong value in `validationErrors.list`, with a code of',
    'this list too. New codes may come: treat an unknown one by its status.',
    '',
    ...errorTable(Object.keys(errorCodes)),
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
    'In samples, `$TOKEN` is the output of `npx portico token`, and `client` is a [client of the library](../library.md).',
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
    ...(Object.keys(errorCodes) as (keyof typeof errorCodes)[]).map((code): [string, string] => [
      `errors/${slugOf(code)}.md`,
      errorPage(code),
    ]),
  ];
}
