/** Errors of a mapping. */

/** Error at one place of a mapping. */
export interface MappingFault {
  readonly line: number | undefined;
  /** Keys that lead there: `fields.amount.type`; empty for the file. */
  readonly path: string;
  readonly message: string;
}

/** A mapping that cannot be used: every error of the file at once, one line each. */
export class MappingError extends Error {
  override name = 'MappingError';
  readonly errors: readonly string[];
  readonly faults: readonly MappingFault[];

  constructor(file: string, faults: readonly MappingFault[]) {
    const errors = faults.map(({ line, path, message }) => {
      const where = [line === undefined ? '' : `line ${line}`, path].filter((part) => part !== '');
      return `${where.join(', ') || 'the file'}: ${message}`;
    });
    super([`${file} cannot be used:`, ...errors.map((error) => `  ${error}`)].join('\n'));
    this.errors = errors;
    this.faults = faults;
  }
}
