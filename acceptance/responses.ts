/** Validates answers by the contract in strict mode, and remembers which fields of which types were ever filled. */
import { type Operation, operationList } from '@portico/contract';
import {
  answerTypes,
  declarations,
  strictResponse,
  strictSharedSchemas,
  visitObjects,
} from '@portico/contract/schemas';
import Schema from 'typebox/schema';
import type { Json } from './client.ts';

const shared = Object.fromEntries(strictSharedSchemas().map((schema) => [`${schema.$id}#`, schema]));

type Check = {
  Check(value: unknown): boolean;
  Errors(value: unknown): [boolean, { instancePath: string; message: string }[]];
};

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
  if (!check || check.Check(body)) return [];
  const [, errors] = check.Errors(body);
  return errors.slice(0, 5).map(({ instancePath, message }) => `${operation.id} ${instancePath}: ${message}`);
}

const filled = new Set<string>();

const isFilled = (value: unknown) =>
  value !== undefined && value !== null && value !== '' && (typeof value !== 'object' || Object.keys(value).length > 0);

/** Notes the fields that an answer fills: present, and neither null nor an empty text, list or map. */
export function noteFilled(operation: Operation, body: Json): void {
  visitObjects(operation, body, (name, object) => {
    for (const field of Object.keys(declarations[name].fields))
      if (isFilled(object[field])) filled.add(`${name}.${field}`);
  });
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
