/** Inputs of methods, and calls with them, for the examples in comments and documents. */
import { type Operation, takesIfMatch } from '../operations/index.ts';
import { type DeclaredName, declarations } from '../schemas/declarations.ts';
import type { FieldSchema } from '../schemas/fields.ts';
import { requestFields } from '../schemas/input.ts';

const SAMPLE_VERSION = 7;
const SAMPLE_ID = 17;

function sampleOfSchema(schema: FieldSchema): unknown {
  if (schema.$ref) return requiredOf(schema.$ref.slice(0, -1) as DeclaredName);
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'integer':
    case 'number':
      return schema['x-token'] ? SAMPLE_VERSION : SAMPLE_ID;
    case 'boolean':
      return true;
    case 'array':
      return [sampleOfSchema(schema.items ?? {})];
    case 'object':
      return {};
    default:
      return '…';
  }
}

/** Samples of the members that a type requires. */
function requiredOf(name: DeclaredName): Record<string, unknown> {
  const fields = Object.entries<FieldSchema>(declarations[name].fields);
  return Object.fromEntries(
    fields.filter(([, schema]) => schema['x-required']).map(([field, schema]) => [field, sampleOfSchema(schema)]),
  );
}

/** Whether the operation returns a list of pages. */
export const paged = ({ paging }: Operation): boolean => paging === 'page';

/** Names of the members of the body that every call must send. */
export function requiredMembers(operation: Operation): Set<string> {
  if (!operation.body) return new Set();
  const marked = Object.entries(requestFields(operation.body as DeclaredName))
    .filter(([, schema]) => schema['x-required'])
    .map(([name]) => name);
  // The library sends no `If-Match`, so the token is in the body.
  return new Set([...marked, ...(operation.requires ?? []), ...(takesIfMatch(operation) ? ['occToken'] : [])]);
}

/**
 * Returns an input that the method accepts: numbers of the path as in the examples of the command,
 * and the first example of the body.
 */
export function sampleOf(operation: Operation): Record<string, unknown> {
  const { pathParams, body, requestExamples, command } = operation;
  const numbers = /^\d+(?: \d+)*(?= |$)/.exec(command.examples[0])?.[0].split(' ') ?? [];
  const path = Object.entries(pathParams).map(([name, kind], index) => {
    if (kind === 'string') return [name, '…'];
    return [name, /occToken$/i.test(name) ? SAMPLE_VERSION : Number(numbers[index] ?? SAMPLE_ID)];
  });
  const example = Object.values(requestExamples ?? {})[0]?.value as Record<string, unknown> | undefined;
  const fields: Readonly<Record<string, FieldSchema>> = body ? declarations[body as DeclaredName].fields : {};
  const samples = [...requiredMembers(operation)].map((name) => [name, sampleOfSchema(fields[name] ?? {})]);
  return { ...Object.fromEntries(path), ...Object.fromEntries(samples), ...example };
}

/** Writes a value as TypeScript. */
export function codeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(codeOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => {
    const key = /^(?:[A-Za-z_]\w*|[1-9]\d*)$/.test(name) ? name : JSON.stringify(name);
    return `${key}: ${codeOf(member)}`;
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The longest input that stays on one line. */
const LINE = 80;

/** The input of a sample, long ones with a line for each member. */
function inputCode(operation: Operation): string {
  const input = sampleOf(operation);
  const line = codeOf(input);
  if (line.length <= LINE) return line;
  const members = Object.entries(input).map(([name, value]) => `  ${codeOf({ [name]: value }).slice(2, -2)},\n`);
  return `{\n${members.join('')}}`;
}

/** A call of the method of an operation, as lines. */
export function exampleLines(operation: Operation): string[] {
  const call = `client.${operation.domain}.${operation.clientMethod}(${inputCode(operation)})`;
  const code = paged(operation)
    ? `for await (const item of ${call}) console.log(item);`
    : `${operation.responses[200] ? 'const response = ' : ''}await ${call};`;
  return code.split('\n');
}
