/** The base of restores to a point in time: the files of the embedded database, as a part of a full backup. */
import { readFile } from 'node:fs/promises';
import { openClient } from '@portico/platform/db/open-client';
import type pg from 'pg';
import { readCluster, textFile } from './cluster-files.ts';
import { compressed } from './database-parts.ts';
import type { BackupBase } from './manifest.ts';
import { type BackupPlace, putSealedParts } from './place.ts';

/** Where an embedded database has its files. */
export interface ClusterSource {
  readonly clusterDir: string;
  readonly passwordFile: string;
}

/** The file of the owner's password, among the files of the database. */
export const PASSWORD = 'postgres-password';

/**
 * Copies the files of a running embedded database.
 * @returns undefined where its log is not archived
 */
export async function putBase(
  owner: pg.ClientConfig,
  { clusterDir, passwordFile }: ClusterSource,
  place: BackupPlace,
  folder: string,
): Promise<BackupBase | undefined> {
  const client = await openClient(owner);
  try {
    const { rows } = await client.query<{ mode: string; system: string }>(
      `SELECT current_setting('archive_mode') AS mode, system_identifier::text AS system FROM pg_control_system()`,
    );
    const { mode, system } = rows[0]!;
    if (mode !== 'on') return undefined;
    const begun = await client.query<{ start: string }>(
      `SELECT pg_walfile_name(pg_backup_start('portico', true)) AS start`,
    );
    let finishedAt: Date | undefined;
    const files = async function* () {
      yield* readCluster(clusterDir);
      const { rows: ended } = await client.query<{ label: string; at: Date }>(
        'SELECT labelfile AS label, clock_timestamp() AS at FROM pg_backup_stop(false)',
      );
      finishedAt = ended[0]!.at;
      yield* textFile('backup_label', ended[0]!.label);
      yield* textFile(PASSWORD, await readFile(passwordFile, 'utf8'));
    };
    const parts = await putSealedParts(place, folder, 'base/files.gz', compressed(files()));
    return { system, start: begun.rows[0]!.start, finishedAt: finishedAt!.toISOString(), parts };
  } finally {
    // Without pg_backup_stop, the end of the session ends the copy.
    await client.end();
  }
}
