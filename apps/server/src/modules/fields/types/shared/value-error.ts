import type { ErrorCode } from '@portico/contract';

/** A value that is not accepted, before its path is known. */
export class ValueError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly args: readonly unknown[] | undefined;

  constructor(code: ErrorCode, message: string, args?: readonly unknown[]) {
    this.code = code;
    this.message = message;
    this.args = args;
  }
}

/**
 * Returns the error for a value of a wrong form. @param allowed the accepted values, as a phrase
 */
export function wrongForm(allowed: string): ValueError {
  return new ValueError('INVALID_VALUE', `send ${allowed}.`);
}
