/**
 * Errors of the product. Code throws them by code; `http/errors.ts` turns them into answers, in one place.
 * Status, title and default text of each code come from the contract.
 */
import {
  type CustomFieldValidationError,
  type ErrorCode,
  errorCodes,
  type JsonValue,
  maximumFieldErrors,
} from '@portico/contract';
import { isLongerThan } from '@portico/platform/text';

/** An entry of `validationErrors.list` (contract: ValidationError, CustomFieldValidationError). */
export interface FieldError {
  code: ErrorCode;
  /** JSON path of the input: `customData.12`, `communityPostFilters.postFieldFilters[0].typeId`. */
  field: string;
  /** Says what is allowed. Default: the text of the code. */
  defaultMessage?: string;
  args?: readonly unknown[];
  /** For custom fields: the rule that was broken and the field it belongs to. */
  validationId?: number;
  validationTypeId?: number;
  customFieldId?: number;
  /** Identifier of that field in another system. */
  externalId?: string;
}

interface ErrorOptions {
  message?: string;
  cause?: unknown;
  /** For a 400: the input that it is about, so that the answer has `validationErrors` too. */
  field?: string;
  /** Further members of the error body (a 409 carries `currentOccToken`, `changedBy`, `changedAt`). */
  details?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  /**
   * Account of the rejected sign-in, or of the signed-in user who sent a wrong password or code;
   * for the audit log. No response contains it.
   */
  account?: number | undefined;
}

/** An error that is sent to the client. */
export class PorticoError extends Error {
  override name = 'PorticoError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly field: string | undefined;
  readonly account: number | undefined;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(options.message ?? errorCodes[code].message, { cause: options.cause });
    this.code = code;
    this.status = errorCodes[code].status;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
    this.field = options.field;
    this.account = options.account;
  }
}

/** Most errors that one answer lists; a body of a megabyte could have a hundred thousand. */
export const MAX_FIELD_ERRORS = maximumFieldErrors;
/** How many of them the message repeats. */
const MAX_ERRORS_IN_MESSAGE = 20;

/** A 400 that lists every input that is wrong, all at once: the first {@link MAX_FIELD_ERRORS} of them. */
export class ValidationError extends PorticoError {
  override name = 'ValidationError';
  readonly errors: readonly FieldError[];

  /** @param account see {@link ErrorOptions} */
  constructor(errors: readonly FieldError[], account?: number) {
    const words = errors.slice(0, MAX_ERRORS_IN_MESSAGE).map(inWords);
    const more = errors.length - words.length;
    super('VALIDATION_FAILED', { message: [...words, ...(more > 0 ? [`And ${more} more.`] : [])].join(' '), account });
    this.errors = errors.slice(0, MAX_FIELD_ERRORS);
  }
}

/** An error with the name of its input, which many texts begin with. */
function inWords({ field, code, defaultMessage = errorCodes[code].message }: FieldError): string {
  return defaultMessage.startsWith(`${field} `) ? defaultMessage : `${field}: ${defaultMessage}`;
}

function fieldErrorsOf(error: PorticoError): readonly FieldError[] | undefined {
  if (error instanceof ValidationError) return error.errors;
  if (error.field === undefined) return undefined;
  return [{ code: error.code, field: error.field, defaultMessage: error.message }];
}

/** Members of an error that the errors of other inputs do not declare. */
function ofCustomField({ customFieldId, validationId, validationTypeId, externalId }: FieldError) {
  return { customFieldId, validationId, validationTypeId, externalId };
}

/** The errors of single inputs as answers list them; undefined where the error is about none. */
export function listedErrors(error: PorticoError): CustomFieldValidationError[] | undefined {
  return fieldErrorsOf(error)?.map((item) => ({
    code: item.code,
    args: [...(item.args ?? [])] as JsonValue[],
    defaultMessage: item.defaultMessage ?? errorCodes[item.code].message,
    field: item.field,
    ...(item.customFieldId !== undefined && ofCustomField(item)),
  }));
}

/** Collects the errors of an input, so that the client receives all of them at once. */
export class FieldErrors {
  readonly #errors: FieldError[];
  readonly #missing: ReadonlySet<string>;

  /**
   * @param missing errors of required fields that the input lacks (`scope.missing`): they come
   *   first, and further errors about the same fields are ignored
   */
  constructor(missing: readonly FieldError[] = []) {
    this.#errors = [...missing];
    this.#missing = new Set(missing.map(({ field }) => field));
  }

  add(field: string, code: ErrorCode, defaultMessage?: string, args?: readonly unknown[]): void {
    this.push({ field, code, defaultMessage, args });
  }

  /** Adds errors that another check returned. */
  push(...errors: readonly FieldError[]): void {
    for (const error of errors) if (!this.#missing.has(error.field)) this.#errors.push(error);
  }

  get length(): number {
    return this.#errors.length;
  }

  /** Whether further errors would not be sent. */
  get full(): boolean {
    return this.#errors.length >= MAX_FIELD_ERRORS;
  }

  /** The errors found so far. */
  get list(): readonly FieldError[] {
    return this.#errors;
  }

  /**
   * @param missing errors of required fields, for a check before the one that reports them
   * @throws ValidationError when anything was added
   */
  throwIfAny(missing: readonly FieldError[] = []): void {
    if (this.#errors.length === 0) return;
    const told = new Set(this.#errors.map(({ field }) => field));
    throw new ValidationError([...this.#errors, ...missing.filter(({ field }) => !told.has(field))]);
  }

  /** Reads a required text. @returns it trimmed; empty when it is invalid */
  required(field: string, value: string | undefined, maxLength: number): string {
    const text = this.optional(field, value, maxLength);
    if (text === null && !value?.trim()) this.add(field, 'REQUIRED_FIELD');
    return text ?? '';
  }

  /** Reads an optional text; an empty one counts as omitted. @returns it trimmed, or null */
  optional(field: string, value: string | undefined, maxLength: number): string | null {
    const text = value?.trim();
    if (!text) return null;
    if (!isLongerThan(text, maxLength)) return text;
    this.add(field, 'TEXT_TOO_LONG', `At most ${maxLength} characters (code points).`, [maxLength]);
    return null;
  }
}

/** A 400 about one input. */
export function invalid(
  field: string,
  code: ErrorCode,
  defaultMessage?: string,
  args?: readonly unknown[],
): ValidationError {
  return new ValidationError([{ field, code, defaultMessage, args }]);
}

/**
 * An error for each element of a list that refers to nothing.
 * @param field the list; each error names the element, as `list[0]`
 * @param given the list as it was sent
 * @param unknown the elements without a referent
 */
export function unknownElements<T>(
  field: string,
  given: readonly T[],
  unknown: ReadonlySet<T>,
  defaultMessage?: string,
): FieldError[] {
  return given.flatMap((element, index) =>
    unknown.has(element)
      ? [
          {
            field: `${field}[${index}]`,
            code: 'UNKNOWN_REFERENCE' as const,
            args: [element],
            defaultMessage,
          },
        ]
      : [],
  );
}

/** The object does not exist, or the caller may not know that it does: the two answer alike (docs/decisions/types.md). */
export function notFound(): PorticoError {
  return new PorticoError('NOT_FOUND');
}

/** The caller sees the object but may not do this. @param message says which right is missing */
export function forbidden(message?: string): PorticoError {
  return new PorticoError('FORBIDDEN', message ? { message } : {});
}
