/** The OpenAPI 3.1 document of the interface. */
import { languages } from '../codes/languages.ts';
import { timeZoneNames } from '../codes/time-zones.ts';
import { exportPath, isExported } from '../exports.ts';
import {
  dryRunMediaType,
  idempotencyKeyHeader,
  type Operation,
  type OperationId,
  operationList,
  parts,
  takesIfMatch,
} from '../operations/index.ts';
import { permissions } from '../permissions.ts';
import { operationSchemas, tellsOfCustomFields } from '../schemas/index.ts';
import {
  answerReference,
  bodyReference,
  customFieldValues,
  errorAnswers,
  headerComponents,
  needsBody,
  responseComponents,
  schemaComponents,
} from './components.ts';
import { codeTables, introduction } from './introduction.ts';
import { pathItems } from './path-items.ts';

/** An OpenAPI or Swagger document as plain JSON. */
export type ApiDocument = { [key: string]: unknown };

/** Meaning of the path parameters that are not ids, or whose name is not the word of the documents. */
const pathParameterTexts: Readonly<Record<string, string>> = {
  businessUnitId: 'Id of the business unit.',
  clientUid: 'Identifier that the creating program chose for the post.',
  entryId: 'Id of the catalog entry.',
  identityProviderId: 'Id of the identity provider.',
  occToken: 'Token that the form (for tasks: the detail) returned; a stale token returns 409.',
  serviceAccountId: 'Id of the service account: `client_id` of its key files.',
  screenFieldId: 'Id of the field of screens.',
  screenOccToken: 'Token that the workflow screen returned; a stale token returns 409.',
  version: 'Number of the version.',
  workflowOperationId: 'Id of the transition.',
};

/**
 * Returns the meaning of a path parameter: `userId` is the id of the user.
 * @throws Error if the parameter has no meaning
 */
export function pathParameterText(name: string): string {
  const given = pathParameterTexts[name];
  if (given !== undefined) return given;
  const [, noun] = /^([a-z]+)Id$/.exec(name) ?? [];
  if (noun === undefined) throw new Error(`the path parameter ${name} has no meaning in pathParameterTexts`);
  return `Id of the ${noun}.`;
}

/** The parts of the product, as the documents group the operations. */
export function partTags(): { name: string; description: string }[] {
  return Object.entries(parts).map(([name, { description }]) => ({ name, description }));
}

function parameters(operation: Operation): unknown[] {
  const { params, querystring } = operationSchemas[operation.id as OperationId];
  const pathSchemas = (params?.properties ?? {}) as Record<string, unknown>;
  const querySchemas = querystring.properties as Record<string, object>;
  const path = Object.entries(pathSchemas).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    description: pathParameterText(name),
    schema,
  }));
  const query = Object.entries(operation.query).map(([name, { description }]) => {
    const { description: _text, ...schema } = querySchemas[name] as { description?: string };
    return { name, in: 'query', required: false, description, schema };
  });
  const header = operation.kind === 'write' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [];
  const match = takesIfMatch(operation) ? [{ $ref: '#/components/parameters/IfMatch' }] : [];
  return [...path, ...query, ...header, ...match];
}

function requestBody(operation: Operation): { requestBody?: unknown } {
  if (!operation.body) return {};
  const examples = operation.requestExamples;
  const content = { schema: bodyReference(operation), ...(examples ? { examples } : {}) };
  return {
    requestBody: {
      required: needsBody(operation),
      content: {
        'application/json': content,
        ...(operation.lines && {
          'application/x-ndjson': {
            schema: { type: 'string', description: `The elements of \`${operation.lines}\`, one JSON object a line.` },
          },
        }),
      },
    },
  };
}

function success(operation: Operation): unknown {
  const examples = operation.responseExamples;
  const headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
  const schema = answerReference(operation);
  if (schema) {
    return {
      description: 'Done.',
      headers,
      content: { 'application/json': { schema, ...(examples ? { examples } : {}) } },
    };
  }
  // Without a schema, so that generated clients read no body: the real answer has none.
  const dryRun = {
    'x-schema': { $ref: '#/components/schemas/DryRunAnswer' },
    examples: { tried: { summary: 'A dry run', value: { dryRun: { changes: [], notifications: [] } } } },
  };
  return {
    description: `Success; the body is empty. A dry run returns a \`DryRunAnswer\` as \`${dryRunMediaType}\`.`,
    headers,
    content: { [dryRunMediaType]: dryRun },
  };
}

