/**
 * Errors as classes, one for each kind that a program may want to distinguish. They keep the whole
 * error answer and never contain an access token.
 */

/** A fault of a refused body, as in `validationErrors.list`. */
export interface FieldError {
  code?: string;
  field?: string;
  defaultMessage?: string;
  args?: unknown[];
  validationId?: number;
  validationTypeId?: number;
  customFieldId?: number;
  /** Identifier of that field in another system. */
  externalId?: string;
}

/** @deprecated Use `FieldError`. */
export type FieldFault = FieldError;

/** Base of every error of this library. */
export class PorticoClientError extends Error {
  override name = 'PorticoClientError';
  /** Id of the operation that failed, such as `getPostDetailById`; undefined outside of one. */
  readonly operation: string | undefined;

  constructor(message: string, options: { operation?: string | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.operation = options.operation;
  }
}

/** The client was configured or called in an impossible way; nothing was sent. */
export class ConfigurationError extends PorticoClientError {
  override name = 'ConfigurationError';
}

const LISTED = 12;

/**
 * A label, external id or number without a match; the nearest names are in `suggestions`. Nothing
 * was written.
 */
export class UnknownNameError extends PorticoClientError {
  override name = 'UnknownNameError';
  /** Kind of the searched object: `field`, `value of the field Status`, `workflow state`, … */
  readonly kind: string;
  readonly given: string;
  /** The nearest names, nearest first. */
  readonly suggestions: readonly string[];

  /** @param known all existing names; the message lists them if none is near */
  constructor(kind: string, given: string, suggestions: readonly string[], known: readonly string[] = []) {
    const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`);
    let hint = '';
    if (suggestions.length > 0) hint = `; did you mean ${quoted(suggestions).join(' or ')}?`;
    else if (known.length > 0) {
      const more = known.length > LISTED ? ` and ${known.length - LISTED} more` : '';
      hint = `; there are: ${quoted(known.slice(0, LISTED)).join(', ')}${more}`;
    }
    super(`There is no ${kind} "${given}"${hint}`);
    this.kind = kind;
    this.given = given;
    this.suggestions = suggestions;
  }
}

/** No answer arrived: the connection failed or broke. */
export class NetworkError extends PorticoClientError {
  override name = 'NetworkError';
}

/** No answer arrived in time. */
export class TimeoutError extends NetworkError {
  override name = 'TimeoutError';
}

/** Content of an error answer. */
interface ErrorAnswer {
  status: number;
  requestId: string | undefined;
  operation: string | undefined;
  /** The parsed body; its text if it is not JSON; undefined if there was none. */
  body: unknown;
  retryAfterSeconds?: number | undefined;
}

/**
 * An answer that is not a success. Kinds without a class of their own (405, 413, 3xx, …) use this
 * class.
 */
export class ResponseError extends PorticoClientError {
  override name = 'ResponseError';
  readonly status: number;
  /** `X-Request-Id` of the answer; include it in problem reports. */
  readonly requestId: string | undefined;
  /** Published error code, for example `NOT_FOUND`, if the body had one. */
  readonly code: string | undefined;
  readonly body: unknown;

  constructor(answer: ErrorAnswer) {
    super(describe(answer), { operation: answer.operation });
    this.status = answer.status;
    this.body = answer.body;
    this.code = member(answer.body, 'code', 'string') as string | undefined;
    this.requestId = answer.requestId ?? (member(answer.body, 'requestId', 'string') as string | undefined);
  }
}

/** 400: the request itself is wrong; `errors` lists the errors by value. */
export class ValidationError extends ResponseError {
  override name = 'ValidationError';
  readonly errors: readonly FieldError[];

  constructor(answer: ErrorAnswer) {
    super(answer);
    this.errors = fieldErrorsOf(answer.body);
  }
}

/**
 * 401: not signed in, or the token or the credentials were refused. Also for an unreadable token.
 */
export class AuthenticationError extends ResponseError {
  override name = 'AuthenticationError';
}

/** 403: the caller lacks the right. */
export class PermissionError extends ResponseError {
  override name = 'PermissionError';
}

/**
 * 404, and an empty answer instead of an object: it does not exist, or the caller may not see it.
 */
export class NotFoundError extends ResponseError {
  override name = 'NotFoundError';
}

/** 409: another request came first. */
export class ConflictError extends ResponseError {
  override name = 'ConflictError';
  /** The present token, if the server sends it. */
  readonly currentOccToken: number | undefined;
  /** Author of the last change, if the server sends it. */
  readonly changedBy: { id?: number; firstName?: string; lastName?: string } | undefined;
  /** Time of the last change in epoch milliseconds, if the server sends it. */
  readonly changedAt: number | undefined;

  constructor(answer: ErrorAnswer) {
    super(answer);
    this.currentOccToken = member(answer.body, 'currentOccToken', 'number') as number | undefined;
    this.changedBy = member(answer.body, 'changedBy', 'object') as ConflictError['changedBy'];
    this.changedAt = member(answer.body, 'changedAt', 'number') as number | undefined;
  }
}

/** A member or field that another write changed although the changes contain it. */
export interface FieldConflict {
  /** Name of the member: `title`, `customData.12`, `currentWorkflowState`. */
  member: string;
  /** Value that the changes are based on; undefined if there was none. */
  before: unknown;
  /** Value of the other write; undefined if it emptied the member. */
  present: unknown;
  /** Value of the changes; undefined for the state. */
  sent: unknown;
}

/** 409: another write changed the state of the post, or values that the changes contain. */
export class UpdateConflictError extends ConflictError {
  override name = 'UpdateConflictError';
  readonly conflicts: readonly FieldConflict[];

  constructor({ status, requestId, operation, body }: ConflictError, conflicts: readonly FieldConflict[]) {
    super({ status, requestId, operation, body });
    const members = conflicts.map(({ member }) => member).join(', ');
    this.message = `${operation ?? 'request'}: another write changed the same: ${members}`;
    this.conflicts = conflicts;
  }
}

/** 429: too many requests. */
export class RateLimitedError extends ResponseError {
  override name = 'RateLimitedError';
  /** Seconds to wait, from `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(answer: ErrorAnswer) {
    super(answer);
    this.retryAfterSeconds = answer.retryAfterSeconds;
  }
}

/** 5xx: not the caller's fault. */
export class ServerError extends ResponseError {
  override name = 'ServerError';
  /** Seconds to wait, from `Retry-After`, if a restarting server sends it. */
  readonly retryAfterSeconds: number | undefined;

