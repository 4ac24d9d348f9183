/**
 * Errors as answers: thrown by code, turned into bodies here and nowhere else. A 400 of validation carries
 * `validationErrors.list` (behaviour §4), every error has the names of RFC 9457 beside `code`, `message`, `requestId`.
 */
import { type ErrorCode, errorCodes, problemType } from '@portico/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { fromPostgresError } from '../platform/db/pg-errors.ts';
import { PorticoError, ValidationError } from '../platform/errors.ts';

/** The body of an error answer. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  requestId: string;
  type: string;
  title: string;
  status: number;
  detail: string;
  validationErrors?: { list: object[] };
  [member: string]: unknown;
}

/** The body that tells a client of an error. */
export function errorBody(error: PorticoError, requestId: string): ErrorBody {
  const { title } = errorCodes[error.code];
  return {
    code: error.code,
    message: error.message,
    requestId,
    type: problemType(error.code),
    title,
    status: error.status,
    detail: error.message,
    ...error.details,
    ...(error instanceof ValidationError && {
      validationErrors: {
        list: error.errors.map((item) => ({
          code: item.code,
          args: item.args ?? [],
          defaultMessage: item.defaultMessage ?? errorCodes[item.code].message,
          field: item.field,
          ...(item.validationId !== undefined && { validationId: item.validationId }),
          ...(item.validationTypeId !== undefined && { validationTypeId: item.validationTypeId }),
          ...(item.customFieldId !== undefined && { customFieldId: item.customFieldId }),
          ...(item.externalId !== undefined && { externalId: item.externalId }),
        })),
      },
    }),
  };
}

/** Errors of Fastify itself that are the client's to mend. */
const FRAMEWORK_ERRORS: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED_JSON',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_JSON',
  FST_ERR_BAD_URL: 'UNKNOWN_ROUTE',
  FST_ERR_NOT_FOUND: 'UNKNOWN_ROUTE',
  FST_ERR_MAX_PARAM_LENGTH: 'URI_TOO_LONG',
};

/** @returns what the client is told; anything unknown is an internal error that reveals nothing. */
export function toPorticoError(error: unknown): PorticoError {
  if (error instanceof PorticoError) return error;
  const known = fromPostgresError(error);
  if (known) return known;
  const code = (error as FastifyError | undefined)?.code;
  const framework = typeof code === 'string' ? FRAMEWORK_ERRORS[code] : undefined;
  return new PorticoError(framework ?? 'INTERNAL', { cause: error });
}

/** Fastify's error handler. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = toPorticoError(error);
  if (answer.status >= 500 && answer.code !== 'NOT_IMPLEMENTED') {
    request.log.error({ err: answer.cause ?? error, code: answer.code }, 'request failed');
  }
  // A body that was refused unread would be taken for the next request on this connection.
  if (answer.code === 'BODY_TOO_LARGE') reply.header('Connection', 'close');
  return reply
    .code(answer.status)
    .headers(answer.headers)
    .header('Content-Type', 'application/json; charset=utf-8')
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(errorBody(answer, request.id));
}
