/** The same contract as a Swagger 2.0 document, for tools that know nothing newer. */
import { type Operation, type OperationId, operationList, parts, takesIfMatch } from '../operations/index.ts';
import { type DeclaredName, type JsonSchema, operationSchemas, schemas } from '../schemas/index.ts';
import { errorAnswers, neededFields, needsBody } from './components.ts';
import { type ApiDocument, descriptionOf, errorNames, partTags, pathParameterText } from './document.ts';

/** Tags that parts had before: generated clients are named by them. */
const formerTags: Readonly<Record<string, string>> = { changes: 'stream', inbox: 'posts' };

const tagOf = (part: string) => formerTags[part] ?? part;

/** The one type whose name has no suffix, as older generators know it. */
const plainNames: Readonly<Record<string, string>> = { CreateCustomPostRequest: 'Create Custom Post Request' };

/** Name of a type in this document: older generators expect the suffix. */
function definitionName(name: string): string {
  return plainNames[name] ?? `${name}DTO`;
}

function pointerTo(name: string): string {
  return `#/definitions/${definitionName(name)}`;
}

/** The formats that old generators know. They make types of others, such as `uri`, that existing code cannot use. */
const FORMATS: ReadonlySet<string> = new Set(['int32', 'int64']);

/** Rewrites a schema for Swagger 2.0: a reference stands alone there, and our own keys go. */
function toSwagger(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSwagger);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return { $ref: pointerTo(String(value.$ref).slice(0, -1)) };
  const result: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    if (key === 'x-answer') Object.assign(result, toSwagger(part));
    if (key === '$id' || key.startsWith('x-')) continue;
    if (key === 'format' && typeof part === 'string' && !FORMATS.has(part)) continue;
    if (key === 'type' && Array.isArray(part)) {
      // There are no unions in 2.0; only null is ever added to a type.
      result['type'] = part.find((one) => one !== 'null');
      result['x-nullable'] = true;
    } else result[key] = toSwagger(part);
  }
  return result;
}

/** A type; what requests must send is told of types that only requests use. */
function definition(name: DeclaredName, schema: JsonSchema): unknown {
  const required = neededFields(name);
  return { ...(toSwagger(schema) as object), ...(required.length > 0 && { required }) };
}

function parameters(operation: Operation): unknown[] {
  const { params, querystring } = operationSchemas[operation.id as OperationId];
  const path = Object.entries((params?.properties ?? {}) as Record<string, object>).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    description: pathParameterText(name),
    ...schema,
  }));
  const query = Object.entries(querystring.properties as Record<string, object>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    ...schema,
  }));
  const body = operation.body
    ? [
        {
          name: 'body',
          in: 'body',
          required: needsBody(operation),
          schema: { $ref: pointerTo(operation.body) },
        },
      ]
    : [];
  const header =
    operation.kind === 'write'
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            type: 'string',
            description: 'Makes retries safe.',
          },
        ]
      : [];
  const match = takesIfMatch(operation)
    ? [
        {
          name: 'If-Match',
          in: 'header',
          required: false,
          type: 'string',
          description: 'The token of the object as it was read, in place of `occToken` in the body.',
        },
      ]
    : [];
  return [...path, ...query, ...header, ...match, ...body];
}

function responses(operation: Operation): Record<string, unknown> {
  const answer = operation.responses[200] ?? null;
  const result: Record<string, unknown> = {
    200: { description: 'Done.', ...(answer ? { schema: { $ref: pointerTo(answer) } } : {}) },
  };
  if (operation.emptyWhenDeleted) result[204] = { description: 'The requested object is deleted; there is no body.' };
  for (const name of errorNames(operation)) {
    const { status, schema, codes } = errorAnswers[name];
    const key = name === 'OtherError' ? 'default' : String(status);
    result[key] = { description: codes.join(', '), schema: { $ref: pointerTo(schema) } };
  }
  return result;
}

function operationObject(operation: Operation): Record<string, unknown> {
  return {
    operationId: operation.id,
    tags: [tagOf(operation.domain)],
    summary: operation.summary,
    description: descriptionOf(operation),
    ...(operation.deprecated ? { deprecated: true } : {}),
    ...(operation.permission === 'public' ? { security: [] } : {}),
    ...(operation.body ? { consumes: ['application/json'] } : {}),
    produces: ['application/json'],
    parameters: parameters(operation),
    responses: responses(operation),
  };
}

/**
 * Builds the Swagger 2.0 document: base path `/portal/api/`, every path beginning with `/external/v2/`.
 * @param options.serverUrl base address of the tenant, from which host and scheme are taken
 */
export function buildSwagger2(options: { serverUrl?: string } = {}): ApiDocument {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operationList) {
    const path = `/external/v2${operation.path}`;
    const item = paths[path] ?? {};
    item[operation.method.toLowerCase()] = operationObject(operation);
    paths[path] = item;
  }
  const server = options.serverUrl ? new URL(options.serverUrl) : null;
  return {
    swagger: '2.0',
    info: {
      title: 'Portico',
      version: '2',
      description: 'The HTTP interface of a collaboration portal. The OpenAPI 3.1 document beside this one says more.',
      license: { name: 'Apache-2.0' },
    },
    ...(server ? { host: server.host, schemes: [server.protocol.slice(0, -1)] } : {}),
    basePath: '/portal/api/',
    tags: partTags()
      .filter(({ name }) => tagOf(name) === name || !(tagOf(name) in parts))
      .map(({ name, ...texts }) => ({ ...texts, name: tagOf(name) })),
    securityDefinitions: {
      portal_api_jwt_token: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'Access token, after the word `Bearer` or alone.',
      },
    },
    security: [{ portal_api_jwt_token: [] }],
    paths,
    definitions: Object.fromEntries(
      Object.entries(schemas)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, schema]) => [definitionName(name), definition(name as DeclaredName, schema)]),
    ),
  };
}
