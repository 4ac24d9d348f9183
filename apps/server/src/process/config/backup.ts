/** Variables of backups. */

import type { S3Options } from '@portico/platform/files/s3/options';
import type pg from 'pg';
import { DatabaseUrlError, parseDatabaseUrl } from './database-url.ts';
import { ConfigError, type Variable } from './variable.ts';

export const backupVariables: readonly Variable[] = [
  {
    name: 'PORTICO_BACKUP_TO',
    default: '',
    description: 'Place of backups: a folder, or `s3://BUCKET/PREFIX` in a bucket other than that of the files.',
  },
  {
    name: 'PORTICO_BACKUP_HOURS',
    default: '',
    description:
      'Hours between two backups that the service makes itself, 1 to 744; unset makes none. Older ' +
      'ones are pruned.',
  },
  {
    name: 'PORTICO_BACKUP_FULL_HOURS',
    default: '',
    description:
      'Hours between two full backups that the service makes itself; those between are incremental. Unset: all are full.',
  },
  {
    name: 'PORTICO_BACKUP_LOG',
    default: 'false',
    description: 'Archives the log of the embedded database to the place of backups, for restores to a point in time.',
  },
  {
    name: 'PORTICO_BACKUP_KEEP',
    default: '14',
    description: 'Number of the newest backups that pruning keeps.',
  },
  {
    name: 'PORTICO_BACKUP_KEEP_DAYS',
    default: '',
    description: 'Age in days up to which pruning keeps backups beyond this number.',
  },
  {
    name: 'PORTICO_BACKUP_RECIPIENTS',
    default: '',
    description:
      'Public keys of age, separated by commas, that backups and the archived log are encrypted for; ' +
      'unset: they are not encrypted.',
  },
  {
    name: 'PORTICO_BACKUP_IDENTITY',
    default: '',
    description: 'Private key of age that opens encrypted backups; only to verify and restore.',
    secret: true,
  },
  {
    name: 'PORTICO_BACKUP_DATABASE_URL',
    default: '',
    description: 'Connection string of the role that reads an external database for backups.',
    secret: true,
  },
  {
    name: 'PORTICO_BACKUP_S3_ENDPOINT',
    default: 'that of AWS',
    description: 'Address of the store of the bucket, without path.',
  },
  { name: 'PORTICO_BACKUP_S3_REGION', default: 'us-east-1', description: 'Region that its requests are signed for.' },
  {
    name: 'PORTICO_BACKUP_S3_ACCESS_KEY_ID',
    default: '',
    description: 'Id of the access key of the bucket.',
    secret: true,
  },
  { name: 'PORTICO_BACKUP_S3_SECRET_ACCESS_KEY', default: '', description: 'Its secret.', secret: true },
];

/** Where and when backups are made. */
export interface BackupConfig {
  /** A folder, or `s3://BUCKET/PREFIX`. */
  readonly to: string | undefined;
  /** Between two backups that the service makes; undefined: it makes none. Milliseconds. */
  readonly everyMs: number | undefined;
  /** Between two full ones of these; undefined: all are full. Milliseconds. */
  readonly fullEveryMs: number | undefined;
  /** Whether the log of the embedded database is archived. */
  readonly log: boolean;
  readonly keep: number;
  readonly keepDays: number | undefined;
  /** The role that reads an external database; undefined: the owner. */
  readonly reader: pg.ClientConfig | undefined;
  /** Addresses of the reader and of the owner, for programs of PostgreSQL; undefined: embedded. */
  readonly readerUrl: string | undefined;
  readonly ownerUrl: string | undefined;
  /** Public keys that backups are encrypted for; none: they are not encrypted. */
  readonly recipients: readonly string[];
  /** Private keys that open backups. */
  readonly identities: readonly string[];
  /** How a bucket is reached. */
  readonly store: Omit<S3Options, 'bucket' | 'prefix'> | undefined;
}

interface Reading {
  read(name: string): string | undefined;
  number(name: string, fallback: number, min: number, max: number): number;
  flag(name: string, fallback: boolean): boolean;
  databaseUrl: string | undefined;
}

