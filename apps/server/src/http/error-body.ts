/** Errors as clients read them. */
import { type ErrorCode, errorCodes, problemType } from '@portico/contract';
import { type FieldError, type PorticoError, ValidationError } from '../kernel/errors.ts';

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

/** Builds the body of an error response. */
export function errorBody(error: PorticoError, requestId: string): ErrorBody {
  const { title } = errorCodes[error.code];
  const errors = fieldErrorsOf(error);
  return {
    code: error.code,
    message: error.message,
    requestId,
    type: problemType(error.code),
    title,
    status: error.status,
    detail: error.message,
    ...error.details,
    ...(errors && {
      validationErrors: {
        list: errors.map((item) => ({
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

/** The errors of single inputs. */
function fieldErrorsOf(error: PorticoError): readonly FieldError[] | undefined {
  if (error instanceof ValidationError) return error.errors;
  return error.field === undefined
    ? undefined
    : [{ code: error.code, field: error.field, defaultMessage: error.message }];
}
