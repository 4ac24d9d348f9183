/**
 * The request form of declared types, derived from their answer form: `null` is accepted for every
 * field and means absent, tokens may be strings of digits, undeclared keys are refused. `null` is
 * refused within lists of ids or texts and as a value of text maps.
 */
import { listLimits, maximumFilterText } from '../limits.ts';
import { oneLine } from '../one-line.ts';
import { type Operation, operationList } from '../operations/index.ts';
import type { DeclaredName } from './declarations.ts';
import { declarations } from './declarations.ts';
import type { FieldSchema } from './fields.ts';

/** JSON Schema as a plain object. */
export type JsonSchema = { [key: string]: unknown };

/** `$id` of the request form of a type. */
export function inputId(name: string): string {
  return `${name}.input`;
}

function inputReference(schema: FieldSchema): JsonSchema {
  return { ...schema, $ref: `${inputId(referencedName(schema))}#` };
}

/** Name of the declared type that a field refers to. */
function referencedName(schema: FieldSchema): string {
  return String(schema.$ref).slice(0, -1);
}

function inputItems(items: FieldSchema): JsonSchema {
  // The request form of a type admits null; an element of a list may not be null.
  return items.$ref ? { type: 'object', ...inputReference(items) } : { ...items };
}

function nullable(type: unknown, ...more: string[]): string[] {
  return [String(type), ...more, 'null'];
}

/** Pattern of a text that is accepted as a token. */
export const tokenPattern = '^-?[0-9]{1,16}$';

/** Request form of one field. */
export function inputField(schema: FieldSchema): JsonSchema {
  const { 'x-token': isToken, 'x-or-text': orText, 'x-null': _inAnswers, 'x-merge': _patch, ...rest } = schema;
  const {
    'x-required': _sent,
    'x-enforced': _refused,
    'x-request': _said,
    'x-answer': _shown,
    'x-name': _line,
    'x-distinct': _once,
    'x-secret': _shownOnce,
    default: _stated,
    ...plain
  } = rest;
  if (schema.$ref) return inputReference(plain);
  if (isToken) return { ...plain, type: nullable('integer', 'string'), pattern: tokenPattern };
  if (schema.type === 'array') {
    const items = inputItems(schema.items ?? {});
    const type = orText ? nullable('array', 'string') : nullable('array');
    return { ...plain, type, maxItems: schema.maxItems ?? listLimits.items, items };
  }
  if (schema.type === undefined) return { ...plain };
  if (schema.enum) return { ...plain, type: nullable(schema.type), enum: [...schema.enum, null] };
  return { ...plain, type: nullable(schema.type) };
}

function inputType(name: DeclaredName): JsonSchema {
  const { description } = declarations[name];
  const properties: Record<string, JsonSchema> = {};
  for (const [field, schema] of Object.entries(requestFields(name))) properties[field] = inputField(schema);
  return { $id: inputId(name), type: ['object', 'null'], description, properties, additionalProperties: false };
}

let written: Set<DeclaredName> | undefined;

/**
 * The fields of a type in the form of requests: texts to filter by are short. Texts to store have
 * limits of their own.
 */
export function requestFields(name: DeclaredName): Record<string, FieldSchema> {
  written ??= typesToKeep();
  const fields: Record<string, FieldSchema> = { ...declarations[name].fields };
  if (!written.has(name)) for (const field of Object.keys(fields)) fields[field] = boundedText(fields[field] ?? {});
  return fields;
}

/**
 * Types that are written and stored. Filters of lists are not among them, although saved views
 * store them.
 */
function typesToKeep(): Set<DeclaredName> {
  const bodiesOf = (test: (operation: Operation) => boolean) =>
    closure(operationList.filter(test).flatMap(({ body }) => (body ? [body as DeclaredName] : [])));
  const ofLists = bodiesOf(({ paging }) => paging === 'page');
  return new Set([...bodiesOf(({ kind }) => kind === 'write')].filter((name) => !ofLists.has(name)));
}

function boundedText(schema: FieldSchema): FieldSchema {
  if (schema.type === 'array') return { ...schema, items: boundedText(schema.items ?? {}) };
  return schema.type === 'string' && !schema.enum ? { maxLength: maximumFilterText, ...schema } : schema;
}

/** Names of the declared types that a field refers to directly. */
export function referencedNames(schema: FieldSchema): DeclaredName[] {
  if (schema.$ref) return [referencedName(schema) as DeclaredName];
  if (schema.type === 'array') return referencedNames(schema.items ?? {});
  return schema.additionalProperties ? referencedNames(schema.additionalProperties) : [];
}

/** The given types and all types they refer to. */
export function closure(names: Iterable<DeclaredName>): Set<DeclaredName> {
  const found = new Set<DeclaredName>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    for (const schema of Object.values<FieldSchema>(declarations[name].fields)) open.push(...referencedNames(schema));
  }
  return found;
}

/** Request forms of the given body types and of all types they refer to. */
export function inputTypes(bodies: Iterable<DeclaredName>): JsonSchema[] {
  return [...closure(bodies)].sort().map(inputType);
}

/**
 * Converts a validated body to the answer form: null fields are removed, tokens in digits become
 * numbers, names become one line, a single text becomes a list if both are accepted, repeated ids
 * of filters are removed. Values of any kind (custom data, filter parameters) stay unchanged,
 * including nulls.
 *
 * @param name type of the body
 * @param value the body, valid against the request form of that type
 * @param keepNull true for a merge patch: its own null fields remain
 */
export function normaliseBody(name: DeclaredName, value: unknown, keepNull = false): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  if (typeof value !== 'object' || value === null) return result;
  for (const [field, schema] of Object.entries<FieldSchema>(declarations[name].fields)) {
    const given = Object.hasOwn(value, field) ? (value as Record<string, unknown>)[field] : null;
    if (given !== null && given !== undefined) result[field] = normaliseField(schema, given);
    else if (keepNull && given === null && Object.hasOwn(value, field)) result[field] = null;
  }
  return result;
}

function normaliseField(schema: FieldSchema, value: unknown): unknown {
  if (schema.$ref) return normaliseBody(referencedName(schema) as DeclaredName, value, schema['x-merge']);
  if (schema['x-name']) return nameOrNames(value);
  if (schema['x-token'] && typeof value === 'string') return Number(value);
  if (schema['x-or-text'] && typeof value === 'string') return [value];
  if (schema.type === 'array' && Array.isArray(value)) {
    const items = schema.items ?? {};
    if (items.$ref) return value.map((item) => normaliseField(items, item));
    if (schema['x-distinct'] && items.type === 'integer') return [...new Set(value)];
    // Parameters of filters are compared as text or number; a bigint is the text of its digits.
    return value.map((item) => (typeof item === 'bigint' ? String(item) : item));
  }
  return value;
}

/** @param value a name, or a map whose values are names */
function nameOrNames(value: unknown): unknown {
  if (typeof value === 'string') return oneLine(value);
  return Object.fromEntries(
    Object.entries(value as Record<string, unknown>).map(([key, text]) => [key, nameOrNames(text)]),
  );
}
