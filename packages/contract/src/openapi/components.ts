/** Schemas, error answers and ways of signing in, as the OpenAPI document names them. */
import { FieldType, fieldTypes } from '../codes/field-types.ts';
import { timeZoneNames } from '../codes/time-zones.ts';
import { type ErrorCode, errorCodes, problemType } from '../errors.ts';
import { type Operation, operationList } from '../operations/index.ts';
import { answerFields, ref, required } from '../schemas/fields.ts';
import {
  answerTypes,
  bodyNames,
  closure,
  type DeclaredName,
  declarations,
  type FieldSchema,
  inputField,
  type JsonSchema,
  requestFields,
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

/**
 * Rewrites a schema for OpenAPI: references become pointers into the document, Portico's own `x-`
 * keys are removed.
 */
function toOpenApi(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toOpenApi);
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    if (key === 'x-answer') Object.assign(result, part);
    if (key === '$id' || key.startsWith('x-')) continue;
    // Elements of lists say `object` beside their reference, because a body's type admits null.
    if (key === 'type' && '$ref' in value) continue;
    // `properties` may hold a field of any name: only its values are schemas.
    result[key] = key === '$ref' ? pointer(String(part)) : toOpenApi(part);
  }
  return result;
}

/**
 * Request form of a field in the document: with the checks of the operation itself, and null where
 * it is accepted.
 */
function requestField(schema: FieldSchema): JsonSchema {
  const { 'x-required': needed, 'x-enforced': _refused, 'x-request': said, ...plain } = schema;
  if (plain.$ref) {
    const { description, ...reference } = inputField(plain);
    const form = toOpenApi(reference) as JsonSchema;
    return needed ? { ...form, description } : { anyOf: [form, { type: 'null' }], description };
  }
  const nothing = needed ? [] : [{ type: 'null' }];
  if (Array.isArray(said?.anyOf)) return { anyOf: [...said.anyOf, ...nothing], description: plain.description };
  const form = { ...(toOpenApi(inputField(plain)) as JsonSchema), ...said };
  if (!needed) return Array.isArray(said?.enum) ? { ...form, enum: [...said.enum, null] } : form;
  const types = [form.type].flat().filter((type) => type !== 'null');
  return {
    ...form,
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    ...(Array.isArray(form.enum) && { enum: form.enum.filter((value) => value !== null) }),
    // An empty text and an empty map count as absent.
    ...(types.includes('string') &&
      types.length === 1 &&
      !form.enum && { minLength: 1, pattern: form.pattern ?? '\\S' }),
    ...(types.includes('object') && { minProperties: 1 }),
  };
}

function requiredFields(name: DeclaredName): string[] {
  const entries = Object.entries<FieldSchema>(declarations[name].fields);
  return entries.filter(([, schema]) => schema['x-required']).map(([field]) => field);
}

/** Required fields of a type that only requests use; none for a type that answers use too. */
export function neededFields(name: DeclaredName): string[] {
  return answers.has(name) ? [] : requiredFields(name);
}

function requestForm(name: DeclaredName, further: readonly string[] = []): JsonSchema {
  const { description } = declarations[name];
  const entries = Object.entries(requestFields(name)).map(
    ([field, schema]) => [field, further.includes(field) ? required(schema) : schema] as const,
  );
  const needed = [...requiredFields(name), ...further];
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(entries.map(([field, schema]) => [field, requestField(schema)])),
    ...(needed.length > 0 && { required: needed }),
    additionalProperties: false,
  };
}

/** Whether a body is required: a field of it is required, or one of several fields. */
export function needsBody({ body, requires = [], requiresOneOf = [] }: Operation): boolean {
  return [...requires, ...requiresOneOf, ...requiredFields(body as DeclaredName)].length > 0;
}

/** Types that only writes return: their own schema says that a dry run adds `dryRun`. */
const answersOfReads = answerTypes(operationList.filter(({ kind }) => kind === 'read'));

/** Reference to the named type of a 200 answer; a write's has `dryRun` among its fields. */
export function answerReference(operation: Operation): JsonSchema | null {
  const name = operation.responses[200] ?? null;
  if (name === null) return null;
  const own = operation.kind === 'write' && answersOfReads.has(name as DeclaredName);
  return { $ref: `#/components/schemas/${own ? ownAnswerName(operation) : name}` };
}

const pascal = (id: string) => `${id[0]?.toUpperCase()}${id.slice(1)}`;

/** Name of the answer of a write, if reads return the same type. */
const ownAnswerName = ({ id }: Operation) => `${pascal(id)}Response`;

/** Name of the body of an operation with more required fields than its type. */
const ownBodyName = ({ id }: Operation) => `${pascal(id)}Request`;

/** Named types of the answers of writes, with the report of a dry run. */
function writeAnswers(): Record<string, unknown> {
  const components: Record<string, unknown> = {};
  for (const operation of operationList) {
    const name = operation.responses[200] ?? null;
    if (operation.kind === 'read' || name === null) continue;
    const { description, fields } = declarations[name as DeclaredName];
    const own = answersOfReads.has(name as DeclaredName) ? ownAnswerName(operation) : name;
    components[own] = toOpenApi({
      type: 'object',
      description,
      properties: {
        ...answerFields(fields),
        dryRun: ref('DryRun', 'Changes that the write would have made; present with `dryRun=true`.'),
      },
    });
  }
  return components;
}

/** Body of a dry run of a write without an answer body. */
const dryRunAnswer = {
  type: 'object',
  description: 'Response to a dry run of a write that otherwise returns an empty body.',
  properties: { dryRun: { $ref: '#/components/schemas/DryRun' } },
  required: ['dryRun'],
};

