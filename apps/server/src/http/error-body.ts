/** Errors as clients read them. */
import { type ErrorCode, errorCodes, problemType } from '@portico/contract';
import { listedErrors, type PorticoError } from '../kernel/errors.ts';

/** The body of an error answer. */
interface ErrorBody {
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

/** Builds the body of an error response. */
export function errorBody(error: PorticoError, requestId: string): ErrorBody {
  const { title } = errorCodes[error.code];
  const errors = listedErrors(error);
  return {
    code: error.code,
    message: error.message,
    requestId,
    type: problemType(error.code),
    title,
    status: error.status,
    detail: error.message,
    ...error.details,
    ...(errors && { validationErrors: { list: errors } }),
  };
}
