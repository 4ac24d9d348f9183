/**
 * Classifies errors of PostgreSQL and of the connection to it. SQLSTATEs are read here; messages
 * only where there is nothing else.
 */
export interface PostgresError extends Error {
  code: string;
  constraint?: string;
}

/** Whether PostgreSQL itself refused. */
export function isPostgresError(error: unknown): error is PostgresError {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string' && 'severity' in error;
}

/** Whether the same transaction, run again, may succeed: it lost a race, or the schema changed under its statements. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof StatementOutdated) return true;
  return isPostgresError(error) && (error.code === '40001' || error.code === '40P01');
}

/**
 * Whether a prepared statement no longer fits the schema, for example because a newer version has migrated the database:
 * its result would have other types (0A000), or its parameters have types that the changed columns do not accept (42804,
 * 42883). The same text, prepared anew, may succeed; PostgreSQL has not run the statement.
 */
export function isOutdatedPlan(error: unknown): boolean {
  if (!isPostgresError(error)) return false;
  if (error.code === '0A000') return (error as { routine?: unknown }).routine === 'RevalidateCachedQuery';
  return error.code === '42804' || error.code === '42883';
}

/** Whether a statement was refused because an earlier one of its transaction had failed. */
export function isAborted(error: unknown): boolean {
  return isPostgresError(error) && error.code === '25P02';
}

/** SQLSTATE: a lock was not granted within `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** SQLSTATE of a write to a database that takes none: it is a standby, or set to be read only. */
export const READ_ONLY = '25006';

/** System errors by which a database is not reached. */
const UNREACHABLE = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** Errors of the driver that carry no code. */
const BROKEN =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout expired|timeout exceeded when trying to connect|Cannot use a pool after calling end)/;

/**
 * Internal errors (XX000) that mean the same: a worker of a cluster (Citus) went away in the middle of a transaction, or the server
 * itself ended without its first process saying so.
 */
const INTERNAL = 'XX000';
const ENDED = /^(failure on connection marked as essential|postmaster was shut down)/;

/** The database did not answer in time or cannot be reached; the same work may succeed later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';

  /** @param reason one sentence for the log */
  constructor(reason: string, cause?: unknown) {
    super(reason, cause === undefined ? {} : { cause });
  }
}

/** A prepared statement of a transaction no longer fits the schema. The transaction, run again, prepares it anew. */
export class StatementOutdated extends DatabaseUnavailable {
  override name = 'StatementOutdated';

  constructor(cause: unknown) {
    super('the schema changed under a prepared statement', cause);
  }
}

/** A statement was ended because it took too long, or because the client no longer waits for it. */
export class StatementCancelled extends DatabaseUnavailable {
  override name = 'StatementCancelled';
  /** The statement, with parameters in place of values. */
  readonly statement: string;

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
  if (code === INTERNAL) return ENDED.test(error.message);
  return (
    /^(57P\w\w|08\w{3}|25006|25P0[34])$/.test(code) ||
    /^(ERR_SSL|ERR_TLS|EPROTO)/.test(code) ||
    UNREACHABLE.test(code) ||
    syscall === 'connect'
  );
}

/** Whether a disk or a disk quota is full: of this server, or of the database server (SQLSTATE 53100). */
export function isFull(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.some(isFull)) return true;
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || code === '53100' || isFull(error.cause);
}

/**
 * The constraint or index that a value breaks, as it is named in the schema. An error of another node of a cluster (Citus) names
 * it in the message alone, with the number of the shard: `posts__client_uid_102153`.
 */
export function constraintOf({ constraint, message }: PostgresError): string | undefined {
  const named = constraint ?? /\bconstraint "([^"]+)"/.exec(message)?.[1];
  return named?.replace(/_\d{6,}$/, '');
}

/** True for a unique violation, of the named constraint or index when one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    isPostgresError(error) && error.code === '23505' && (constraint === undefined || constraintOf(error) === constraint)
  );
}
