/** What is wrong with a date, a time or a zone that a caller wrote. */
type TimeErrorCode = 'UNKNOWN_ZONE' | 'ZONE_REQUIRED' | 'INVALID_DATETIME' | 'INVALID_DATE' | 'OUT_OF_RANGE';

/** A date, time or zone that cannot be taken. The message is for the caller and ends with what is allowed. */
export class TimeInputError extends Error {
  override readonly name = 'TimeInputError';
  readonly code: TimeErrorCode;
  /** What is wrong, as a phrase. */
  readonly problem: string;
  /** What would have been right, as a phrase. */
  readonly allowed: string;

  constructor(code: TimeErrorCode, problem: string, allowed: string) {
    super(`${problem}; allowed is ${allowed}`);
    this.code = code;
    this.problem = problem;
    this.allowed = allowed;
  }
}
