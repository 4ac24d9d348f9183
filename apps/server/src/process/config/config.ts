/**
 * Configuration: environment variables, read once, checked at start, and handed on as a typed tree. Secrets may be given
 * as files (`NAME_FILE`). docs/operating.md lists every variable; a test compares the two.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type pg from 'pg';
import type { ScopeMode } from '../../platform/db/scoped-pool.ts';
import { S3_MAX_BYTES, type S3Options } from '../../platform/files/s3/options.ts';
import { readHosts, readNetworks } from './addresses.ts';
import { DatabaseUrlError, parseDatabaseUrl } from './database-url.ts';
import { encryptionVariables, readEncryptionKeys } from './encryption.ts';
import { type MailConfig, mailVariables, readMail } from './mail.ts';
import { ConfigError, type Variable } from './variable.ts';

export { ConfigError } from './variable.ts';

export interface Config {
  /** Address to listen on. */
  readonly host: string;
  readonly port: number;
  /** Where the embedded database and files are kept. */
  readonly dataDir: string;
  /** How the owner connects to an external PostgreSQL; undefined for the embedded one. */
  readonly database: pg.ClientConfig | undefined;
  /** Keys that encrypt secrets in the database, the newest first; undefined: those of a file beside the embedded database. */
  readonly encryptionKeys: readonly Buffer[] | undefined;
  /** How long a start waits for an external database that cannot be reached or takes no writes. Milliseconds. */
  readonly databaseWaitMs: number;
  readonly databaseRole: string | undefined;
  readonly databasePoolSize: number;
  readonly databaseScope: ScopeMode;
  /** Lifetime of access tokens where the tenant sets none. Seconds. */
  readonly accessTokenSeconds: number;
  readonly providerTokenInfoUrl: string | undefined;
  readonly providerTimeoutMs: number;
  /** Hosts (`name` or `name:port`) of OpenID Connect providers that may have a private address. */
  readonly internalProviders: readonly string[];
  readonly providerClient: { id: string; secret: string } | undefined;
  /** Addresses or networks of proxies whose X-Forwarded-* headers are believed. */
  readonly trustedProxies: readonly string[];
  readonly tls: { certFile: string; keyFile: string } | undefined;
  /** Where /metrics answers; port 0 is off. */
  readonly metrics: { host: string; port: number } | undefined;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** `auto`: text on a terminal, JSON elsewhere. */
  readonly logFormat: 'auto' | 'text' | 'json';
  readonly filesDir: string;
  /** An S3-compatible store that keeps the files in place of the directory. */
  readonly s3: S3Options | undefined;
  /** How long signed links to files are valid. Seconds. */
  readonly linkSeconds: number;
  /** Scheme and host of their own that files are served from, without trailing slash. */
  readonly filesOrigin: string | undefined;
  readonly maxUploadBytes: number;
  /** Minimum free disk space for files; with less, uploads are refused. Bytes. */
  readonly minFreeBytes: number;
  /** Limits of a user's uploads that nothing refers to yet: number and bytes. */
  readonly pendingUploads: { readonly uploads: number; readonly bytes: number };
  /** File quota of new tenants; null: no quota. Bytes. */
  readonly tenantFileQuota: number | null;
  /** How long posts marked as erasable are kept. Days. */
  readonly eraseAfterDays: number;
  /** Failed sign-ins of one client address, or of one revoked key, within a minute before further ones are refused; 0 is no limit. */
  readonly signInFailures: number;
  /** Requests without a sign-in of one client address within a minute; 0 is no limit. */
  readonly anonymousRequests: number;
  /** A ClamAV daemon that scans uploads before they are accepted. */
  readonly clamAv: { host: string; port: number } | undefined;
  /** How mail is sent; undefined: it is not. */
  readonly mail: MailConfig | undefined;
  /** Mails of one tenant that are sent within a minute. */
  readonly mailsPerMinute: number;
  /** Whether an empty installation gets the demo tenant. */
  readonly demo: boolean;
  /** How long requests in flight may take when the server stops. Milliseconds. */
  readonly stopTimeoutMs: number;
  /** How long the server keeps serving after SIGTERM, with `/readyz` at 503, before it closes its listeners. Milliseconds. */
  readonly drainMs: number;
  /** Compares every answer with the contract before it is sent (for development; costs time). */
  readonly checkAnswers: boolean;
}

