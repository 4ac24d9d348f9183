/** Validates answers by the contract in strict mode, and remembers which fields of which types were ever filled. */
import { type Operation, operationList } from '@portico/contract';
import {
  answerTypes,
  type DeclaredName,
  declarations,
  type FieldSchema,
  strictResponse,
  strictSharedSchemas,
} from '@portico/contract/schemas';
import Schema from 'typebox/schema';
import type { Json } from './client.ts';

const shared = Object.fromEntries(strictSharedSchemas().map((schema) => [`${schema.$id}#`, schema]));

type Check = { Errors(value: unknown): [boolean, { instancePath: string; message: string }[]] };

const checks = new Map<string, Check | null>();

function checkOf(operation: Operation): Check | null {
  let check = checks.get(operation.id);
  if (check === undefined) {
    const schema = strictResponse(operation.id as Parameters<typeof strictResponse>[0]);
    check = schema ? (Schema.Compile(shared, schema) as unknown as Check) : null;
    checks.set(operation.id, check);
  }
  return check;
}

/** Returns the faults of a 200 answer, in sentences; empty if it keeps the contract. */
export function faultsOf(operation: Operation, body: unknown): string[] {
  const check = checkOf(operation);
  if (!check) return [];
  const [valid, errors] = check.Errors(body);
  return valid
    ? []
    : errors.slice(0, 5).map(({ instancePath, message }) => `${operation.id} ${instancePath}: ${message}`);
}

const filled = new Set<string>();

/** Notes the fields that an answer fills: present, and neither null nor an empty text, list or map. */
export function noteFilled(operation: Operation, body: Json): void {
  const name = operation.responses[200];
  if (name) note(name as DeclaredName, body);
  if (operation.kind === 'write') note('DryRun', body.dryRun);
}

/** Notes the fields of an object of a type. */
function note(name: DeclaredName, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [field, schema] of Object.entries<FieldSchema>(declarations[name].fields)) {
    noteField(`${name}.${field}`, schema, (value as Json)[field]);
  }
}

function noteField(path: string, schema: FieldSchema, value: unknown): void {
  if (value === undefined || value === null || value === '') return;
  if (Array.isArray(value)) {
    if (value.length === 0) return;
    filled.add(path);
    const name = referenceOf(schema.items);
    if (name) for (const item of value) note(name, item);
    return;
  }
  const inner = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  if (typeof value === 'object' && !schema.$ref && Object.keys(value).length === 0) return;
  filled.add(path);
  const name = referenceOf(schema);
  if (name) note(name, value);
  const each = referenceOf(inner as FieldSchema | undefined);
  if (each) for (const item of Object.values(value as Json)) note(each, item);
}

function referenceOf(schema: FieldSchema | undefined): DeclaredName | undefined {
  return schema?.$ref ? (schema.$ref.replace(/#$/, '') as DeclaredName) : undefined;
}

/** Names of fields that some type filled. */
export function filledNames(): Set<string> {
  return new Set([...filled].map((path) => path.split('.')[1] as string));
}

/** Fields of all types that answers can hold and that none has filled so far, as `Type.field`, in order. */
export function neverFilled(): string[] {
  const all = [...answerTypes(operationList)].flatMap((name) =>
    Object.keys(declarations[name].fields).map((field) => `${name}.${field}`),
  );
  return all.filter((path) => !filled.has(path)).sort();
}
