/** An operator's wish that cannot be carried out; the message is one sentence. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
