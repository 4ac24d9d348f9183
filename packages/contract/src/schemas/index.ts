/**
 * JSON Schemas of the interface: for validation, serialisation and the OpenAPI documents.
 *
 * Fastify: `for (const schema of sharedSchemas) app.addSchema(schema)`, then use
 * `operationSchemas[id]` as the route's schema, with a serialiser compiler as described at {@link
 * referencedSchemas}. Compiling the validators of all operations takes about 0.3 s: compile each at
 * its first use. References have the form `{ $ref: 'User#' }`; the request form of a type is
 * `User.input`. After validation {@link normaliseBody} converts a body to the answer form.
 */
import { type Operation, type OperationId, operationList } from '../operations/index.ts';
import { type DeclaredName, declarations } from './declarations.ts';
import { answerFields, type FieldSchema } from './fields.ts';
import { closure, inputTypes, type JsonSchema, referencedNames } from './input.ts';
import { operationSchemas } from './operations.ts';

export { absentMembers, visitObjects } from './always-sent.ts';
export { communityFileSchema } from './communities/community-file-schema.ts';
export { type DeclaredName, declarations, extensionFields, extensionTypeNames, typesByDomain } from './declarations.ts';
export type { Declaration, FieldSchema, Fields } from './fields.ts';
export {
  closure,
  inputField,
  inputId,
  type JsonSchema,
  normaliseBody,
  referencedNames,
  requestFields,
  tokenPattern,
} from './input.ts';
export { type OperationSchemas, operationSchemas, tellsOfCustomFields } from './operations.ts';
export { leaveOutRepeats } from './repeats.ts';
export { withoutSecrets } from './secrets.ts';

function answerForm(name: DeclaredName, strict: boolean): JsonSchema {
  const { description, fields } = declarations[name];
  return {
    $id: name,
    type: 'object',
    description,
    properties: answerFields(fields),
    ...(strict ? { additionalProperties: false } : {}),
  };
}

const names = Object.keys(declarations) as DeclaredName[];

/** Answer form of every type by name: objects whose fields are all optional, and null only where declared so. */
export const schemas = Object.fromEntries(names.map((name) => [name, answerForm(name, false)])) as Readonly<
  Record<DeclaredName, JsonSchema>
>;

/** Types used as the body of an operation. */
export const bodyNames: readonly DeclaredName[] = [
  ...new Set(operationList.flatMap(({ body }) => (body ? [body as DeclaredName] : []))),
];

/** Request forms of all body types and of the types they refer to, each with its `$id`. */
export const inputSchemas: readonly JsonSchema[] = inputTypes(bodyNames);

/** All schemas that the schemas of operations refer to, each with its `$id`. */
export const sharedSchemas: readonly JsonSchema[] = [...Object.values(schemas), ...inputSchemas];

/**
 * The answer forms with `additionalProperties: false`: for checking that an answer has no
 * undeclared members. They have the same `$id`s as {@link sharedSchemas}, so they need a separate
 * validator.
 */
export function strictSharedSchemas(): JsonSchema[] {
  return names.map((name) => answerForm(name, true));
}

/**
 * Strict schema of an operation's 200 answer, for use with {@link strictSharedSchemas}.
 * @returns null if the answer is always empty
 */
export function strictResponse(id: OperationId): JsonSchema | null {
  const schema = operationSchemas[id].response[200];
  if (!schema) return null;
  return typeof schema.$ref === 'string' ? schema : { ...schema, additionalProperties: false };
}

/**
 * Returns the shared schemas that a schema refers to, by `$id`. A serialiser compiled with these
 * alone is built about twenty times faster than with all of them: in Fastify set a
 * `serializerCompiler` that calls `fastJsonStringify(schema, { schema: referencedSchemas(schema)
 * })`.
 *
 * @param schema a response schema of {@link operationSchemas}, or the answer form of a type
 */
export function referencedSchemas(schema: JsonSchema): Record<string, JsonSchema> {
  const direct = [schema, ...Object.values((schema.properties ?? {}) as Record<string, FieldSchema>)];
  const found: Record<string, JsonSchema> = {};
  for (const name of closure(direct.flatMap((part) => referencedNames(part)))) found[name] = schemas[name];
  return found;
}

/**
 * Options of Ajv with which the schemas compile in strict mode. Bodies and answers are never
 * coerced.
 */
export const ajvOptions = {
  strict: true,
  strictTypes: true,
  strictTuples: true,
  allowUnionTypes: true,
  allErrors: true,
  coerceTypes: false,
  useDefaults: false,
  validateFormats: false,
  keywords: [
    'x-token',
    'x-or-text',
    'x-required',
    'x-enforced',
    'x-request',
    'x-answer',
    'x-words',
    'x-prefix',
    'x-codes',
  ],
} as const;

/** Types that can occur in the 200 answers of the given operations. */
export function answerTypes(operations: Iterable<Operation>): Set<DeclaredName> {
  const roots: DeclaredName[] = [];
  for (const { responses, kind } of operations) {
    if (responses[200]) roots.push(responses[200] as DeclaredName);
    if (kind === 'write') roots.push('DryRun');
  }
  return closure(roots);
}
