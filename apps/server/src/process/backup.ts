/** Backups of the installation that the environment names: for the command, and on a schedule. */
import type { Writable } from 'node:stream';
import {
  clusterFiles,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  hasDatabase,
  openEmbeddedPostgres,
} from '@portico/embedded-postgres';
import { recordBackup } from '@portico/platform/db/backup-records';
import { makeWritableDirectory } from '@portico/platform/make-directory';
import { createSealer } from '@portico/platform/sealing';
import { readSealingKeyFile } from '@portico/platform/sealing/key-file';
import type pg from 'pg';
import type { Log } from '../kernel/scope.ts';
import {
  type BackupKind,
  type BackupManifest,
  type BackupPlace,
  type BackupSource,
  type CreatedBackup,
  createBackup,
  type ListedBackup,
  listBackups,
  loadBucket,
  loadEncryption,
  openArchive,
  openFolder,
  pruneBackups,
  pruneLog,
  type RestoredMoment,
  type Retention,
  restoreBackup,
  restoreMoment,
  type VerifiedBackup,
  verifyBackup,
} from '../operator/backup/index.ts';
import { OperatorError } from '../operator/index.ts';
import { type BackupConfig, parseBucket } from './config/backup.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { openDatabase } from './database.ts';
import { sealingKeyFile } from './sealer.ts';
import { openStorage } from './services.ts';

type Env = Readonly<NodeJS.ProcessEnv>;
type Tell = (sentence: string) => void;
type Progress = (label: string, part: number | undefined) => void;

const quiet: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (_fields, message) => void process.stderr.write(`${message}\n`),
  error: (_fields, message) => void process.stderr.write(`${message}\n`),
};

/** Makes a backup. @param options.archive writes one archive to this stream instead */
export async function makeBackup(
  options: {
    to?: string | undefined;
    kind: BackupKind;
    archive?: Writable;
    programs?: boolean;
    tell: Tell;
    progress?: Progress;
  },
  env: Env = process.env,
): Promise<CreatedBackup> {
  const config = readConfig(env);
  if (options.archive && options.kind === 'incremental')
    throw new OperatorError('An incremental backup refers to earlier ones: give a folder or a bucket.');
  const { kind, programs = true, tell, progress } = options;
  return withSource(config, async (source) =>
    withPlace(options.archive ?? options.to, config.backup, async (place) => {
      const created = await createBackup(source, place, { kind, programs, tell, progress });
      return created!;
    }),
  );
}

/** Verifies a backup. @returns with the keys that it needs and that are not configured */
export async function checkBackup(
  options: { from?: string | undefined; name?: string | undefined },
  env: Env = process.env,
): Promise<VerifiedBackup & { missingKeys: string[] }> {
  const config = readConfig(env);
  return withPlace(options.from, config.backup, async (place) => {
    const verified = await verifyBackup(place, options.name);
    const present = await configuredKeyIds(config);
    return { ...verified, missingKeys: verified.manifest.encryptionKeys.filter((id) => !present.includes(id)) };
  });
}

/** Lists the backups of a place. */
export async function findBackups(from: string | undefined, env: Env = process.env): Promise<ListedBackup[]> {
  return withPlace(from, readConfig(env).backup, listBackups);
}

/** Removes old backups. @returns their names */
export async function removeBackups(
  options: { from?: string | undefined; retention: Retention; dryRun: boolean },
  env: Env = process.env,
): Promise<string[]> {
  const { backup } = readConfig(env);
  const { count, days } = options.retention;
  const retention = count === undefined && days === undefined ? retentionOf(backup) : options.retention;
  return withPlace(options.from, backup, async (place) => {
    const removed = await pruneBackups(place, retention, { dryRun: options.dryRun });
    if (!options.dryRun) await pruneLog(place);
    return removed;
  });
}

/** Restores a backup into the empty installation that the environment names. */
export async function restoreInstallation(
  options: {
    from?: string | undefined;
    name?: string | undefined;
    withoutKeys: boolean;
    keepFiles: boolean;
    tell: Tell;
    progress?: Progress;
  },
  env: Env = process.env,
): Promise<BackupManifest> {
  const config = readConfig(env);
  if (!config.s3) makeWritableDirectory(config.filesDir);
  const { storage, close } = await openStorage(config);
  try {
    return await withPlace(options.from, config.backup, async (place) =>
      restoreBackup(
        place,
        {
          database: config.database,
          databaseUrl: config.backup.ownerUrl,
          storage,
          keyIds: await configuredKeyIds(config),
          migrated: async (upTo, work) => {
            const database = await openDatabase(config, quiet, 'command', upTo === undefined ? {} : { upTo });
            try {
              await work(database.owner);
            } finally {
              await database.close();
            }
          },
        },
        { name: undefined, ...options },
      ),
    );
  } finally {
    close();
  }
}

/** How long the archived log may take to be applied: a day. */
const RECOVERY_MS = 24 * 3_600_000;

