/**
 * Configuration: environment variables, read once, checked at start, and handed on as a typed tree. Secrets may be given
 * as files (`NAME_FILE`). docs/operating/configure.md lists every variable; a test compares the two.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ScopeMode } from '@portico/platform/db/scoped-pool';
import { S3_MAX_BYTES, type S3Options } from '@portico/platform/files/s3/options';
import type pg from 'pg';
import { readHost, readHosts, readNetworks, readTenantHosts } from './addresses.ts';
import { type BackupConfig, readBackup } from './backup.ts';
import { DatabaseUrlError, parseDatabaseUrl } from './database-url.ts';
import { readEncryptionKeys } from './encryption.ts';
import { type MailConfig, type ReplyConfig, readMail, readReplies } from './mail.ts';
import { defaultProcesses, thisMachine } from './processes.ts';
import { readS3 } from './s3.ts';
import { ConfigError } from './variable.ts';
import { variables } from './variables.ts';

export { ConfigError } from './variable.ts';

export interface Config {
  /** Address to listen on. */
  readonly host: string;
  readonly port: number;
  /** Where the embedded database and files are kept. */
  readonly dataDir: string;
  /** Starts an embedded database also when its files were copied while it ran. */
  readonly startCopy: boolean;
  /** How the owner connects to an external PostgreSQL; undefined for the embedded one. */
  readonly database: pg.ClientConfig | undefined;
  /**
   * Keys that encrypt secrets in the database, the newest first; undefined: the keys in a file
   * beside the embedded database.
   */
  readonly encryptionKeys: readonly Buffer[] | undefined;
  /** How long a start waits for an external database that cannot be reached or takes no writes. Milliseconds. */
  readonly databaseWaitMs: number;
  /** How many processes serve; with more than one, another one listens for them. */
  readonly processes: number;
  readonly databaseRole: string | undefined;
  readonly databasePoolSize: number;
  readonly databaseScope: ScopeMode;
  /** Lifetime of access tokens where the tenant sets none. Seconds. */
  readonly accessTokenSeconds: number;
  readonly providerTokenInfoUrl: string | undefined;
  readonly providerTimeoutMs: number;
  /** Hosts (`name` or `name:port`) of OpenID Connect providers that may have a private address. */
  readonly internalProviders: readonly string[];
  /** Receivers of webhooks that may have a private address. */
  readonly internalWebhooks: readonly { readonly tenant: string; readonly host: string }[];
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
  /** Requests of operations that one account may have in progress. */
  readonly accountRequestsAtOnce: number;
  readonly backup: BackupConfig;
  /** A ClamAV daemon that scans uploads before they are accepted. */
  readonly clamAv: { host: string; port: number } | undefined;
  /** How mail is sent; undefined: it is not. */
  readonly mail: MailConfig | undefined;
  /** How answers to mails of notifications are taken; undefined: they are not. */
  readonly replies: ReplyConfig | undefined;
  /** Mails of one tenant that are sent within a minute. */
  readonly mailsPerMinute: number;
  /** The same of mails of notifications. */
  readonly notificationMailsPerMinute: number;
  /** Whether an empty installation gets the demo tenant. */
  readonly demo: boolean;
  /** How long requests in flight may take when the server stops. Milliseconds. */
  readonly stopTimeoutMs: number;
  /** How long the server keeps serving after SIGTERM, with `/readyz` at 503, before it closes its listeners. Milliseconds. */
  readonly drainMs: number;
  /** Compares every response with the contract before sending it (for development; costs time). */
  readonly checkAnswers: boolean;
}

