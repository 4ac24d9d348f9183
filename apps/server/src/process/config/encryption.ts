/** Configuration of the keys that encrypt secrets in the database. */
import { createSealer, parseSealingKeys } from '@portico/platform/sealing';
import { ConfigError, type Variable } from './variable.ts';

const NAME = 'PORTICO_ENCRYPTION_KEYS';

export const encryptionVariables: readonly Variable[] = [
  {
    name: NAME,
    default: '`<data dir>/encryption-keys`',
    description:
      'Keys that encrypt secrets in the database: 32 bytes in base64 each, the newest first, ' +
      'separated by commas or line ends. Required with `DATABASE_URL`; without it a file is ' +
      'created.',
    secret: true,
  },
];

/**
 * @param text value of PORTICO_ENCRYPTION_KEYS  @param external whether the database is an external one
 * @returns undefined where an embedded database keeps its keys in a file
 * @throws ConfigError, whose message holds no key
 */
export function readEncryptionKeys(text: string | undefined, external: boolean): readonly Buffer[] | undefined {
  if (text === undefined) {
    if (!external) return undefined;
    throw new ConfigError(
      `${NAME} is missing; DATABASE_URL needs it: make a key with "openssl rand -base64 32 > FILE", keep a copy of the file in a safe place, and set ${NAME}_FILE=FILE on every node.`,
    );
  }
  try {
    const keys = parseSealingKeys(text);
    createSealer(keys);
    return keys;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigError(`${NAME} cannot be used: ${error.message}; a key is what "openssl rand -base64 32" prints.`, {
      cause: error,
    });
  }
}
