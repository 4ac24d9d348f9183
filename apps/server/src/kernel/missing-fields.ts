/** Required fields of requests, as the contract declares them (`required`). */
import { closure, type DeclaredName, declarations, type FieldSchema, referencedNames } from '@portico/contract/schemas';
import { type FieldError, FieldErrors, MAX_FIELD_ERRORS } from './errors.ts';
import type { TenantScope } from './scope.ts';

/** Fields of a type that requests must send, and fields whose own types have such fields. */
interface RequiredFields {
  readonly enforced: readonly {
    readonly name: string;
    readonly message: string | undefined;
    readonly isMap: boolean;
  }[];
  readonly nested: readonly (readonly [name: string, type: DeclaredName])[];
}

const known = new Map<DeclaredName, RequiredFields>();

function requiredFieldsOf(type: DeclaredName): RequiredFields {
  const found = known.get(type);
  if (found) return found;
  const fields = Object.entries<FieldSchema>(declarations[type].fields);
  const read: RequiredFields = {
    enforced: fields.flatMap(([name, { 'x-enforced': mark, additionalProperties }]) =>
      mark ? [{ name, message: mark === true ? undefined : mark, isMap: additionalProperties !== undefined }] : [],
    ),
    nested: fields.flatMap(([name, schema]) =>
      schema.additionalProperties
        ? []
        : referencedNames(schema).flatMap((referenced) =>
            requiresAny(referenced) ? [[name, referenced] as const] : [],
          ),
    ),
  };
  known.set(type, read);
  return read;
}

/** Whether a type, or a type that it refers to, has a required field. */
const requiresAny = (type: DeclaredName): boolean =>
  [...closure([type])].some((name) =>
    Object.values<FieldSchema>(declarations[name].fields).some((field) => field['x-enforced']),
  );

/**
 * Returns an error for each required field that a body lacks, at most {@link MAX_FIELD_ERRORS}.
 * @param type declared type of the body
 * @param body valid or not; other values than objects lack nothing
 * @param except a list of the body whose elements are checked one by one
 */
export function missingFields(type: DeclaredName, body: unknown, except?: string): FieldError[] {
  const errors: FieldError[] = [];
  collect(type, body, '', errors, except);
  return errors;
}

function collect(type: DeclaredName, value: unknown, path: string, errors: FieldError[], except?: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || errors.length >= MAX_FIELD_ERRORS) return;
  const given = value as Readonly<Record<string, unknown>>;
  const { enforced, nested } = requiredFieldsOf(type);
  for (const { name, message, isMap } of enforced)
    if (isAbsent(given[name], isMap))
      errors.push({ field: path + name, code: 'REQUIRED_FIELD', defaultMessage: message });
  for (const [name, referenced] of nested) {
    const member = given[name];
    if (name === except) continue;
    if (!Array.isArray(member)) collect(referenced, member, `${path}${name}.`, errors);
    else for (const [index, one] of member.entries()) collect(referenced, one, `${path}${name}[${index}].`, errors);
  }
}

/** Null, a blank text, and a map of no other texts count as absent. */
function isAbsent(value: unknown, isMap: boolean): boolean {
  if (isMap && typeof value === 'object' && value !== null)
    return Object.values(value).every((text) => isAbsent(text, false));
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/**
 * Requires the fields of the request that the contract declares as required. Operations with rules
 * of their own pass `scope.missing` to {@link FieldErrors} instead, to report all errors together.
 * @returns the body, whose required fields are present
 * @throws ValidationError
 */
export function requireFields<B extends object>(scope: Pick<TenantScope, 'missing'>, body: B | undefined): Required<B>;
export function requireFields(scope: Pick<TenantScope, 'missing'>): void;
export function requireFields({ missing }: Pick<TenantScope, 'missing'>, body?: object): unknown {
  new FieldErrors(missing).throwIfAny();
  return body;
}
