/** JSON Schemas of the input and output of each operation, in the shape of a Fastify route. */
import { type Operation, type OperationId, operationList, takesIfMatch } from '../operations/index.ts';
import { declarations } from './declarations.ts';
import { answerFields, maxInteger } from './fields.ts';
import { inputId, type JsonSchema } from './input.ts';

/** Schemas of one operation. */
export interface OperationSchemas {
  /** Path parameters; absent when the path has none. */
  readonly params?: JsonSchema;
  readonly querystring: JsonSchema;
  /** Writes take `idempotency-key`, merge patches also `if-match`. */
  readonly headers?: JsonSchema;
  /** Reference to the request form of the body's type; absent for operations without a declared body. */
  readonly body?: JsonSchema;
  /**
   * Bodies by status. 200 is absent if the answer is always empty; 400 has the general error fields
   * beside `validationErrors`. Every other status has the body `Error` (409: `ConflictError`).
   */
  readonly response: Readonly<Record<number, JsonSchema>>;
}

const int64Param = { type: 'integer', format: 'int64', minimum: -maxInteger, maximum: maxInteger };
const textParam = { type: 'string', minLength: 1, maxLength: 512 };

function paramsSchema(operation: Operation): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const [name, kind] of Object.entries(operation.pathParams)) {
    properties[name] = { ...(kind === 'int64' ? int64Param : textParam) };
  }
  return { type: 'object', properties, required: Object.keys(properties) };
}

function querySchema(operation: Operation): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const [name, param] of Object.entries(operation.query)) {
    const range =
      param.type === 'integer' ? { minimum: name === 'pageSize' ? 1 : -maxInteger, maximum: maxInteger } : {};
    properties[name] = {
      type: param.type,
      ...range,
      ...(param.allowed ? { enum: [...param.allowed] } : {}),
      // Paging inputs have no default here: the body may hold them.
      ...(param.default === undefined || (operation.paging === 'page' && param.extension)
        ? {}
        : { default: param.default }),
      description: param.description,
    };
  }
  return { type: 'object', properties };
}

const headersSchema: JsonSchema = {
  type: 'object',
  properties: { 'idempotency-key': { type: 'string', minLength: 1, maxLength: 255 } },
};

/**
 * The token of a merge patch as a header: digits, with or without the quotation marks of an entity
 * tag.
 */
const ifMatchSchema: JsonSchema = { type: 'string', pattern: '^(?:"[0-9]{1,16}"|[0-9]{1,16})$' };

function headersOf(operation: Operation): JsonSchema {
  if (!takesIfMatch(operation)) return headersSchema;
  return { type: 'object', properties: { ...(headersSchema['properties'] as object), 'if-match': ifMatchSchema } };
}

function answerSchema(operation: Operation): JsonSchema | null {
  const name = operation.responses[200] ?? null;
  if (operation.kind === 'read') return name === null ? null : { $ref: `${name}#` };
  const fields = name === null ? {} : declarations[name].fields;
  return { type: 'object', properties: { ...answerFields(fields), dryRun: { $ref: 'DryRun#' } } };
}

/**
 * Whether errors of an operation can name custom fields: it writes them, or filters or orders by
 * them.
 */
export function tellsOfCustomFields(operation: Operation): boolean {
  return (
    operation.responses[400] === 'CustomFieldValidationErrorResponse' ||
    (operation.body !== null && 'postFieldFilters' in declarations[operation.body].fields)
  );
}

function responseSchemas(operation: Operation): Record<number, JsonSchema> {
  const response: Record<number, JsonSchema> = {};
  const answer = answerSchema(operation);
  if (answer) response[200] = answer;
  response[400] = { $ref: tellsOfCustomFields(operation) ? 'CustomFieldValidationProblem#' : 'ValidationProblem#' };
  return response;
}

function schemasOf(operation: Operation): OperationSchemas {
  return {
    ...(Object.keys(operation.pathParams).length > 0 ? { params: paramsSchema(operation) } : {}),
    querystring: querySchema(operation),
    ...(operation.kind === 'write' ? { headers: headersOf(operation) } : {}),
    ...(operation.body ? { body: { $ref: `${inputId(operation.body)}#` } } : {}),
    response: responseSchemas(operation),
  };
}

/**
 * Schemas by operation id. They refer to the shared schemas, which must be added to the validator
 * first.
 */
export const operationSchemas = Object.fromEntries(
  operationList.map((operation) => [operation.id, schemasOf(operation)]),
) as Readonly<Record<OperationId, OperationSchemas>>;
