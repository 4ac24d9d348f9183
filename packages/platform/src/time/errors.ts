/** Error in a date, a time or a zone that a caller wrote. */
type TimeErrorCode = 'UNKNOWN_ZONE' | 'ZONE_REQUIRED' | 'INVALID_DATETIME' | 'INVALID_DATE' | 'OUT_OF_RANGE';

/** An invalid date, time or zone. The message is for the caller and ends with the allowed forms. */
export class TimeInputError extends Error {
  override readonly name = 'TimeInputError';
  readonly code: TimeErrorCode;
  /** The error, as a phrase. */
  readonly problem: string;
  /** The allowed forms, as a phrase. */
  readonly allowed: string;

  constructor(code: TimeErrorCode, problem: string, allowed: string) {
    super(`${problem}; allowed is ${allowed}`);
    this.code = code;
    this.problem = problem;
    this.allowed = allowed;
  }
}
