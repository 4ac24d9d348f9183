/**
 * The import cannot run at all: the input cannot be read, or nothing in it is usable. The message
 * is one sentence.
 */
export class ImportError extends Error {
  override name = 'ImportError';
  /** Marks an error whose message is intended for the user of the command. */
  readonly code = 'IMPORT_FAILED';
}

/** Value that cannot be imported. */
export class ValueProblem extends Error {
  override name = 'ValueProblem';
  readonly column: string;
  readonly value: unknown;

  /** @param reason a phrase that names the allowed values */
  constructor(column: string, value: unknown, reason: string) {
    super(reason);
    this.column = column;
    this.value = value;
  }
}