/** Every variable that the service reads. */
export const variables: readonly Variable[] = [
  { name: 'PORT', default: '8080', description: 'Port to listen on.' },
  {
    name: 'HOST',
    default: '127.0.0.1 and ::1',
    description: 'Address to listen on; `0.0.0.0` or `::` for all interfaces.',
  },
  { name: 'PORTICO_DATA_DIR', default: '.portico', description: 'Directory of the embedded database and of files.' },
  {
    name: 'DATABASE_URL',
    default: '',
    description: 'Owner’s connection string of an external PostgreSQL (15 or newer); unset uses the embedded one.',
    secret: true,
  },
  ...encryptionVariables,
  {
    name: 'PORTICO_DATABASE_ROLE',
    default: '<database>_service',
    description: 'Name of the role that queries run as; it is made at start.',
  },
  {
    name: 'PORTICO_DATABASE_WAIT_SECONDS',
    default: '60',
    description:
      'How long a start waits for an external database that cannot be reached, is starting or takes no writes.',
  },
  { name: 'PORTICO_DATABASE_POOL', default: '10', description: 'Largest number of database connections of this node.' },
  {
    name: 'PORTICO_DATABASE_SCOPE',
    default: 'connection',
    description: '`connection` for plain PostgreSQL, `transaction` for Citus and behind transaction poolers.',
  },
  {
    name: 'PORTICO_ACCESS_TOKEN_SECONDS',
    default: '3600',
    description: 'Lifetime of access tokens where the tenant sets none; a day at most.',
  },
  {
    name: 'PORTICO_PROVIDER_TOKENINFO_URL',
    default: 'Google’s',
    description:
      'Endpoint that describes access tokens of the identity provider (tokeninfo or RFC 7662 introspection).',
  },
  { name: 'PORTICO_PROVIDER_TIMEOUT_MS', default: '5000', description: 'How long the identity provider may take.' },
  {
    name: 'PORTICO_PROVIDER_CLIENT_ID',
    default: '',
    description: 'Client id for an introspection endpoint that asks for one.',
  },
  { name: 'PORTICO_PROVIDER_CLIENT_SECRET', default: '', description: 'Its secret.', secret: true },
  {
    name: 'PORTICO_INTERNAL_PROVIDERS',
    default: '',
    description:
      'Comma-separated hosts (`name` or `name:port`, as in their addresses) of OpenID Connect providers that may have a private address; those on loopback may use http.',
  },
  {
    name: 'PORTICO_SIGN_IN_FAILURES',
    default: '600',
    description:
      'Failed sign-ins of one client address, or of one revoked key, within a minute before further ones get 429; 0 is no limit.',
  },
  {
    name: 'PORTICO_ANONYMOUS_REQUESTS',
    default: '3000',
    description:
      'Requests without a sign-in (sign-ins, documents, unknown paths, refused upload forms) of one client address within a minute before further ones get 429; 0 is no limit.',
  },
  {
    name: 'PORTICO_TRUSTED_PROXIES',
    default: '',
    description:
      'Comma-separated addresses or networks of proxies whose X-Forwarded-For, -Proto and -Host are believed.',
  },
  {
    name: 'PORTICO_TLS_CERT_FILE',
    default: '',
    description: 'Certificate chain (PEM); with the key file, the server speaks HTTPS. Reloaded when it changes.',
  },
  { name: 'PORTICO_TLS_KEY_FILE', default: '', description: 'Private key (PEM) of the certificate.' },
  { name: 'PORTICO_METRICS_PORT', default: '', description: 'Port of /metrics (Prometheus); unset is off.' },
  { name: 'PORTICO_METRICS_HOST', default: '127.0.0.1', description: 'Address of /metrics.' },
  { name: 'PORTICO_LOG_LEVEL', default: 'info', description: '`debug`, `info`, `warn`, `error` or `silent`.' },
  {
    name: 'PORTICO_LOG_FORMAT',
    default: 'auto',
    description: 'Form of the log: `text` for people, `json` for programs, `auto`: text on a terminal, else JSON.',
  },
  {
    name: 'PORTICO_FILES_DIR',
    default: '<data dir>/files',
    description: 'Directory of uploaded files; several nodes must share it.',
  },
  {
    name: 'PORTICO_S3_BUCKET',
    default: '',
    description: 'Bucket of an S3-compatible store that keeps the files; unset keeps them in the directory.',
  },
  {
    name: 'PORTICO_S3_ENDPOINT',
    default: 'that of AWS',
    description: 'Address by which this server reaches the store, without path.',
  },
  {
    name: 'PORTICO_S3_PUBLIC_ENDPOINT',
    default: 'the same',
    description: 'Address by which clients reach the store, where it is another one.',
  },
  { name: 'PORTICO_S3_REGION', default: 'us-east-1', description: 'Region that requests are signed for.' },
  { name: 'PORTICO_S3_ACCESS_KEY_ID', default: '', description: 'Id of the access key of the store.', secret: true },
  { name: 'PORTICO_S3_SECRET_ACCESS_KEY', default: '', description: 'Its secret.', secret: true },
  {
    name: 'PORTICO_S3_PATH_STYLE',
    default: 'true',
    description: 'Whether the bucket is in the path of addresses; `false` puts it before the host name.',
  },
  {
    name: 'PORTICO_S3_PREFIX',
    default: '',
    description:
      'What the names of all objects begin with, ending with a slash: for a bucket that holds other things too.',
  },
  {
    name: 'PORTICO_LINK_SECONDS',
    default: '900',
    description:
      'How long signed links to files are valid. Those that the server serves end earlier when the post is deleted; links into a store do not.',
  },
  {
    name: 'PORTICO_FILES_ORIGIN',
    default: '',
    description:
      'Address of its own for files, such as `https://files.example.org`; unset serves them at the portal’s.',
  },
  { name: 'PORTICO_MAX_UPLOAD_BYTES', default: '2147483648', description: 'Largest upload.' },
  {
    name: 'PORTICO_MIN_FREE_BYTES',
    default: '536870912',
    description: 'Room that is kept free where the directory of files is; with less, uploads get 507.',
  },
  {
    name: 'PORTICO_PENDING_UPLOADS',
    default: '1000',
    description: 'How many uploads of one user may be there that nothing refers to yet.',
  },
  {
    name: 'PORTICO_PENDING_UPLOAD_BYTES',
    default: '8589934592',
    description: 'What they may take together (8 GiB); at least the largest upload.',
  },
  {
    name: 'PORTICO_TENANT_FILE_QUOTA',
    default: '53687091200',
    description:
      'What the files of a newly made tenant may take (50 GiB), or `none`; `portico tenant settings --file-quota` changes it for one tenant.',
  },
  {
    name: 'PORTICO_CLAMAV_HOST',
    default: '',
    description: 'Host of a ClamAV daemon that scans uploads before they are accepted; unset is off.',
  },
  { name: 'PORTICO_CLAMAV_PORT', default: '3310', description: 'Its TCP port.' },
  ...mailVariables,
  {
    name: 'PORTICO_ERASE_AFTER_DAYS',
    default: '30',
    description: 'Days after which a post marked as erasable is physically removed.',
  },
  {
    name: 'PORTICO_DEMO',
    default: 'true',
    description: 'Whether an installation without tenants gets the demo tenant (embedded database only, unless set).',
  },
  {
    name: 'PORTICO_STOP_TIMEOUT_MS',
    default: '30000',
    description: 'How long requests in flight may take when the server stops; longer ones are cut off.',
  },
  {
    name: 'PORTICO_DRAIN_MS',
    default: '5000',
    description:
      'How long the server still answers after SIGTERM, with `/readyz` at 503, so that load balancers turn away from it first.',
  },
  {
    name: 'PORTICO_CHECK_ANSWERS',
    default: 'false',
    description: 'Compares every answer with the contract before it is sent.',
  },
];

