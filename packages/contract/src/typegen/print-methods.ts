/** Prints the methods of the client library with their inputs, as interfaces with comments. */
import { type Domain, formerMethods, type Operation, operationList, parts } from '../operations/index.ts';
import type { QueryParam } from '../operations/types.ts';
import { type DeclaredName, declarations } from '../schemas/declarations.ts';
import type { FieldSchema } from '../schemas/fields.ts';
import { closure, requestFields } from '../schemas/input.ts';
import { codeOf, exampleLines, paged, requiredMembers, sampleOf } from './method-samples.ts';
import {
  commentText,
  header,
  otherNames,
  printClientTypes,
  requestMember,
  responseNames,
  withImports,
} from './print-client-types.ts';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const PAGING = ['pageToken', 'pageSize', 'calculateTotalItemsCount'];

/** Lists whose filters and orders the client library also takes by name. */
const NAMED_LISTS = new Set(['listCommunityPostsFiltered', 'listCommunityPosts']);

/** Lists whose orders only the server knows: an unknown order returns 400 and is no type error. */
const OPEN_ORDERS = new Set(['listSystemUsers', 'listSystemGroups']);

function queryType(name: string, { type, allowed, list }: QueryParam): string {
  if (type === 'integer' && otherNames(name)) return 'number | string';
  if (allowed) return allowed.map((word) => `'${word}'`).join(' | ');
  if (list) return 'string | readonly string[]';
  return type === 'integer' ? 'number' : type;
}

function pathType(name: string, kind: string): string {
  if (kind !== 'int64') return 'string';
  return otherNames(name) ? 'number | string' : 'number';
}

/** Text about a parameter of a path: `postId` is the id of the post. */
function pathText(name: string): string {
  if (/OccToken$|^occToken$/.test(name)) return 'Version that was read; another present version is a ConflictError.';
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const known = otherNames(name);
  if (known) return `${capital(words.replace(/ id$/, ''))}, by id, ${known}.`.replace('id, name.', 'id or name.');
  return words.endsWith(' id') ? `Id of the ${words.slice(0, -3)}.` : `${capital(words)}.`;
}

/** Name of the interface of an input: `PostsCreateInput`. */
const inputName = ({ domain, clientMethod }: Operation) => `${capital(domain)}${capital(clientMethod)}Input`;

const hasInput = ({ pathParams, query, body }: Operation) =>
  Object.keys(pathParams).length > 0 || Object.keys(query).length > 0 || body !== null;
const needsInput = (operation: Operation) =>
  Object.keys(operation.pathParams).length > 0 || requiredMembers(operation).size > 0;

function printInput(operation: Operation): string {
  const { id, pathParams, query, body, domain, clientMethod } = operation;
  const fromPath = Object.entries(pathParams).map(
    ([name, kind]) => `  /** ${pathText(name)} */\n  ${name}: ${pathType(name, kind)};`,
  );
  const fromQuery = Object.entries(query)
    .filter(([name]) => !(body && PAGING.includes(name)))
    .map(
      ([name, param]) =>
        `  /** ${commentText(param.description)} */\n  ${name}?: ${queryType(name, param)} | undefined;`,
    );
  const required = requiredMembers(operation);
  const named = NAMED_LISTS.has(id);
  const fromBody = Object.entries(body ? requestFields(body as DeclaredName) : {})
    .filter(([name]) => !(named && name === 'orderBy'))
    .map(([name, schema]) => bodyMember(operation, name, schema, required.has(name)));
  const members = [...fromPath, ...fromQuery, ...fromBody];
  const heritage = named ? ' extends NamedFilters' : '';
  return `/** Input of \`${domain}.${clientMethod}\`. */\nexport interface ${inputName(operation)}${heritage} {\n${members.join('\n')}\n}\n`;
}

function bodyMember({ id }: Operation, name: string, schema: FieldSchema, required: boolean): string {
  const text = requestMember(name, schema, required);
  return OPEN_ORDERS.has(id) && name === 'orderTypeId' ? text.replace(/;$/, ' | (string & {});') : text;
}

