/**
 * Maps errors of PostgreSQL to errors of the interface by SQLSTATE and the name of the constraint. A module registers the
 * constraints of its own tables.
 */
import type { ErrorCode } from '@portico/contract';
import {
  constraintOf,
  DatabaseUnavailable,
  isConnectionFailure,
  isPostgresError,
} from '@portico/platform/db/pg-errors';
import { invalid, PorticoError } from './errors.ts';

/** The input that a constraint protects, and the error to send. */
export interface ConstraintError {
  field: string;
  code: ErrorCode;
  message: string;
}

const constraints = new Map<string, ConstraintError>();

/** Registers constraints by name. */
export function registerConstraintErrors(errors: Readonly<Record<string, ConstraintError>>): void {
  for (const [name, error] of Object.entries(errors)) constraints.set(name, error);
}

/** Input that passes validation and is refused by PostgreSQL: errors of the client. */
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

/** @returns the error to send, or undefined where PostgreSQL's error is not caused by the client or by overload */
export function fromPostgresError(error: unknown): PorticoError | undefined {
  if (error instanceof DatabaseUnavailable || isConnectionFailure(error)) return unavailable(error);
  if (!isPostgresError(error)) return undefined;
  const input = INPUT_ERRORS[error.code];
  if (input) return invalid('$', input);
  const name = constraintOf(error);
  const constraint = name === undefined ? undefined : constraints.get(name);
  if ((error.code === '23505' || error.code === '23503') && constraint)
    return invalid(constraint.field, constraint.code, constraint.message);
  if (error.code === '40001' || error.code === '40P01') return new PorticoError('CONFLICT', { cause: error });
  // Cancelled; short of memory, disk or connections; failed to read or write a file.
  if (/^(57014|53\w{3}|58\w{3})$/.test(error.code)) return unavailable(error);
  return undefined;
}

function unavailable(cause: unknown): PorticoError {
  return new PorticoError('UNAVAILABLE', { cause, headers: { 'Retry-After': retryAfter() } });
}

/** Retry-After in seconds, randomized so that clients do not all retry at once. */
function retryAfter(): string {
  return String(1 + Math.floor(Math.random() * 3));
}