/**
 * Reads and checks the environment.
 * @throws ConfigError
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const read = (name: string): string | undefined => {
    const value = env[name];
    const file = env[`${name}_FILE`];
    const secret = variables.find((variable) => variable.name === name)?.secret;
    if (!secret || !file) return value === '' ? undefined : value;
    if (value) throw new ConfigError(`Both ${name} and ${name}_FILE are set; set one of them.`);
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      throw new ConfigError(`${name}_FILE cannot be read: ${(error as Error).message}.`, { cause: error });
    }
  };
  const number = (name: string, fallback: number, min: number, max: number): number => {
    const text = read(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
    }
    return value;
  };
  const choice = <const T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const text = read(name);
    if (text === undefined) return fallback;
    const value = allowed.find((candidate) => candidate === text);
    if (!value) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${text}".`);
    return value;
  };
  const flag = (name: string, fallback: boolean): boolean =>
    choice(name, ['true', 'false'], fallback ? 'true' : 'false') === 'true';

  const dataDir = resolve(read('PORTICO_DATA_DIR') ?? '.portico');
  const databaseUrl = read('DATABASE_URL');
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new ConfigError('DATABASE_URL must begin with postgres:// or postgresql://.');
  }
  const database = databaseUrl === undefined ? undefined : readDatabaseUrl(databaseUrl);
  const certFile = read('PORTICO_TLS_CERT_FILE');
  const keyFile = read('PORTICO_TLS_KEY_FILE');
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new ConfigError('PORTICO_TLS_CERT_FILE and PORTICO_TLS_KEY_FILE belong together; set both or none.');
  }
  const clientId = read('PORTICO_PROVIDER_CLIENT_ID');
  const clientSecret = read('PORTICO_PROVIDER_CLIENT_SECRET');
  if ((clientId === undefined) !== (clientSecret === undefined)) {
    throw new ConfigError(
      'PORTICO_PROVIDER_CLIENT_ID and PORTICO_PROVIDER_CLIENT_SECRET belong together; set both or none.',
    );
  }
  const providerTokenInfoUrl = read('PORTICO_PROVIDER_TOKENINFO_URL');
  if (providerTokenInfoUrl !== undefined && !/^https?:$/.test(URL.parse(providerTokenInfoUrl)?.protocol ?? '')) {
    throw new ConfigError('PORTICO_PROVIDER_TOKENINFO_URL must be an address that begins with https:// or http://.');
  }
  const s3 = readS3(read, flag('PORTICO_S3_PATH_STYLE', true));
  const maxUploadBytes = number('PORTICO_MAX_UPLOAD_BYTES', 2_147_483_648, 1, Number.MAX_SAFE_INTEGER);
  if (s3 && maxUploadBytes > S3_MAX_BYTES) {
    throw new ConfigError(
      `PORTICO_MAX_UPLOAD_BYTES may be at most ${S3_MAX_BYTES} with PORTICO_S3_BUCKET: stores take no more by one form.`,
    );
  }
  const pendingBytes = Math.max(8_589_934_592, maxUploadBytes);
  const clamAvHost = read('PORTICO_CLAMAV_HOST');
  const clamAvPort = number('PORTICO_CLAMAV_PORT', 3_310, 1, 65_535);
  const metricsPort = number('PORTICO_METRICS_PORT', 0, 0, 65_535);
  return {
    host: read('HOST') ?? 'localhost',
    port: number('PORT', 8080, 0, 65_535),
    dataDir,
    database,
    encryptionKeys: readEncryptionKeys(read('PORTICO_ENCRYPTION_KEYS'), database !== undefined),
    databaseWaitMs: number('PORTICO_DATABASE_WAIT_SECONDS', 60, 0, 3_600) * 1_000,
    databaseRole: read('PORTICO_DATABASE_ROLE'),
    databasePoolSize: number('PORTICO_DATABASE_POOL', 10, 1, 500),
    databaseScope: choice('PORTICO_DATABASE_SCOPE', ['connection', 'transaction'], 'connection'),
    accessTokenSeconds: number('PORTICO_ACCESS_TOKEN_SECONDS', 3_600, 1, 86_400),
    providerTokenInfoUrl,
    providerTimeoutMs: number('PORTICO_PROVIDER_TIMEOUT_MS', 5_000, 100, 60_000),
    providerClient: clientId && clientSecret ? { id: clientId, secret: clientSecret } : undefined,
    internalProviders: readHosts('PORTICO_INTERNAL_PROVIDERS', read('PORTICO_INTERNAL_PROVIDERS') ?? ''),
    trustedProxies: readNetworks('PORTICO_TRUSTED_PROXIES', read('PORTICO_TRUSTED_PROXIES') ?? ''),
    tls: certFile && keyFile ? { certFile, keyFile } : undefined,
    metrics: metricsPort === 0 ? undefined : { host: read('PORTICO_METRICS_HOST') ?? '127.0.0.1', port: metricsPort },
    logLevel: choice('PORTICO_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    logFormat: choice('PORTICO_LOG_FORMAT', ['auto', 'text', 'json'], 'auto'),
    filesDir: resolve(read('PORTICO_FILES_DIR') ?? `${dataDir}/files`),
    s3,
    linkSeconds: number('PORTICO_LINK_SECONDS', 900, 1, 604_800),
    filesOrigin: readOrigin('PORTICO_FILES_ORIGIN', read('PORTICO_FILES_ORIGIN')),
    maxUploadBytes,
    minFreeBytes: number('PORTICO_MIN_FREE_BYTES', 536_870_912, 0, Number.MAX_SAFE_INTEGER),
    pendingUploads: {
      uploads: number('PORTICO_PENDING_UPLOADS', 1_000, 1, 1_000_000),
      bytes: number('PORTICO_PENDING_UPLOAD_BYTES', pendingBytes, maxUploadBytes, Number.MAX_SAFE_INTEGER),
    },
    tenantFileQuota:
      read('PORTICO_TENANT_FILE_QUOTA') === 'none'
        ? null
        : number('PORTICO_TENANT_FILE_QUOTA', 53_687_091_200, 0, Number.MAX_SAFE_INTEGER),
    clamAv: clamAvHost ? { host: clamAvHost, port: clamAvPort } : undefined,
    mail: readMail(read('PORTICO_SMTP_URL'), read('PORTICO_MAIL_FROM')),
    mailsPerMinute: number('PORTICO_MAIL_PER_MINUTE', 120, 1, 100_000),
    signInFailures: number('PORTICO_SIGN_IN_FAILURES', 600, 0, 1_000_000),
    anonymousRequests: number('PORTICO_ANONYMOUS_REQUESTS', 3_000, 0, 1_000_000_000),
    eraseAfterDays: number('PORTICO_ERASE_AFTER_DAYS', 30, 0, 36_500),
    demo: flag('PORTICO_DEMO', databaseUrl === undefined),
    stopTimeoutMs: number('PORTICO_STOP_TIMEOUT_MS', 30_000, 0, 3_600_000),
    drainMs: number('PORTICO_DRAIN_MS', 5_000, 0, 600_000),
    checkAnswers: flag('PORTICO_CHECK_ANSWERS', false),
  };
}

/** @throws ConfigError */
function readDatabaseUrl(url: string): pg.ClientConfig {
  try {
    return parseDatabaseUrl(url);
  } catch (error) {
    if (!(error instanceof DatabaseUrlError)) throw error;
    throw new ConfigError(`DATABASE_URL ${error.message}`, { cause: error });
  }
}