const bigIntSchema = {
  description: 'Value of a BIGINT field: a number within ±(2^53 − 1), beyond it a string of digits.',
  anyOf: [
    { type: 'integer', format: 'int64', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'string', pattern: '^-?[0-9]{16,19}$' },
  ],
};

/**
 * Values of custom fields in answers, by type of field; `customData` and screen data hold them by
 * field id.
 */
export const customFieldValues: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(FieldType).map(([name, type]) => [name, fieldTypes[type].schema]),
);

const timeZoneNameSchema = {
  type: 'string',
  description: 'Name of a time zone, as the IANA has it.',
  enum: [...timeZoneNames],
};

/** All declared types as components: answer forms under their name, request forms beside them where they differ. */
function allComponents(): Record<string, unknown> {
  const components: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    if (!inputs.has(name as DeclaredName) || answers.has(name as DeclaredName)) components[name] = toOpenApi(schema);
  }
  for (const name of inputs) components[inputComponent(name)] = requestForm(name);
  for (const operation of operationList) {
    if (operation.requires)
      components[ownBodyName(operation)] = requestForm(operation.body as DeclaredName, operation.requires);
  }
  return {
    ...components,
    ...writeAnswers(),
    DryRunAnswer: dryRunAnswer,
    TimeZoneName: timeZoneNameSchema,
    BigIntValue: bigIntSchema,
  };
}

/** Returns the components reachable from a part of the document, by name. */
export function schemaComponents(document: unknown): Record<string, unknown> {
  const all = allComponents();
  const found = new Set<string>();
  const open: unknown[] = [document];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name === undefined || found.has(name)) continue;
      found.add(name);
      open.push(all[name]);
    }
  }
  return Object.fromEntries([...found].sort().map((name) => [name, all[name]]));
}

/** Answers that every operation can return in addition to the declared ones, by component name. */
export const errorAnswers = {
  BadRequest: { status: 400, codes: ['VALIDATION_FAILED', 'MALFORMED_JSON'], schema: 'ValidationProblem' },
  BadCustomFields: { status: 400, codes: ['VALIDATION_FAILED'], schema: 'CustomFieldValidationProblem' },
  Unauthorized: { status: 401, codes: ['INVALID_AUTH_TOKEN', 'UNAUTHENTICATED'], schema: 'Error' },
  Forbidden: { status: 403, codes: ['FORBIDDEN'], schema: 'Error' },
  NotFound: { status: 404, codes: ['NOT_FOUND'], schema: 'Error' },
  Conflict: { status: 409, codes: ['CONFLICT_STALE_TOKEN', 'DUPLICATE_CLIENT_UID'], schema: 'ConflictError' },
  MethodNotAllowed: { status: 405, codes: ['METHOD_NOT_ALLOWED'], schema: 'Error' },
  BodyTooLarge: { status: 413, codes: ['BODY_TOO_LARGE'], schema: 'Error' },
  UriTooLong: { status: 414, codes: ['URI_TOO_LONG'], schema: 'Error' },
  UnsupportedMediaType: { status: 415, codes: ['UNSUPPORTED_MEDIA_TYPE'], schema: 'Error' },
  KeyReused: { status: 422, codes: ['IDEMPOTENCY_KEY_REUSED'], schema: 'Error' },
  TooManyRequests: { status: 429, codes: ['RATE_LIMITED', 'TOO_MANY_UPLOADS'], schema: 'Error' },
  Unavailable: { status: 503, codes: ['UNAVAILABLE'], schema: 'Error' },
  OtherError: { status: 500, codes: ['INTERNAL'], schema: 'Error' },
} as const satisfies Readonly<Record<string, { status: number; codes: readonly ErrorCode[]; schema: string }>>;

/** Default body of an error; the shape of every error example. */
export function errorExample(code: ErrorCode): Record<string, unknown> {
  const { status, title, message } = errorCodes[code];
  const base = { code, message, requestId: 'req-8d1f0c52', type: problemType(code), title, status, detail: message };
  if (code === 'VALIDATION_FAILED') {
    const error = {
      code: 'REQUIRED_FIELD',
      args: [],
      defaultMessage: errorCodes.REQUIRED_FIELD.message,
      field: 'title',
    };
    return { ...base, validationErrors: { list: [error] } };
  }
  if (code === 'CONFLICT_STALE_TOKEN') {
    const changedBy = { id: 17, name: 'Ada Rossi' };
    return { ...base, currentOccToken: 8, changedBy, changedAt: 1767225600000 };
  }
  return base;
}

/** Headers of answers in addition to the request id, by status. */
const furtherHeaders: Readonly<Record<number, keyof typeof headerComponents>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** The answers of {@link errorAnswers} as components. */
export function responseComponents(): Record<string, unknown> {
  const components: Record<string, unknown> = {};
  for (const [name, { status, codes, schema }] of Object.entries(errorAnswers)) {
    const headers: Record<string, unknown> = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
    const further = furtherHeaders[status];
    if (further) headers[further] = { $ref: `#/components/headers/${further}` };
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
  'WWW-Authenticate': {
    description: 'Exactly `INVALID_AUTH_TOKEN`, with no scheme and no parameters.',
    schema: { type: 'string', const: 'INVALID_AUTH_TOKEN' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 0 },
  },
  Allow: {
    description: 'The methods that the path takes, separated by commas.',
    schema: { type: 'string' },
  },
} as const;

/** Reference to the request form of an operation's body. */
export function bodyReference(operation: Operation): JsonSchema {
  const name = operation.requires ? ownBodyName(operation) : inputComponent(operation.body as DeclaredName);
  return { $ref: `#/components/schemas/${name}` };
}