/** Most processes that may be set. */
const MOST_PROCESSES = 32;
/** The default of database connections: at least so many, and so many for each process. */
const [LEAST_POOL, CONNECTIONS_OF_PROCESS] = [10, 4];

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
    let content: string;
    try {
      content = readFileSync(file, 'utf8').trim();
    } catch (error) {
      throw new ConfigError(`${name}_FILE cannot be read: ${(error as Error).message}.`, { cause: error });
    }
    if (content === '') throw new ConfigError(`${name}_FILE names an empty file, ${file}.`);
    return content;
  };
  const number = (name: string, fallback: number, min: number, max: number, or = ''): number => {
    const text = read(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}${or}, not "${text}".`);
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
  const clamAvHost = readHost('PORTICO_CLAMAV_HOST', read('PORTICO_CLAMAV_HOST'));
  const clamAvPort = number('PORTICO_CLAMAV_PORT', 3_310, 1, 65_535);
  const metricsPort = number('PORTICO_METRICS_PORT', 0, 0, 65_535);
  const connections = read('PORTICO_DATABASE_POOL') && number('PORTICO_DATABASE_POOL', 0, 1, 500);
  const embedded = database === undefined;
  const preset = defaultProcesses(thisMachine(), { embedded, ...(connections && { connections }) });
  const processes = number('PORTICO_PROCESSES', preset, 1, MOST_PROCESSES);
  if (connections && processes > connections)
    throw new ConfigError(
      'PORTICO_PROCESSES may be at most PORTICO_DATABASE_POOL: each process needs a database connection.',
    );
  return {
    host: read('HOST') ?? 'localhost',
    port: number('PORT', 8080, 0, 65_535),
    dataDir,
    startCopy: flag('PORTICO_START_COPY', false),
    database,
    encryptionKeys: readEncryptionKeys(read('PORTICO_ENCRYPTION_KEYS'), database !== undefined),
    databaseWaitMs: number('PORTICO_DATABASE_WAIT_SECONDS', 60, 0, 3_600) * 1_000,
    databaseRole: read('PORTICO_DATABASE_ROLE'),
    processes,
    databasePoolSize: connections || Math.max(LEAST_POOL, CONNECTIONS_OF_PROCESS * processes),
    databaseScope: choice('PORTICO_DATABASE_SCOPE', ['connection', 'transaction'], 'connection'),
    accessTokenSeconds: number('PORTICO_ACCESS_TOKEN_SECONDS', 3_600, 1, 86_400),
    providerTokenInfoUrl,
    providerTimeoutMs: number('PORTICO_PROVIDER_TIMEOUT_MS', 5_000, 100, 60_000),
    providerClient: clientId && clientSecret ? { id: clientId, secret: clientSecret } : undefined,
    internalProviders: readHosts('PORTICO_INTERNAL_PROVIDERS', read('PORTICO_INTERNAL_PROVIDERS') ?? ''),
    internalWebhooks: readTenantHosts('PORTICO_INTERNAL_WEBHOOKS', read('PORTICO_INTERNAL_WEBHOOKS') ?? ''),
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
        : number('PORTICO_TENANT_FILE_QUOTA', 53_687_091_200, 0, Number.MAX_SAFE_INTEGER, ', or none'),
    backup: readBackup({ read, number, flag, databaseUrl }),
    clamAv: clamAvHost ? { host: clamAvHost, port: clamAvPort } : undefined,
    mail: readMail(read('PORTICO_SMTP_URL'), read('PORTICO_MAIL_FROM')),
    replies: readReplies(
      read('PORTICO_MAIL_REPLIES'),
      read('PORTICO_MAIL_REPLIES_IMAP'),
      read('PORTICO_MAIL_REPLIES_VERIFIED_BY'),
    ),
    mailsPerMinute: number('PORTICO_MAIL_PER_MINUTE', 120, 1, 100_000),
    notificationMailsPerMinute: number('PORTICO_NOTIFICATION_MAIL_PER_MINUTE', 1_200, 1, 100_000),
    signInFailures: number('PORTICO_SIGN_IN_FAILURES', 600, 0, 1_000_000),
    anonymousRequests: number('PORTICO_ANONYMOUS_REQUESTS', 3_000, 0, 1_000_000_000),
    accountRequestsAtOnce: number('PORTICO_ACCOUNT_REQUESTS_AT_ONCE', 256, 1, 1_000_000),
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

/** @throws ConfigError for a text that is not a scheme and a host */
function readOrigin(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || (text !== url.origin && text !== `${url.origin}/`)) {
    throw new ConfigError(`${name} must be a scheme and a host such as https://files.example.org, not "${text}".`);
  }
  return url.origin;
}
