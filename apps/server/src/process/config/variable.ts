/** A configuration that cannot be used; the message is one sentence that names the variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** A variable that operators set. */
export interface Variable {
  readonly name: string;
  readonly default: string;
  readonly description: string;
  /** May also be given as NAME_FILE. */
  readonly secret?: true;
}
