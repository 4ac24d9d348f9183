/** Error in a rich text that a caller wrote. */
type RichTextErrorCode =
  | 'INVALID_JSON'
  | 'INVALID_DELTA'
  | 'UNKNOWN_EMBED'
  | 'INVALID_EMBED'
  | 'UNSAFE_URL'
  | 'TOO_LARGE'
  | 'TOO_MANY_OPS'
  | 'TOO_DEEP';

/** An invalid rich text. The message is for the caller and says what is allowed. */
export class RichTextError extends Error {
  override readonly name = 'RichTextError';
  readonly code: RichTextErrorCode;
  /** Position of the operation that is wrong, from 0; null if the text is wrong as a whole. */
  readonly opIndex: number | null;

  constructor(code: RichTextErrorCode, message: string, opIndex: number | null = null) {
    super(opIndex === null ? message : `operation ${opIndex}: ${message}`);
    this.code = code;
    this.opIndex = opIndex;
  }
}
