/** The address of an external PostgreSQL (`DATABASE_URL`): read in parts, and refused where a part of it would be ignored. */
import pg from 'pg';

/** The supported parameters; docs/operating/grow.md lists them too. */
export const DATABASE_URL_PARAMETERS = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'uselibpqcompat',
  'application_name',
  'connect_timeout',
  'options',
  'host',
  'port',
  'user',
  'password',
] as const;

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
/** Connection timeout. Seconds. */
const MAX_CONNECT_SECONDS = 20;

/** Why an address cannot be used: the end of a sentence that begins with the variable. It repeats no password. */
export class DatabaseUrlError extends Error {
  override name = 'DatabaseUrlError';
}

/**
 * Returns the parts of a connection string, so that user and password can be exchanged.
 * @throws DatabaseUrlError for an invalid address, and for parts that would be ignored: several
 *   hosts, other parameters
 */
export function parseDatabaseUrl(url: string): pg.ClientConfig {
  if (!/^postgres(ql)?:\/\//.test(url)) throw new DatabaseUrlError('must begin with postgres:// or postgresql://.');
  const authority = url.slice(url.indexOf('//') + 2).split(/[/?#]/)[0] as string;
  const parameters = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1).split('#')[0] : '');
  const hosts = [authority.slice(authority.lastIndexOf('@') + 1), parameters.get('host') ?? ''];
  if (hosts.some((host) => host.includes(','))) {
    throw new DatabaseUrlError(
      'names several hosts; give one address that leads to the server that takes writes (a proxy, or a name that moves).',
    );
  }
  const known: readonly string[] = DATABASE_URL_PARAMETERS;
  const unknown = [...new Set(parameters.keys())].filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const [is, it] = unknown.length === 1 ? ['the parameter', 'is'] : ['the parameters', 'are'];
    throw new DatabaseUrlError(
      `has ${is} ${unknown.join(', ')}, which ${it} not followed; possible are ${known.join(', ')}.`,
    );
  }
  const mode = parameters.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode)) {
    throw new DatabaseUrlError(`has sslmode=${mode}; possible are ${SSL_MODES.join(', ')}.`);
  }
  const timeout = parameters.get('connect_timeout');
  if (timeout !== null && !(/^\d+$/.test(timeout) && Number(timeout) >= 1 && Number(timeout) <= MAX_CONNECT_SECONDS)) {
    throw new DatabaseUrlError(
      `has connect_timeout=${timeout}; it must be a whole number of seconds from 1 to ${MAX_CONNECT_SECONDS}.`,
    );
  }
  let parsed: pg.Client & { ssl: pg.ClientConfig['ssl'] };
  try {
    parsed = new pg.Client({ connectionString: url }) as typeof parsed;
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not a valid address' : (error as Error).message;
    throw new DatabaseUrlError(
      `cannot be used: ${reason}; it looks like postgres://owner:password@host:5432/portico, with special characters of the password percent-encoded.`,
    );
  }
  const { host, port, user, password, database, ssl } = parsed;
  const [name, options] = [parameters.get('application_name'), parameters.get('options')];
  return {
    host,
    port,
    ...(user && { user }),
    ...(password && { password }),
    ...(database && { database }),
    ...(ssl && { ssl }),
    ...(name && { application_name: name }),
    ...(options && { options }),
    ...(timeout !== null && { connectionTimeoutMillis: Number(timeout) * 1_000 }),
  };
}
