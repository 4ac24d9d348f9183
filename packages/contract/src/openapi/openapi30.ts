/**
 * The interface as an OpenAPI 3.0 document, for generators of clients without support for 3.1. It
 * is less precise than the 3.1 document, so that generators create simple types: one form of each
 * field that may be sent in several, one type for all errors.
 */
import { operationList, takesIfMatch } from '../operations/index.ts';
import { declarations, type FieldSchema, type JsonSchema } from '../schemas/index.ts';
import { requestComponents } from './community.ts';
import { type ApiDocument, buildOpenApi } from './document.ts';

type Schemas = Record<string, JsonSchema>;

/** Keywords unknown to 3.0, in addition to the rewritten ones. */
const unknownKeywords = new Set(['propertyNames', 'const']);

/** Preference among several forms of a field; null does not count as a form. */
const preferred = ['integer', 'array', 'object', 'number', 'boolean', 'string'];

/**
 * Types of requests in which null has a meaning: it empties the field. In others null equals an
 * absent field.
 */
function mergePatches(): Set<string> {
  const fields = Object.values(declarations).flatMap((one) => Object.values<FieldSchema>(one.fields));
  return new Set([
    ...operationList.filter(takesIfMatch).map(({ body }) => String(body)),
    ...fields.filter((field) => field['x-merge']).map(({ $ref }) => String($ref).slice(0, -1)),
  ]);
}

/** Returns the preferred form among the forms in `anyOf`. */
function oneForm({ anyOf, description }: JsonSchema): JsonSchema {
  const forms = (anyOf as JsonSchema[]).filter(({ type }) => type !== 'null');
  const [first] = forms;
  if (forms.length === 1 && first) return { ...first, description };
  const types = forms.map(({ type }) => String(type ?? 'string'));
  const type = preferred.find((one) => types.includes(one));
  const rest = type === 'string' ? {} : forms.find((form) => form['type'] === type);
  return { ...rest, type, description };
}

/**
 * Rewrites a schema, or a map or list of them, for 3.0.
 * @param nullable whether null is declared
 */
function toOpenApi30(value: unknown, nullable: boolean): unknown {
  if (Array.isArray(value)) return value.map((part) => toOpenApi30(part, nullable));
  if (typeof value !== 'object' || value === null) return value;
  if ('anyOf' in value) return toOpenApi30(oneForm(value as JsonSchema), nullable);
  // In 3.0 a reference has no siblings.
  if ('$ref' in value) return { $ref: value.$ref };
  const result: JsonSchema = {};
  for (const [key, part] of Object.entries(value)) {
    if (key === 'properties') result[key] = mapValues(part, (schema) => toOpenApi30(schema, nullable));
    else if (key === 'type' && Array.isArray(part)) {
      result[key] = preferred.find((type) => part.includes(type));
      if (nullable && part.includes('null')) result['nullable'] = true;
    } else if (key === 'enum') result[key] = (part as unknown[]).filter((one) => one !== null);
    else if (!unknownKeywords.has(key)) result[key] = toOpenApi30(part, nullable);
  }
  // Keywords for texts only apply to the form that is a text.
  if (result['type'] !== 'string') delete result['pattern'];
  return result;
}

function mapValues(map: object, change: (value: unknown, key: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
}

/**
 * A single type for the bodies of all errors: the additional fields of single statuses are optional
 * anyway.
 */
function errorOf(schemas: Schemas): JsonSchema {
  const types = [schemas['ConflictError'], schemas['CustomFieldValidationProblem']];
  return {
    type: 'object',
    description: 'Body of every error. A 400 has `validationErrors`; a 409 names the author of the last change.',
    properties: Object.assign({}, ...types.map((type) => type?.['properties'])),
  };
}

interface Media {
  schema?: unknown;
  examples?: unknown;
}
interface Content {
  description?: string;
  required?: boolean;
  content?: Record<string, Media>;
}
interface OperationObject {
  description: string;
  parameters: Record<string, unknown>[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

/** A body in JSON, or none. */
function jsonOnly({ description, required, content }: Content): Content {
  const json = content?.['application/json'];
  return {
    ...(description !== undefined && { description }),
    ...(required !== undefined && { required }),
    ...(json && { content: { 'application/json': json } }),
  };
}

function operation30(operation: OperationObject): Record<string, unknown> {
  const { description, parameters, requestBody, responses } = operation;
  const gone = responses['204']?.description;
  return {
    ...operation,
    // Some generators fail if an operation has two success answers: the answer without a body is
    // described in words.
    ...(gone && { description: `${description}\n\n204: ${gone}` }),
    parameters: parameters.map((one) => ('$ref' in one ? one : { ...one, schema: toOpenApi30(one['schema'], false) })),
    ...(requestBody && { requestBody: jsonOnly(requestBody) }),
    responses: {
      200: jsonOnly(responses['200'] ?? {}),
      // Ranges, because some generators use `default` for the success answer, too.
      '4XX': { $ref: '#/components/responses/OtherError' },
      '5XX': { $ref: '#/components/responses/OtherError' },
    },
  };
}

/** The schemas reachable from the paths. */
function reached(schemas: Schemas, paths: unknown): Schemas {
  const found = new Set<string>(['Error']);
  const open: unknown[] = [paths, schemas['Error']];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name === undefined || found.has(name)) continue;
      found.add(name);
      open.push(schemas[name]);
    }
  }
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

/**
 * Builds the OpenAPI 3.0 document of all operations.
 * @param options as for {@link buildOpenApi}
 */
export function buildOpenApi30(options: { serverUrl?: string } = {}): ApiDocument {
  const document = buildOpenApi(options) as {
    servers: unknown[];
    tags: unknown;
    paths: Record<string, Record<string, OperationObject>>;
    components: { schemas: Schemas; parameters: unknown; securitySchemes: { bearer: unknown } };
  };
  const { schemas, parameters, securitySchemes } = document.components;
  const patches = mergePatches();
  const requests = requestComponents(document, schemas);
  const nullable = (name: string) => patches.has(name) || !requests.has(name);
  const paths = mapValues(document.paths, (item) =>
    mapValues(item as object, (operation) => operation30(operation as OperationObject)),
  );
  const all = mapValues({ ...schemas, Error: errorOf(schemas) }, (schema, name) =>
    toOpenApi30(schema, nullable(name)),
  ) as Schemas;
  return {
    openapi: '3.0.3',
    info: {
      title: 'Portico',
      version: '2',
      description:
        'The HTTP interface of a collaboration portal, for generators of clients. The OpenAPI ' +
        '3.1 document contains more: codes, errors, permissions, and all forms in which a ' +
        'field may be sent.',
      license: { name: 'Apache-2.0' },
    },
    servers: document.servers.slice(0, 1),
    tags: document.tags,
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas: reached(all, paths),
      responses: {
        OtherError: {
          description: 'An error.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      parameters,
      securitySchemes: { bearer: securitySchemes.bearer },
    },
  };
}
