/** A serving process that could not start. */
export class ServingProcessError extends Error {
  override name = 'ServingProcessError';
  /** For the operator; undefined for a bug. */
  readonly sentence: string | undefined;

  constructor(message: string, sentence?: string) {
    super(message);
    this.sentence = sentence;
  }
}