/** Names of the error answers of an operation: the declared ones, and others that can occur. */
export function errorNames(operation: Operation): (keyof typeof errorAnswers)[] {
  const custom = tellsOfCustomFields(operation);
  const names: (keyof typeof errorAnswers)[] = [custom ? 'BadCustomFields' : 'BadRequest', 'Unauthorized'];
  if (operation.permission !== 'public') names.push('Forbidden');
  if (404 in operation.responses || Object.keys(operation.pathParams).length > 0) names.push('NotFound');
  if (409 in operation.responses || operation.kind === 'write') names.push('Conflict');
  names.push('MethodNotAllowed');
  if (operation.method !== 'GET') names.push('BodyTooLarge');
  names.push('UriTooLong');
  if (operation.body) names.push('UnsupportedMediaType');
  if (operation.kind === 'write') names.push('KeyReused');
  return [...names, 'TooManyRequests', 'Unavailable', 'OtherError'];
}

const gone = {
  description: 'The requested object is deleted; there is no body.',
  headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
};

function responses(operation: Operation): Record<string, unknown> {
  const result: Record<string, unknown> = { 200: success(operation) };
  if (operation.emptyWhenDeleted) result[204] = gone;
  for (const name of errorNames(operation)) {
    const key = name === 'OtherError' ? 'default' : String(errorAnswers[name].status);
    result[key] = { $ref: `#/components/responses/${name}` };
  }
  return result;
}

/** Facts for integrators, and the required permission. Markdown. */
export function descriptionOf({ description, permission }: Operation): string {
  return `${description}\n\nPermission \`${permission}\`: ${permissions[permission]}`;
}

function operationObject(operation: Operation): Record<string, unknown> {
  return {
    operationId: operation.id,
    tags: [operation.domain],
    summary: operation.summary,
    description: descriptionOf(operation),
    ...(operation.deprecated ? { deprecated: true } : {}),
    ...(operation.extension ? { 'x-portico': true } : {}),
    ...(isExported(operation) ? { 'x-export': exportPath(operation) } : {}),
    ...(operation.permission === 'public' ? { security: [] } : {}),
    parameters: parameters(operation),
    ...requestBody(operation),
    responses: responses(operation),
    'x-permission': operation.permission,
  };
}

function paths(): Record<string, Record<string, unknown>> {
  const result: Record<string, Record<string, unknown>> = {};
  for (const operation of operationList) {
    const item = result[operation.path] ?? {};
    item[operation.method.toLowerCase()] = operationObject(operation);
    result[operation.path] = item;
  }
  return result;
}

/**
 * Builds the OpenAPI 3.1 document of all operations, with examples and the published tables.
 * @param options.serverUrl base address of the tenant, for example `https://portal.example.org`; if
 *   absent, addresses are relative to the location of the document
 */
export function buildOpenApi(options: { serverUrl?: string } = {}): ApiDocument {
  const base = (options.serverUrl ?? '').replace(/\/+$/, '');
  const described = { paths: paths(), responses: responseComponents(), customFieldValues };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portico',
      version: '2',
      summary: 'The HTTP interface of a collaboration portal.',
      description: introduction(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: `${base}/portal/api`, description: 'Default version of the interface, 2.' },
      { url: `${base}/portal/api/external/v2`, description: 'Version 2 by name, as existing clients call it.' },
    ],
    tags: partTags(),
    security: [{ bearer: [] }, { portal_api_jwt_token: [] }],
    paths: described.paths,
    components: {
      schemas: schemaComponents(described),
      responses: described.responses,
      headers: headerComponents,
      pathItems,
      parameters: {
        IdempotencyKey: {
          name: idempotencyKeyHeader,
          in: 'header',
          required: false,
          description:
            'Makes retries safe: the same key with the same request returns the first response ' +
            'again for 48 hours; the same key with another request returns 422.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
        IfMatch: {
          name: 'If-Match',
          in: 'header',
          required: false,
          description: 'The token of the object as it was read, in place of `occToken` in the body.',
          schema: { type: 'string', pattern: '^(?:"[0-9]{1,16}"|[0-9]{1,16})$' },
        },
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'Access token after the word `Bearer`. The command `portico token` prints one.',
        },
        portal_api_jwt_token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'Access token alone, without a scheme, as older clients send it.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-portico_session',
          description:
            'Session of a browser, which `startSession` begins; `portico_session` where the base address is not https. Requests that are not GET must come from a page of the portal.',
        },
      },
    },
    'x-custom-field-values': customFieldValues,
    'x-codes': codeTables(),
    'x-languages': languages,
    'x-time-zones': Object.fromEntries(timeZoneNames.map((name, index) => [index + 1, name])),
  };
}