/** Restores the embedded database and the files as of a moment into an empty data directory. */
export async function restoreInstallationTo(
  options: { from?: string | undefined; moment: Date | undefined; withoutKeys: boolean; tell: Tell },
  env: Env = process.env,
): Promise<RestoredMoment> {
  const config = readConfig(env);
  if (config.database)
    throw new OperatorError(
      'Only the embedded database is restored to a moment: unset DATABASE_URL, or use the tool of your PostgreSQL.',
    );
  if (!config.s3) makeWritableDirectory(config.filesDir);
  const { storage, close } = await openStorage(config);
  try {
    return await withPlace(options.from, config.backup, async (place) =>
      restoreMoment(
        place,
        {
          dataDir: config.dataDir,
          storage,
          keyIds: await configuredKeyIds(config),
          started: (settings, work) =>
            withEmbedded(config, { settings, startTimeoutMs: RECOVERY_MS }, (embedded) =>
              work({ ...embedded.connection }, embedded.clusterDir),
            ),
          migrated: async (work) => {
            const database = await openDatabase(config, quiet, 'command');
            try {
              await work(database.owner);
            } finally {
              await database.close();
            }
          },
        },
        options,
      ),
    );
  } finally {
    close();
  }
}

/** Writes a new private key for backups into a file. @returns the public key */
export async function makeBackupKey(file: string): Promise<string> {
  const { writeBackupKey } = await loadEncryption();
  return writeBackupKey(file);
}

/** Records a backup that another tool made. */
export async function reportBackup(
  record: { tool: string; name: string; moment: Date; place: string },
  env: Env = process.env,
): Promise<void> {
  const config = readConfig(env);
  await withOwner(config, (owner) => recordBackup(owner, { ...record, kind: 'full', bytes: null }));
}

/** Which backups the configuration keeps. */
export function retentionOf({ keep, keepDays }: BackupConfig): Retention {
  return { count: keep, days: keepDays };
}

/** The source of a backup, whose database is open. */
export function sourceOf(config: Config, owner: pg.ClientConfig, storage: BackupSource['storage']): BackupSource {
  const { reader, readerUrl } = config.backup;
  return {
    ...{ owner, reader: reader ?? owner, readerUrl: config.database && readerUrl, storage },
    cluster: config.backup.log ? clusterFiles(config.dataDir) : undefined,
  };
}

/** Opens the database without migrating it: a backup before an upgrade is made by the new version. */
export async function withOwner<T>(config: Config, work: (owner: pg.ClientConfig) => Promise<T>): Promise<T> {
  if (config.database) return work(config.database);
  if (!hasDatabase(config.dataDir))
    throw new OperatorError(`The data directory ${config.dataDir} has no database: set PORTICO_DATA_DIR.`);
  return withEmbedded(config, {}, (embedded) => work({ ...embedded.connection }));
}

async function withEmbedded<T>(
  { dataDir, startCopy, backup }: Config,
  options: Pick<EmbeddedPostgresOptions, 'settings' | 'startTimeoutMs'>,
  work: (embedded: EmbeddedPostgres) => Promise<T>,
): Promise<T> {
  const embedded = await openEmbeddedPostgres({
    ...{ dataDir, startCopy, archiveLog: backup.log, ...options },
    log: ({ level, msg, ...details }) => quiet[level](details, msg),
  });
  try {
    return await work(embedded);
  } finally {
    await embedded.stop();
  }
}

async function withSource<T>(config: Config, work: (source: BackupSource) => Promise<T>): Promise<T> {
  return withOwner(config, async (owner) => {
    const { storage, close } = await openStorage(config);
    try {
      return await work(sourceOf(config, owner, storage));
    } finally {
      close();
    }
  });
}

/** Opens a place for backups. @param named a folder, a bucket or a stream; undefined: the configured one */
export async function withPlace<T>(
  named: string | Writable | undefined,
  { to, store, recipients, identities }: BackupConfig,
  work: (place: BackupPlace) => Promise<T>,
): Promise<T> {
  const encrypted = recipients.length + identities.length > 0;
  const cipher = encrypted ? await (await loadEncryption()).openCipher({ recipients, identities }) : undefined;
  const place = await openPlace(named ?? to, store);
  try {
    return await work({ ...place, cipher });
  } finally {
    await place.close();
  }
}

async function openPlace(named: string | Writable | undefined, store: BackupConfig['store']): Promise<BackupPlace> {
  if (named === undefined)
    throw new ConfigError('PORTICO_BACKUP_TO is not set; name the place of the backups there or as an option.');
  if (typeof named !== 'string') return openArchive(named);
  if (!named.startsWith('s3://')) return openFolder(named);
  if (!store)
    throw new ConfigError(
      'PORTICO_BACKUP_S3_ACCESS_KEY_ID and PORTICO_BACKUP_S3_SECRET_ACCESS_KEY are missing; a bucket needs them.',
    );
  const { openBucket } = await loadBucket();
  return openBucket({ ...store, ...parseBucket(named) });
}

/** Ids of the configured keys, or of the file in the data directory; none where there is no file. */
export async function configuredKeyIds(config: Config): Promise<readonly string[]> {
  const keys = config.encryptionKeys ?? (await readSealingKeyFile(sealingKeyFile(config)));
  return keys ? createSealer(keys).keyIds : [];
}
