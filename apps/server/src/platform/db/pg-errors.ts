/**
 * What PostgreSQL's refusals mean to a client: SQLSTATE and constraint names map here and nowhere else, never message
 * texts. Code that knows more about a constraint (which field it guards) registers it with {@link constraintErrors}.
 */
import type { ErrorCode } from '@portico/contract';
import { invalid, PorticoError } from '../errors.ts';

interface PostgresError extends Error {
  code: string;
  constraint?: string;
}

function isPostgresError(error: unknown): error is PostgresError {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string' && 'severity' in error;
}

/** SQLSTATEs after which the same transaction, run again, may succeed. */
export function isRetryable(error: unknown): boolean {
  return isPostgresError(error) && (error.code === '40001' || error.code === '40P01');
}

/** SQLSTATE of a write to a database that takes none: it is a standby, or set to be read only. */
export const READ_ONLY = '25006';

/** System errors by which a database is not reached. */
const UNREACHABLE = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** Errors of the driver that carry no code. */
const BROKEN =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout expired|timeout exceeded when trying to connect|Cannot use a pool after calling end)/;

/** The database did not answer in time or cannot be reached: 503, and the same request may succeed later. */
export class DatabaseUnavailable extends PorticoError {
  override name = 'DatabaseUnavailable';

  /** @param reason one sentence for the log */
  constructor(reason: string, cause?: unknown) {
    super('UNAVAILABLE', {
      cause: new Error(reason, cause === undefined ? {} : { cause }),
      headers: { 'Retry-After': retryAfter() },
    });
  }
}

/** A statement was ended because it took too long, or because nobody waits for its answer any more. */
export class StatementCancelled extends DatabaseUnavailable {
  override name = 'StatementCancelled';
  /** The statement, with parameters in place of values. */
  readonly statement: string;
  /** What kind of list it belongs to, where it does. */
  shape: string | undefined;

  constructor(statement: string, cause: unknown) {
    super('the statement was cancelled', cause);
    this.statement = statement;
  }
}

/**
 * True when the database could not be reached, went away (class 57P), takes no writes any more (25006: it became a standby),
 * or the connection broke (class 08, time limits that end a session, no SQLSTATE at all): the connection cannot be used
 * again, and the request is not at fault.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionFailure);
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code !== 'string') return BROKEN.test(error.message);
  return (
    /^(57P\w\w|08\w{3}|25006|25P0[34])$/.test(code) ||
    /^(ERR_SSL|ERR_TLS|EPROTO)/.test(code) ||
    UNREACHABLE.test(code) ||
    syscall === 'connect'
  );
}

/** True for a unique violation, of the named constraint or index when one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    isPostgresError(error) && error.code === '23505' && (constraint === undefined || error.constraint === constraint)
  );
}

/** Unique indexes and the input whose value they guard. */
export const constraintErrors: Readonly<Record<string, { field: string; code: ErrorCode; message: string }>> = {
  users__tenant_contact_email: {
    field: 'contactEmail',
    code: 'DUPLICATE_VALUE',
    message: 'Another user has this e-mail address.',
  },
  users__tenant_external_id: {
    field: 'externalId',
    code: 'DUPLICATE_VALUE',
    message: 'Another user has this external id.',
  },
  users__tenant_google_account: {
    field: 'userCredentialsConfiguration.google.googleAccountId',
    code: 'DUPLICATE_VALUE',
    message: 'This account is linked to another user.',
  },
  users__tenant_microsoft_account: {
    field: 'userCredentialsConfiguration.microsoft.microsoftAccountId',
    code: 'DUPLICATE_VALUE',
    message: 'This account is linked to another user.',
  },
  users__tenant_custom_username: {
    field: 'userCredentialsConfiguration.custom.username',
    code: 'DUPLICATE_VALUE',
    message: 'Another user has this user name.',
  },
  groups__tenant_external_id: {
    field: 'externalId',
    code: 'DUPLICATE_VALUE',
    message: 'Another group has this external id.',
  },
  groups__tenant_email: { field: 'email', code: 'DUPLICATE_VALUE', message: 'Another group has this e-mail address.' },
  catalog_entries__external_id: {
    field: 'externalId',
    code: 'DUPLICATE_VALUE',
    message: 'Another entry of this catalog has this external id.',
  },
  hashtags__name: { field: 'name', code: 'DUPLICATE_VALUE', message: 'The community has a hashtag of this name.' },
};

/** Input that PostgreSQL refuses although validation let it through: always the client's to mend. */
const INPUT_ERRORS: Readonly<Record<string, ErrorCode>> = {
  '22021': 'INVALID_TEXT', // character not in repertoire: NUL
  '22P05': 'INVALID_TEXT', // untranslatable character: \u0000 in JSON
  '22P02': 'INVALID_VALUE', // invalid text representation: lone surrogates in JSON, bad numbers
  '22003': 'INTEGER_OUT_OF_RANGE', // numeric value out of range
  '22008': 'INVALID_DATE', // datetime field overflow
  '2201B': 'INVALID_VALUE', // invalid regular expression
  '54000': 'TEXT_TOO_LONG', // program limit: a text too long for an index
  '54001': 'INVALID_VALUE', // statement too complex: nesting too deep
};

/** @returns the error to answer with when PostgreSQL's refusal has a meaning for the client, else undefined. */
export function fromPostgresError(error: unknown): PorticoError | undefined {
  if (isConnectionFailure(error)) return unavailable(error);
  if (!isPostgresError(error)) return undefined;
  const input = INPUT_ERRORS[error.code];
  if (input) return invalid('$', input);
  const constraint = error.constraint === undefined ? undefined : constraintErrors[error.constraint];
  if (error.code === '23505' && constraint) return invalid(constraint.field, constraint.code, constraint.message);
  if (error.code === '40001' || error.code === '40P01') return new PorticoError('CONFLICT', { cause: error });
  // Cancelled; short of memory, disk or connections; failed to read or write a file.
  if (/^(57014|53\w{3}|58\w{3})$/.test(error.code)) return unavailable(error);
  return undefined;
}

function unavailable(cause: unknown): PorticoError {
  return new PorticoError('UNAVAILABLE', { cause, headers: { 'Retry-After': retryAfter() } });
}

/** Seconds, not the same for all, so that clients do not come back at once. */
function retryAfter(): string {
  return String(1 + Math.floor(Math.random() * 3));
}
