/** A command that cannot be executed; the message is one sentence. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
