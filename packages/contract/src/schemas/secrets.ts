/** Secrets in answers: the members marked with `shownOnce`. */
import { type DeclaredName, declarations } from './declarations.ts';
import type { FieldSchema } from './fields.ts';
import { closure, referencedNames } from './input.ts';

/** Types whose answers hold a secret, at whatever depth. */
const holders = new Map<DeclaredName, boolean>();

function holdsSecrets(name: DeclaredName): boolean {
  const known = holders.get(name);
  if (known !== undefined) return known;
  const found = [...closure([name])].some((type) =>
    Object.values<FieldSchema>(declarations[type].fields).some((schema) => schema['x-secret']),
  );
  holders.set(name, found);
  return found;
}

/**
 * Returns an answer without its secrets, for storage.
 * @param name type of the answer
 */
export function withoutSecrets(name: DeclaredName, answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !holdsSecrets(name)) return answer;
  const fields: Readonly<Record<string, FieldSchema>> = declarations[name].fields;
  const members = Object.entries(answer).flatMap(([field, value]): [string, unknown][] => {
    const schema = Object.hasOwn(fields, field) ? (fields[field] as FieldSchema) : {};
    return schema['x-secret'] ? [] : [[field, memberWithoutSecrets(schema, value)]];
  });
  return Object.fromEntries(members);
}

function memberWithoutSecrets(schema: FieldSchema, value: unknown): unknown {
  const [name] = referencedNames(schema);
  if (name === undefined || !holdsSecrets(name) || typeof value !== 'object' || value === null) return value;
  if (schema.$ref) return withoutSecrets(name, value);
  if (Array.isArray(value)) return value.map((element) => memberWithoutSecrets(schema.items ?? {}, element));
  const members = Object.entries(value).map(([key, element]): [string, unknown] => [
    key,
    memberWithoutSecrets(schema.additionalProperties ?? {}, element),
  ]);
  return Object.fromEntries(members);
}