/** The interfaces of inputs, and of the inputs of iterators and exports. */
function printInputs(): string {
  const texts = operationList.filter(hasInput).map(printInput);
  const lists = operationList.filter(paged).map((operation) => {
    const name = inputName(operation);
    const { iterate, exported } = listNames(operation);
    const method = `${operation.domain}.${operation.clientMethod}`;
    return `/** Input of \`${operation.domain}.${iterate}\`: the input of \`${method}\`, and the maximum number of items. */
export interface ${nameIn(operation, iterate)} extends Omit<${name}, 'calculateTotalItemsCount'> {
  /** Maximum number of items; default all. */
  limit?: number | undefined;
}

/** Input of \`${operation.domain}.${exported}\`: the input of \`${method}\` without paging. */
export interface ${nameIn(operation, exported)}
  extends Omit<${name}, 'pageToken' | 'pageSize' | 'calculateTotalItemsCount' | 'fields'> {}
`;
  });
  return [...texts, ...lists].join('\n');
}

const nameIn = ({ domain }: Operation, method: string) => `${capital(domain)}${capital(method)}Input`;

function listNames({ clientMethod }: Pick<Operation, 'clientMethod'>): { iterate: string; exported: string } {
  const rest = clientMethod.startsWith('list') ? clientMethod.slice('list'.length) : capital(clientMethod);
  return { iterate: `iterate${rest}`, exported: `export${rest}` };
}

/** Type of an element of a paged list. */
function itemOf({ responses }: Operation): string {
  const { fields } = declarations[responses[200] as DeclaredName] as { fields: Record<string, FieldSchema> };
  return String(fields['items']?.items?.$ref).slice(0, -1);
}

function outputOf({ kind, responses }: Operation): string {
  const name = responses[200] ?? 'undefined';
  return kind === 'write' ? `Written<${name}>` : name;
}

const methodNames = new Map(operationList.map(({ id, domain, clientMethod }) => [id, `${domain}.${clientMethod}`]));

/** Replaces ids of operations in a text by the names of their methods. */
function withMethodNames(text: string): string {
  return text.replace(/`(\w+)`/g, (word, id: string) => (methodNames.has(id) ? `\`${methodNames.get(id)}\`` : word));
}

function comment(lines: readonly string[]): string {
  return `  /**\n${lines.map((line) => `   * ${commentText(line)}`.trimEnd()).join('\n')}\n   */\n`;
}

