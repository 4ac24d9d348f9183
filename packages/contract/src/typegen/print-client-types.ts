/**
 * Prints the types of the client library: responses with the members that are always sent as
 * required, and requests as methods accept them.
 */
import { operationList } from '../operations/index.ts';
import { alwaysSent } from '../schemas/always-sent.ts';
import { type DeclaredName, declarations } from '../schemas/declarations.ts';
import { type FieldSchema, isTime } from '../schemas/fields.ts';
import { answerTypes, bodyNames, closure } from '../schemas/index.ts';
import { referencedNames, requestFields } from '../schemas/input.ts';
import { fieldType } from './print-types.ts';

export const header = '// Generated from the contract by `npm run generate`. Do not edit.\n';

const answered = answerTypes(operationList);

/** Types that bodies refer to, directly or through others. */
const requested = closure(
  [...bodyNames].flatMap((name) => Object.values(declarations[name].fields).flatMap(referencedNames)),
);

/** Members of the maps whose values belong to custom fields. */
const VALUE_MAPS = new Set(['customData', 'screenData']);

/**
 * Returns the name of a type in requests. A type that responses have too, with members that are
 * always sent, is printed twice.
 */
function requestName(name: string): string {
  const both = answered.has(name as DeclaredName) && alwaysSent(name as DeclaredName).size > 0;
  return both ? `${name}Input` : name;
}

/** How members of inputs may be given besides by id, by the end of their names. */
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/(?:^c|C)ommunityIds?$/, 'name'],
  [/(?:^u|U)serIds?$/, 'name, e-mail address or `me`'],
  [/^workflowOperationId$/, 'name'],
];

/** Returns how a member may be given besides by id; undefined if by id only. */
export const otherNames = (name: string): string | undefined => BY_NAME.find(([end]) => end.test(name))?.[1];

/** TypeScript type of a field of a request. */
function requestType(name: string, schema: FieldSchema): string {
  if (otherNames(name)) return schema.type === 'array' ? '(number | string)[]' : 'number | string';
  if (isTime(schema)) return 'number | Date';
  if (VALUE_MAPS.has(name) && schema.type === 'object') return 'FieldValuesInput';
  return fieldType(schema, requestName);
}

/** Text of a comment; it must not end the comment. */
export const commentText = (text = '') => text.replaceAll('*/', '*\\/');

/** One member of an input. `undefined` is the same as an absent member. */
export function requestMember(name: string, schema: FieldSchema, required: boolean): string {
  const orNull = schema['x-null'] ? ' | null' : '';
  const type = `${requestType(name, schema)}${orNull}${required ? '' : ' | undefined'}`;
  const known = otherNames(name);
  const text = `${commentText(schema.description)}${known ? ` Or ${known}.` : ''}`;
  return `  /** ${text} */\n  ${name}${required ? '' : '?'}: ${type};`;
}

function printRequest(name: DeclaredName): string {
  // Optional, so that objects of the types of the contract are accepted.
  const members = Object.entries(requestFields(name)).map(([field, schema]) => requestMember(field, schema, false));
  const { description } = declarations[name];
  // A name that responses have too is exported from there.
  const shown = answered.has(requestName(name) as DeclaredName) ? '' : 'export ';
  return `/** ${commentText(description)} */\n${shown}interface ${requestName(name)} {\n${members.join('\n')}\n}\n`;
}

function printResponse(name: DeclaredName): string {
  const { description, fields } = declarations[name];
  const always = alwaysSent(name);
  const members = Object.entries<FieldSchema>(fields).map(([field, schema]) => {
    const type = `${fieldType(schema)}${schema['x-null'] ? ' | null' : ''}`;
    return `  /** ${commentText(schema.description)} */\n  ${field}${always.has(field) ? '' : '?'}: ${type};`;
  });
  return `/** ${commentText(description)} */\nexport interface ${name} {\n${members.join('\n')}\n}\n`;
}

/** Adds the imports that a text needs. */
export function withImports(text: string, sources: Readonly<Record<string, readonly string[]>>): string {
  const code = text.replaceAll(/\/\*\*[\s\S]*?\*\//g, '');
  const used = new Set(code.match(/\b[A-Z]\w+/g));
  const lines = Object.entries(sources).flatMap(([from, names]) => {
    const wanted = names.filter((name) => used.has(name));
    return wanted.length === 0 ? [] : [`import type { ${wanted.join(', ')} } from '${from}';\n`];
  });
  return `${header}${lines.join('')}\n${text}`;
}

/** Names of the types of requests, as they are printed. */
const requestNames: readonly string[] = [...requested].map(requestName).sort();

/** Names of the types of responses. */
export const responseNames: readonly string[] = [...answered].sort();

/**
 * The files of the types of the client library.
 * @param inputs interfaces of the inputs of methods, which refer to types of requests
 * @param inputNames their names
 * @returns text by file name
 */
export function printClientTypes(inputs: string, inputNames: readonly string[]): Map<string, string> {
  const json = { '@portico/contract': ['JsonValue'] };
  const requests = [...requested].sort().map(printRequest).join('\n');
  const responses = [...answered].sort().map(printResponse).join('\n');
  // A name that both files print is exported as the response, which has its members required.
  const ofRequests = [...requestNames, ...inputNames].filter((name) => !answered.has(name as DeclaredName));
  const list = (names: readonly string[]) => names.map((name) => `  ${name},\n`).join('');
  const names = `export type * from '@portico/contract';\nexport type {\n${list(ofRequests)}} from './requests.generated.ts';\nexport type {\n${list(responseNames)}} from './responses.generated.ts';\n`;
  return new Map([
    [
      'requests.generated.ts',
      withImports(`${requests}\n${inputs}`, { ...json, './inputs.ts': ['FieldValuesInput', 'NamedFilters'] }),
    ],
    ['responses.generated.ts', withImports(responses, json)],
    ['types.generated.ts', header + names],
  ]);
}
