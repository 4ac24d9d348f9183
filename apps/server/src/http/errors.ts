/**
 * Errors as answers: thrown by code, turned into bodies here and nowhere else. A 400 of validation carries
 * `validationErrors.list`, every error has the names of RFC 9457 beside `code`, `message`, `requestId`.
 */
import type { ErrorCode } from '@portico/contract';
import { isFull, StatementCancelled } from '@portico/platform/db/pg-errors';
import { StorageUnavailableError } from '@portico/platform/files';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { fromPostgresError } from '../kernel/database-errors.ts';
import { PorticoError } from '../kernel/errors.ts';
import { wasTooSlow } from './body-rate.ts';
import { errorBody } from './error-body.ts';

/** Errors of Fastify that the client caused. */
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

const FRAMEWORK_MESSAGES: Readonly<Record<string, string>> = {
  FST_CP_ERR_INVALID_CONTENT_ENCODING: 'Content-Encoding must be gzip or deflate, or be left out.',
  FST_CP_ERR_INVALID_CONTENT: 'The body does not match its Content-Encoding.',
};

/** Codes for other errors of the framework and its plugins, by the status that they bring. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  404: 'UNKNOWN_ROUTE',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  413: 'BODY_TOO_LARGE',
  414: 'URI_TOO_LONG',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  431: 'HEADERS_TOO_LARGE',
};

/** @returns the error to send; anything unknown becomes an internal error that reveals nothing. */
export function toPorticoError(error: unknown): PorticoError {
  if (error instanceof PorticoError) return error;
  if (isFull(error)) return new PorticoError('STORAGE_FULL', { cause: error, headers: { 'Retry-After': '60' } });
  if (error instanceof StorageUnavailableError) {
    return new PorticoError('UNAVAILABLE', {
      message: 'The file storage is not available. Try again later.',
      headers: { 'Retry-After': '5' },
      cause: error.cause,
    });
  }
  const known = fromPostgresError(error);
  if (known) return known;
  const code = frameworkCode(error);
  const message = FRAMEWORK_MESSAGES[(error as Partial<FastifyError> | undefined)?.code ?? ''];
  return new PorticoError(code ?? 'INTERNAL', { cause: error, ...(message !== undefined && { message }) });
}

/** @returns undefined for an error that the request did not cause */
function frameworkCode(error: unknown): ErrorCode | undefined {
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  if (typeof code !== 'string' || !code.startsWith('FST_')) return undefined;
  const named = FRAMEWORK_ERRORS[code];
  if (named !== undefined) return named;
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode >= 500) return undefined;
  return BY_STATUS[statusCode] ?? 'MALFORMED_REQUEST';
}

/** The error of a request whose body was not received completely; undefined for every other failure. */
function arrivalError(error: unknown, { raw }: FastifyRequest): PorticoError | undefined {
  if (wasTooSlow(raw)) return new PorticoError('REQUEST_TIMEOUT', { cause: error });
  // The error is that of the request's own stream: its client went away.
  return raw.errored !== null && raw.errored === error
    ? new PorticoError('MALFORMED_REQUEST', { cause: error })
    : undefined;
}

/** Maximum length of a statement in a log line, in characters. */
const MAX_SHOWN_STATEMENT = 1_000;

/** Fastify's error handler. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const late = arrivalError(error, request);
  const answer = late ?? toPorticoError(error);
  // The client has disconnected: no response is sent or logged.
  if (late) request.log.info({ code: late.code }, 'a request did not arrive in whole');
  // `limits` is set by a hook, which does not run for a request that is not valid HTTP.
  const gone = request.limits?.clientGone === true;
  if (answer.cause instanceof StatementCancelled) {
    const operation = request.routeOptions.config.operation?.id;
    const what = { operation, statement: answer.cause.statement.slice(0, MAX_SHOWN_STATEMENT) };
    if (gone) request.log.info(what, 'the client went away: its statement was cancelled');
    else request.log.warn(what, 'a statement took too long and was cancelled');
  } else if (answer.status >= 500 && !gone) {
    request.log.error({ err: answer.cause ?? error, code: answer.code }, 'request failed');
  }
  // The unread body would be parsed as the next request on this connection.
  if (answer.code === 'BODY_TOO_LARGE') reply.header('Connection', 'close');
  return reply
    .code(answer.status)
    .headers(answer.headers)
    .header('Content-Type', 'application/json; charset=utf-8')
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(errorBody(answer, request.id));
}
