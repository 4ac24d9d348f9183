import { TimeInputError } from '@portico/platform/time';
import type { FieldError } from './errors.ts';

/** The error of a time that was not understood, at the field of its zone or of its date. Other errors are thrown on. */
export function timeError(error: unknown, fields: { datetime: string; timezone: string }): FieldError {
  if (!(error instanceof TimeInputError)) throw error;
  const defaultMessage = `${error.message}.`;
  return error.code === 'UNKNOWN_ZONE' || error.code === 'ZONE_REQUIRED'
    ? { field: fields.timezone, code: 'INVALID_TIME_ZONE', defaultMessage }
    : { field: fields.datetime, code: 'INVALID_DATE', defaultMessage };
}
