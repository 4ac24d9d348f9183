/** Checks of backups: the age of the newest, and whether its place has it and takes more. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { clusterFiles } from '@portico/embedded-postgres';
import type pg from 'pg';
import { listBackups } from '../../operator/backup/index.ts';
import { withPlace } from '../backup.ts';
import type { Config } from '../config/config.ts';
import { measureLogArchive } from '../log-archive.ts';
import { type Finding, findingsOf } from './finding.ts';
import { existing } from './machine.ts';

const HOUR_MS = 3_600_000;
/** Without a schedule of Portico, a backup older than this is reported. Hours. */
const OLD_HOURS = 48;
/** The log waits no longer than this to be archived. Seconds. */
const LOG_SECONDS = 600;
const CREATE = 'Run "portico backup create", then "portico backup verify".';

interface Recorded {
  readonly moment: Date;
  readonly tool: string;
  readonly name: string;
  readonly place: string;
}

/** Checks the newest backup that the database knows, and the place. @param now epoch milliseconds */
export async function* checkBackups(client: pg.Client, config: Config, now: number): AsyncGenerator<Finding> {
  const { rows } = await client.query<Recorded>(
    `(SELECT moment, tool, name, place FROM portico_backups ORDER BY moment DESC LIMIT 1)
     UNION (SELECT moment, tool, name, place FROM portico_backups WHERE tool = 'portico' ORDER BY moment DESC LIMIT 1)
     ORDER BY moment DESC`,
  );
  yield rateAge(rows[0], config, now);
  if (config.backup.log) yield* checkLog(measureLogArchive(clusterFiles(config.dataDir), now));
  const { to } = config.backup;
  if (to === undefined) return;
  yield* to.startsWith('s3://') ? [] : checkFolder(resolve(to), config);
  yield* checkPresence(
    rows.find(({ tool }) => tool === 'portico'),
    config,
  );
}

function rateAge(newest: Recorded | undefined, { backup }: Config, now: number): Finding {
  const { ok, warning, problem } = findingsOf('backups');
  const { everyMs } = backup;
  const plan = 'Set PORTICO_BACKUP_TO and PORTICO_BACKUP_HOURS, or run "portico backup create" from a timer.';
  if (!newest) return problem('There has been no backup.', plan);
  const hours = (now - newest.moment.getTime()) / HOUR_MS;
  const said = `The newest backup (${newest.tool}, ${newest.place}) is of ${newest.moment.toISOString()}`;
  const most = everyMs === undefined ? OLD_HOURS : (2 * everyMs) / HOUR_MS;
  if (hours <= most) return ok(`${said}.`);
  if (everyMs === undefined) return warning(`${said}, ${Math.floor(hours)} hours ago.`, plan);
  return problem(
    `${said}, ${Math.floor(hours)} hours ago, though one is due every ${everyMs / HOUR_MS} hours.`,
    'Read the log for "the backup failed", and run "portico backup create".',
  );
}

/** @param seconds that the log of the embedded database has waited to be archived */
function* checkLog(seconds: number): Generator<Finding> {
  if (seconds > LOG_SECONDS)
    yield findingsOf('backups').problem(
      `The log of the database has not been archived for ${Math.floor(seconds / 60)} minutes.`,
      'Start the service; make the place of backups writable. The log fills the disk in time.',
    );
}

/** Whether the folder takes backups, and is not lost together with the data. */
function* checkFolder(folder: string, { dataDir, database, s3, filesDir }: Config): Generator<Finding> {
  const { warning, problem } = findingsOf('backups');
  const there = existing(folder);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch (error) {
    yield problem(
      `This user may not write backups to ${folder} (${(error as NodeJS.ErrnoException).code}).`,
      'Make the user of the service its owner, or mount it writable.',
    );
  }
  const kept = [...(database ? [] : [dataDir]), ...(s3 ? [] : [filesDir])].filter((path) => existsSync(path));
  if (kept.some((path) => statSync(path).dev === statSync(there).dev))
    yield warning(
      `Backups go to the disk of the data (${folder}): who loses one loses both.`,
      'Give PORTICO_BACKUP_TO another disk or a bucket, or copy the backups elsewhere.',
    );
}

/** Whether the configured place still has the newest backup that was made there. */
async function* checkPresence(recorded: Recorded | undefined, config: Config): AsyncGenerator<Finding> {
  const { problem } = findingsOf('backups');
  try {
    const { address, listed } = await withPlace(undefined, config.backup, async (place) => ({
      address: place.address,
      listed: await listBackups(place),
    }));
    // A backup made elsewhere need not be here.
    if (recorded?.place !== address) return;
    const found = listed.find(({ name }) => name === recorded.name);
    if (!found) yield problem(`The newest backup ${recorded.name} is no longer in ${recorded.place}.`, CREATE);
    else if (found.state !== 'whole')
      yield problem(`The newest backup ${recorded.name} in ${recorded.place} is ${found.state}.`, CREATE);
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message} (${cause.message})` : message;
    yield problem(
      `The place of backups ${config.backup.to} cannot be read: ${reason}`,
      'Correct PORTICO_BACKUP_TO and PORTICO_BACKUP_S3_*, or the place.',
    );
  }
}