  constructor(answer: ErrorAnswer) {
    super(answer);
    this.retryAfterSeconds = answer.retryAfterSeconds;
  }
}

/** The storage refused the content of a file (its answers differ from the portal's). */
export class UploadError extends ResponseError {
  override name = 'UploadError';
}

/** Creates the error for an answer by its status. */
export function errorForAnswer(answer: ErrorAnswer): ResponseError {
  if (answer.status === 400) return new ValidationError(answer);
  if (answer.status === 401) return new AuthenticationError(answer);
  if (answer.status === 403) return new PermissionError(answer);
  if (answer.status === 404) return new NotFoundError(answer);
  if (answer.status === 409) return new ConflictError(answer);
  if (answer.status === 429) return new RateLimitedError(answer);
  if (answer.status >= 500) return new ServerError(answer);
  return new ResponseError(answer);
}

function member(body: unknown, name: string, type: 'string' | 'number' | 'object'): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  const value = (body as Record<string, unknown>)[name];
  return typeof value === type && value !== null ? value : undefined;
}

/** `validationErrors` is an object with `list`; some servers send the list itself. */
function fieldErrorsOf(body: unknown): FieldError[] {
  const all: FieldError[] = [];
  for (const name of ['validationErrors', 'customFieldValidationErrors']) {
    const value = member(body, name, 'object');
    const list = Array.isArray(value) ? value : member(value, 'list', 'object');
    if (Array.isArray(list))
      all.push(...(list.filter((item) => typeof item === 'object' && item !== null) as FieldError[]));
  }
  return all;
}

function describe({ status, body, operation }: ErrorAnswer): string {
  const text =
    (member(body, 'message', 'string') as string | undefined) ??
    (typeof body === 'string' && body.length < 200 ? body : undefined) ??
    words(status);
  const errors = status === 400 ? fieldErrorsOf(body) : [];
  // Portico's message already contains the first errors.
  const listed = errors
    .filter(({ field, defaultMessage }) => !isTold(text, field, defaultMessage))
    .map((fault) => `${fault.field ?? '?'}: ${fault.defaultMessage ?? fault.code ?? 'refused'}`);
  return `${operation ?? 'request'}: ${status} ${text}${listed.length === 0 ? '' : ` (${listed.join(' | ')})`}`;
}

/** Whether a message contains a fault and names its field. */
function isTold(text: string, field = '', message = ''): boolean {
  return message !== '' && text.includes(message) && text.includes(field);
}

function words(status: number): string {
  if (status === 0 || (status >= 300 && status < 400)) return 'The server redirects; the base address is not right.';
  if (status === 401) return 'The sign-in was refused.';
  if (status < 300) return 'The answer is empty.';
  return 'The request was refused.';
}
