/** Schemas, error answers and ways of signing in, as the OpenAPI document names them. */
import { type ErrorCode, errorCodes, problemType } from '../errors.ts';
import { operationList } from '../operations/index.ts';
import {
  answerTypes,
  bodyNames,
  closure,
  type DeclaredName,
  inputSchemas,
  type JsonSchema,
  schemas,
} from '../schemas/index.ts';

const answers = answerTypes(operationList);
const inputs = closure(bodyNames);

/** Name of the component that holds the request form of a type; a type that only requests use keeps its name. */
function inputComponent(name: DeclaredName): string {
  return answers.has(name) ? `${name}Input` : name;
}

function pointer(reference: string): string {
  const id = reference.slice(0, -1);
  const name = id.endsWith('.input') ? inputComponent(id.slice(0, -'.input'.length) as DeclaredName) : id;
  return `#/components/schemas/${name}`;
}

/** Rewrites a schema for OpenAPI: references become pointers into the document, our own `x-` keys go. */
export function toOpenApi(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toOpenApi);
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    if (key === '$id' || key.startsWith('x-')) continue;
    // `properties` may hold a field of any name: only its values are schemas.
    result[key] = key === '$ref' ? pointer(String(part)) : toOpenApi(part);
  }
  return result;
}

/** All declared types as components: answer forms under their name, request forms beside them where they differ. */
export function schemaComponents(): Record<string, unknown> {
  const components: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    if (!inputs.has(name as DeclaredName) || answers.has(name as DeclaredName)) components[name] = toOpenApi(schema);
  }
  for (const schema of inputSchemas) {
    const name = String(schema.$id).slice(0, -'.input'.length) as DeclaredName;
    // As a component of its own the body is an object; that null stands for "absent" is said once, in the introduction.
    components[inputComponent(name)] = toOpenApi({ ...schema, type: 'object' });
  }
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Answers that every operation may give beside the declared ones (ruling 3), by component name. */
export const errorAnswers = {
  BadRequest: { status: 400, codes: ['VALIDATION_FAILED', 'MALFORMED_JSON'], schema: 'ValidationProblem' },
  BadCustomFields: { status: 400, codes: ['VALIDATION_FAILED'], schema: 'CustomFieldValidationProblem' },
  Unauthorized: { status: 401, codes: ['INVALID_AUTH_TOKEN', 'UNAUTHENTICATED'], schema: 'Error' },
  Forbidden: { status: 403, codes: ['FORBIDDEN'], schema: 'Error' },
  NotFound: { status: 404, codes: ['NOT_FOUND'], schema: 'Error' },
  Conflict: { status: 409, codes: ['CONFLICT_STALE_TOKEN', 'DUPLICATE_CLIENT_UID'], schema: 'ConflictError' },
  BodyTooLarge: { status: 413, codes: ['BODY_TOO_LARGE'], schema: 'Error' },
  UnsupportedMediaType: { status: 415, codes: ['UNSUPPORTED_MEDIA_TYPE'], schema: 'Error' },
  KeyReused: { status: 422, codes: ['IDEMPOTENCY_KEY_REUSED'], schema: 'Error' },
  TooManyRequests: { status: 429, codes: ['RATE_LIMITED'], schema: 'Error' },
  OtherError: { status: 500, codes: ['INTERNAL', 'NOT_IMPLEMENTED'], schema: 'Error' },
} as const satisfies Readonly<Record<string, { status: number; codes: readonly ErrorCode[]; schema: string }>>;

/** Body that an error has by default; the shape of every error example. */
export function errorExample(code: ErrorCode): Record<string, unknown> {
  const { status, title, message } = errorCodes[code];
  const base = { code, message, requestId: 'req-8d1f0c52', type: problemType(code), title, status, detail: message };
  if (code === 'VALIDATION_FAILED') {
    const fault = {
      code: 'REQUIRED_FIELD',
      args: [],
      defaultMessage: errorCodes.REQUIRED_FIELD.message,
      field: 'title',
    };
    return { ...base, validationErrors: { list: [fault] } };
  }
  if (code === 'CONFLICT_STALE_TOKEN') {
    const changedBy = { id: 17, firstName: 'Ada', lastName: 'Rossi' };
    return { ...base, currentOccToken: 8, changedBy, changedAt: 1767225600000 };
  }
  return base;
}

/** The answers of {@link errorAnswers} as components. */
export function responseComponents(): Record<string, unknown> {
  const components: Record<string, unknown> = {};
  for (const [name, { status, codes, schema }] of Object.entries(errorAnswers)) {
    const headers: Record<string, unknown> = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
    if (status === 401) headers['WWW-Authenticate'] = { $ref: '#/components/headers/Authenticate' };
    components[name] = {
      description: codes.map((code) => `\`${code}\`: ${errorCodes[code].message}`).join(' '),
      headers,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${schema}` },
          examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
        },
      },
    };
  }
  return components;
}

/** Headers of answers. */
export const headerComponents = {
  RequestId: {
    description: 'Identifier of the request; name it when you report a problem.',
    schema: { type: 'string' },
  },
  Authenticate: {
    description: 'Exactly `INVALID_AUTH_TOKEN`, with no scheme and no parameters.',
    schema: { type: 'string', const: 'INVALID_AUTH_TOKEN' },
  },
} as const;

/** Reference to the request form of a body's type. */
export function bodyReference(name: DeclaredName): JsonSchema {
  return { $ref: `#/components/schemas/${inputComponent(name)}` };
}