/** @throws ConfigError for what is not a scheme and a host */
function readOrigin(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || (text !== url.origin && text !== `${url.origin}/`)) {
    throw new ConfigError(`${name} must be a scheme and a host such as https://files.example.org, not "${text}".`);
  }
  return url.origin;
}

/** @returns undefined when no bucket is named  @throws ConfigError */
function readS3(read: (name: string) => string | undefined, pathStyle: boolean): S3Options | undefined {
  const bucket = read('PORTICO_S3_BUCKET');
  const set = variables.filter(({ name }) => name.startsWith('PORTICO_S3_') && read(name) !== undefined);
  if (bucket === undefined) {
    if (set.length === 0) return undefined;
    throw new ConfigError(`${set[0]?.name} is set, but not PORTICO_S3_BUCKET; set the bucket, or none of them.`);
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new ConfigError(`PORTICO_S3_BUCKET must be the name of a bucket, not "${bucket}".`);
  }
  const required = (name: string): string => {
    const value = read(name);
    if (value === undefined) throw new ConfigError(`${name} is missing; PORTICO_S3_BUCKET needs it.`);
    return value;
  };
  const endpoint = (name: string, fallback: string): string => {
    const address = URL.parse(read(name) ?? fallback);
    if (!address || !/^https?:$/.test(address.protocol) || address.href !== `${address.origin}/`) {
      throw new ConfigError(`${name} must be an address such as https://s3.example.org, without path.`);
    }
    return address.origin;
  };
  const region = read('PORTICO_S3_REGION') ?? 'us-east-1';
  const inner = endpoint('PORTICO_S3_ENDPOINT', `https://s3.${region}.amazonaws.com`);
  const prefix = read('PORTICO_S3_PREFIX') ?? '';
  if (prefix !== '' && !/^(?:\w[\w.-]*\/)+$/.test(prefix)) {
    throw new ConfigError(`PORTICO_S3_PREFIX must be letters and digits that end with a slash, not "${prefix}".`);
  }
  return {
    bucket,
    endpoint: inner,
    publicEndpoint: endpoint('PORTICO_S3_PUBLIC_ENDPOINT', inner),
    region,
    accessKeyId: required('PORTICO_S3_ACCESS_KEY_ID'),
    secretAccessKey: required('PORTICO_S3_SECRET_ACCESS_KEY'),
    pathStyle,
    prefix,
  };
}

/** Prefix of variables of Portico's own tests. */
const TEST_PREFIX = 'PORTICO_TEST_';

/**
 * Unknown variables with a name like Portico's: a misspelt one would otherwise be ignored.
 * @returns their names, and the known one that each resembles
 */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
): { name: string; meant: string | undefined }[] {
  const known = variables.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
  return Object.keys(env)
    .filter((name) => name.startsWith('PORTICO_') && !name.startsWith(TEST_PREFIX) && !known.includes(name))
    .sort()
    .map((name) => {
      const [nearest] = known
        .map((candidate) => ({ candidate, steps: editSteps(name, candidate) }))
        .sort((one, other) => one.steps - other.steps);
      return { name, meant: nearest && nearest.steps <= 5 ? nearest.candidate : undefined };
    });
}

/** Levenshtein distance. */
function editSteps(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[other.length]!;
}