function printMethod(operation: Operation): string {
  const { clientMethod, summary, description, deprecated, successor } = operation;
  const input = hasInput(operation)
    ? `input${needsInput(operation) ? '' : '?'}: ${inputName(operation)}`
    : 'input?: NoInput';
  const list = paged(operation);
  const text = comment([
    withMethodNames(`${summary}. ${description}`),
    ...(deprecated || successor ? [`@deprecated ${successor ? `Use \`${successor}\`.` : ''}`.trim()] : []),
    '@example',
    ...exampleLines(operation),
  ]);
  const result = list
    ? `ListPromise<${outputOf(operation)}, ${itemOf(operation)}>`
    : `ResponsePromise<${outputOf(operation)}>`;
  const plain = `${text}  ${clientMethod}(${input}, options?: RequestOptions): ${result};\n`;
  const methods = [...('fields' in operation.query ? [printPart(operation, text)] : []), plain];
  if (list) methods.push(...printListMethods(operation));
  return methods.join('');
}

/** Type of the inputs that select members. */
const selectionOf = ({ query }: Operation) => ('loadPostDetails' in query ? 'SelectedOfPosts' : 'Selected');

/** The signature for calls that select members: other members are absent. */
function printPart(operation: Operation, text: string): string {
  const input = `input: ${inputName(operation)} & ${selectionOf(operation)}`;
  const result = paged(operation)
    ? `ListPromise<PageOfParts<${outputOf(operation)}, ${itemOf(operation)}>, PartOf<${itemOf(operation)}>>`
    : `ResponsePromise<PartOf<${outputOf(operation)}>>`;
  return `${text}  ${operation.clientMethod}(${input}, options?: RequestOptions): ${result};\n`;
}

function printListMethods(operation: Operation): string[] {
  const { domain, clientMethod } = operation;
  const { iterate, exported } = listNames(operation);
  const optional = needsInput(operation) ? '' : '?';
  const sample = sampleOf(operation);
  const iterated = comment([
    `Yields the items of \`${clientMethod}\` one by one, page after page.`,
    '@example',
    `for await (const item of client.${domain}.${iterate}(${codeOf({ ...sample, limit: 100 })})) console.log(item);`,
  ]);
  const part = `${iterated}  ${iterate}(input: ${nameIn(operation, iterate)} & ${selectionOf(operation)}, options?: RequestOptions): AsyncGenerator<PartOf<${itemOf(operation)}>, void, undefined>;\n`;
  return [
    ...('fields' in operation.query ? [part] : []),
    `${iterated}  ${iterate}(input${optional}: ${nameIn(operation, iterate)}, options?: RequestOptions): AsyncGenerator<${itemOf(operation)}, void, undefined>;\n`,
    `${comment([
      `Returns the whole list of \`${clientMethod}\` as a file: CSV, a workbook or lines of JSON with labels instead of ids.`,
      '@example',
      `const file = await client.${domain}.${exported}(${codeOf(sample)}, { format: 'ndjson' });`,
    ])}  ${exported}(input${optional}: ${nameIn(operation, exported)}, options?: ExportOptions): Promise<ReadableStream<Uint8Array>>;\n`,
  ];
}

function printDomain(domain: string): string {
  const methods = operationList.filter((operation) => operation.domain === domain).map(printMethod);
  const { description } = parts[domain as Domain];
  return `/** ${description} */\nexport interface ${capital(domain)}Methods {\n${[...methods, ...printFormerMethods(domain)].join('\n')}}\n`;
}

/** A part whose methods are in other parts now. */
const printFormerDomain = (domain: string) =>
  `/** Former names. */\nexport interface ${capital(domain)}Methods {\n${printFormerMethods(domain).join('\n')}}\n`;

/** Former names of the methods of a part, and of the iterators and exports beside them. */
function printFormerMethods(domain: string): string[] {
  return formerMethods()
    .filter(({ part }) => part === domain)
    .map(({ method, present }) => {
      const line = (former: string, now: string) =>
        `  /** @deprecated Use \`${present.domain}.${now}\`. */\n  ${former}: ${capital(present.domain)}Methods['${now}'];\n`;
      if (!paged(present)) return line(method, present.clientMethod);
      const [before, now] = [listNames({ clientMethod: method }), listNames(present)];
      const beside = line(before.iterate, now.iterate) + line(before.exported, now.exported);
      return line(method, present.clientMethod) + beside;
    });
}

/** Parts that have former names only. */
const formerDomains = [...new Set(formerMethods().map(({ part }) => part))].filter((part) => !(part in parts));

/**
 * The generated files of the client library.
 * @returns text by file name
 */
export function printClient(): Map<string, string> {
  const domains = Object.keys(parts);
  const groups = domains.map(
    (domain) => `  /** ${parts[domain as Domain].description} */\n  readonly ${domain}: ${capital(domain)}Methods;`,
  );
  for (const domain of formerDomains) {
    const present = [
      ...new Set(formerMethods().flatMap((each) => (each.part === domain ? [each.present.domain] : []))),
    ];
    groups.push(
      `  /** @deprecated Use \`${present.join('`, `')}\`. */\n  readonly ${domain}: ${capital(domain)}Methods;`,
    );
  }
  const mapped = (name: string, text: string, typeOf: (operation: Operation) => string) =>
    `/** ${text} */\nexport interface ${name} {\n${operationList.map((operation) => `  ${operation.id}: ${typeOf(operation)};`).join('\n')}\n}\n`;
  const text = [
    ...domains.map(printDomain),
    ...formerDomains.map(printFormerDomain),
    `/** The methods, in one group for each part of the product. */\nexport interface MethodGroups {\n${groups.join('\n')}\n}\n`,
    mapped('MethodInputs', 'Inputs by operation id.', (operation) =>
      hasInput(operation) ? inputName(operation) : 'NoInput',
    ),
    mapped('MethodOutputs', 'Responses by operation id.', outputOf),
  ].join('\n');
  const inputs = operationList.filter(hasInput).map(inputName);
  const listInputs = operationList.filter(paged).flatMap((operation) => {
    const { iterate, exported } = listNames(operation);
    return [nameIn(operation, iterate), nameIn(operation, exported)];
  });
  const methods = withImports(text, {
    './inputs.ts': ['ExportOptions', 'NoInput', 'PageOfParts', 'PartOf', 'Selected', 'SelectedOfPosts'],
    './requests.generated.ts': [...inputs, ...listInputs].sort(),
    './responses.generated.ts': responseNames,
    './response-promise.ts': ['ListPromise', 'ResponsePromise', 'Written'],
    './transport.ts': ['RequestOptions'],
  });
  return new Map([
    ...printClientTypes(printInputs(), [...inputs, ...listInputs]),
    ['methods.generated.ts', methods],
    ['api-table.generated.ts', printOperationTable()],
  ]);
}

const PAGE_INPUTS = new Set(PAGING);

const METHOD_LETTERS: Readonly<Record<string, string>> = { GET: '', POST: 'P', PUT: 'U', DELETE: 'D' };

/** Letters for facts about an operation, in the table of the client library. */
function flagsOf(operation: Operation): string {
  const { method, bodyless, kind, permission } = operation;
  const flags = {
    b: bodyless,
    w: kind === 'write',
    p: paged(operation),
    u: permission === 'public',
    s: hasSecret(operation),
  };
  const letters = Object.entries(flags).flatMap(([letter, value]) => (value ? [letter] : []));
  return `${METHOD_LETTERS[method]}${letters.join('')}`;
}

/** Whether the response holds a secret that is shown once. */
function hasSecret({ responses }: Operation): boolean {
  const types = responses[200] ? [...closure([responses[200] as DeclaredName])] : [];
  return types.some((name) => Object.values<FieldSchema>(declarations[name].fields).some((field) => field['x-secret']));
}

/** Whether the client library makes a former name of the present one, as its former-names.ts does. */
function followsFrom(former: string, present: string): boolean {
  if (present.replace(/^(?:replace|update)(?=[A-Z]|$)/, 'edit') === former) return true;
  const form = /^read(.+)ForEdit$/.exec(present)?.[1];
  return form !== undefined && former === `${form.charAt(0).toLowerCase()}${form.slice(1)}Form`;
}

/**
 * The file of the facts about operations that the client library needs at run time: as text, since
 * that is a third of the size of objects in a page.
 * @returns its text
 */
function printOperationTable(): string {
  const lines = Object.keys(parts).flatMap((domain) => [
    domain,
    ...operationList.filter((operation) => operation.domain === domain).map(printRow),
  ]);
  const listed = formerMethods().filter(({ method, present }) => !followsFrom(method, present.clientMethod));
  const former = [...new Set(listed.map(({ part }) => part))].flatMap((part) => [
    part,
    ...listed.flatMap(({ part: other, method, present: { domain, clientMethod } }) =>
      other === part ? [`${method} ${domain === part ? '' : `${domain}.`}${clientMethod}`] : [],
    ),
  ]);
  return `${header}
/**
 * A line for each operation, after the name of its part: flags, method, id if it is another, path, members of the body
 * (pages also take those of paging), parameters of the query (writes also take \`dryRun\`). Flags: P for POST, U for PUT,
 * D for DELETE; b without a body, w a write, p with pages, u without a sign-in, s with a secret in the response.
 */
export const operationTable = \`${lines.join('\n')}\`;

/** Former and present names of methods, after the name of the former part. */
export const formerNames = \`${former.join('\n')}\`;
`;
}

function printRow(operation: Operation): string {
  const { id, clientMethod, path, query, body, kind } = operation;
  const queries = Object.keys(query).filter((name) => kind !== 'write' || name !== 'dryRun');
  const members = body ? Object.keys(requestFields(body as DeclaredName)) : [];
  const own = paged(operation) ? members.filter((name) => !PAGE_INPUTS.has(name)) : members;
  const name = id === clientMethod ? '' : id;
  const row = [flagsOf(operation), clientMethod, name, path, own.join(' '), queries.join(' ')];
  return row.join('|').replace(/\|+$/, '');
}