/** @throws ConfigError */
export function readBackup({ read, number, flag, databaseUrl }: Reading): BackupConfig {
  const to = read('PORTICO_BACKUP_TO');
  const hours = read('PORTICO_BACKUP_HOURS') === undefined ? undefined : number('PORTICO_BACKUP_HOURS', 24, 1, 744);
  if (hours !== undefined && to === undefined)
    throw new ConfigError('PORTICO_BACKUP_HOURS is set, but not PORTICO_BACKUP_TO; name the place of the backups.');
  const log = flag('PORTICO_BACKUP_LOG', false);
  if (log && databaseUrl !== undefined)
    throw new ConfigError('PORTICO_BACKUP_LOG is set, but also DATABASE_URL; let that PostgreSQL archive its log.');
  if (log && to === undefined)
    throw new ConfigError('PORTICO_BACKUP_LOG is set, but not PORTICO_BACKUP_TO; name the place of the backups.');
  const full = readFullHours(number, read('PORTICO_BACKUP_FULL_HOURS') !== undefined, hours);
  const days = read('PORTICO_BACKUP_KEEP_DAYS') && number('PORTICO_BACKUP_KEEP_DAYS', 0, 1, 36_500);
  const readerUrl = read('PORTICO_BACKUP_DATABASE_URL');
  if (readerUrl !== undefined && databaseUrl === undefined)
    throw new ConfigError(
      'PORTICO_BACKUP_DATABASE_URL is set, but not DATABASE_URL; the embedded database needs none.',
    );
  if (to?.startsWith('s3://')) parseBucket(to);
  return {
    to,
    everyMs: hours === undefined ? undefined : hours * 3_600_000,
    fullEveryMs: full === undefined ? undefined : full * 3_600_000,
    log,
    keep: number('PORTICO_BACKUP_KEEP', 14, 1, 10_000),
    keepDays: days || undefined,
    reader: readerUrl === undefined ? undefined : readReader(readerUrl),
    readerUrl: readerUrl ?? databaseUrl,
    ownerUrl: databaseUrl,
    recipients: listed(read('PORTICO_BACKUP_RECIPIENTS')?.replaceAll(',', '\n')),
    identities: listed(read('PORTICO_BACKUP_IDENTITY')),
    store: readStore(read),
  };
}

/** The lines of a text, without comments, as files of age have them. */
function listed(text = ''): string[] {
  const lines = text.split(/\s*\n\s*/).map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

function readFullHours(number: Reading['number'], isSet: boolean, hours: number | undefined): number | undefined {
  if (!isSet) return undefined;
  if (hours === undefined)
    throw new ConfigError(
      'PORTICO_BACKUP_FULL_HOURS is set, but not PORTICO_BACKUP_HOURS; set how often backups are made.',
    );
  return number('PORTICO_BACKUP_FULL_HOURS', 24, hours, 8_784);
}

/**
 * Returns bucket and prefix of an address such as `s3://backups/portico/`.
 * @throws ConfigError
 */
export function parseBucket(address: string): { bucket: string; prefix: string } {
  const [, bucket, path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:\w[\w.-]*\/?)*))?$/.exec(address) ?? [];
  if (bucket === undefined)
    throw new ConfigError(`A bucket of backups is named like s3://backups/portico/, not "${address}".`);
  return { bucket, prefix: path === '' || path.endsWith('/') ? path : `${path}/` };
}

function readReader(url: string): pg.ClientConfig {
  try {
    return parseDatabaseUrl(url);
  } catch (error) {
    if (!(error instanceof DatabaseUrlError)) throw error;
    throw new ConfigError(`PORTICO_BACKUP_DATABASE_URL ${error.message}`, { cause: error });
  }
}

function readStore(read: Reading['read']): BackupConfig['store'] {
  const accessKeyId = read('PORTICO_BACKUP_S3_ACCESS_KEY_ID');
  const secretAccessKey = read('PORTICO_BACKUP_S3_SECRET_ACCESS_KEY');
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const region = read('PORTICO_BACKUP_S3_REGION') ?? 'us-east-1';
  const address = URL.parse(read('PORTICO_BACKUP_S3_ENDPOINT') ?? `https://s3.${region}.amazonaws.com`);
  if (!address || !/^https?:$/.test(address.protocol) || address.href !== `${address.origin}/`)
    throw new ConfigError(
      'PORTICO_BACKUP_S3_ENDPOINT must be an address such as https://s3.example.org, without path.',
    );
  const endpoint = address.origin;
  return { endpoint, publicEndpoint: endpoint, region, accessKeyId, secretAccessKey, pathStyle: true };
}
