/** Backups that the service makes itself, on a schedule (PORTICO_BACKUP_HOURS). */
import type pg from 'pg';
import {
  type BackupKind,
  type BackupPlace,
  createBackup,
  listBackups,
  pruneBackups,
  pruneLog,
} from '../operator/backup/index.ts';
import { OperatorError } from '../operator/index.ts';
import { retentionOf, sourceOf, withPlace } from './backup.ts';
import type { Services } from './services.ts';

/** How long a failed backup waits for its next attempt. Milliseconds. */
const PAUSE_MS = 15 * 60_000;
/** A part of the interval by which a backup may be early, so that times do not wander. */
const EARLY = 0.02;

/** Makes a backup when one is due. */
export class BackupSchedule {
  readonly #services: Services;
  readonly #owner: pg.ClientConfig;
  #pausedUntil = 0;

  /** @param owner how the owner of the database connects */
  constructor(services: Services, owner: pg.ClientConfig) {
    this.#services = services;
    this.#owner = owner;
  }

  /**
   * Makes a backup and prunes the place when the newest backup is old enough; several nodes make
   * one. A failure is logged, and tried again later.
   */
  async run(stop: AbortSignal): Promise<void> {
    const { clock, log, config } = this.#services;
    if (config.backup.everyMs === undefined || clock.now() < this.#pausedUntil || !(await this.#isDue())) return;
    try {
      await withPlace(undefined, config.backup, async (place) => {
        const created = await createBackup(sourceOf(config, this.#owner, this.#services.storage), place, {
          kind: await this.#kindFor(place),
          tell: () => undefined,
          signal: stop,
          stillDue: () => this.#isDue(),
        });
        if (!created) return;
        const { manifest, bytes } = created;
        const { name, kind, files } = manifest;
        log.info({ backup: name, kind, bytes, files: files.count }, 'made a backup');
        const removed = await pruneBackups(place, retentionOf(config.backup));
        await pruneLog(place);
        if (removed.length > 0) log.info({ backups: removed }, 'removed old backups');
      });
    } catch (error) {
      if (stop.aborted) return;
      this.#pausedUntil = clock.now() + PAUSE_MS;
      // A refusal is one sentence; its stack says nothing.
      const details = error instanceof OperatorError ? { reason: error.message } : { err: error };
      log.error(details, 'the backup failed; it is tried again in 15 minutes');
    }
  }

  /** Incremental while the place has a full backup that is young enough. */
  async #kindFor(place: BackupPlace): Promise<BackupKind> {
    const { pool, clock, config } = this.#services;
    const { fullEveryMs } = config.backup;
    if (fullEveryMs === undefined) return 'full';
    const [last] = await pool.registry<{ name: string; moment: number }>(
      `SELECT name, moment FROM portico_backups
        WHERE tool = 'portico' AND kind = 'full' AND place = $1 ORDER BY moment DESC LIMIT 1`,
      [place.address],
    );
    if (!last || clock.now() - last.moment >= fullEveryMs * (1 - EARLY)) return 'full';
    // Somebody may have removed it.
    const found = (await listBackups(place)).find(({ name }) => name === last.name);
    return found?.state === 'whole' ? 'incremental' : 'full';
  }

  /** Backups of other tools do not count: the schedule is of the backups in its own place. */
  async #isDue(): Promise<boolean> {
    const { pool, clock, config } = this.#services;
    const [last] = await pool.registry<{ moment: number | null }>(
      `SELECT max(moment) AS moment FROM portico_backups WHERE tool = 'portico'`,
    );
    const moment = last?.moment;
    return moment == null || clock.now() - moment >= config.backup.everyMs! * (1 - EARLY);
  }
}

/** Age of the newest backup of any tool, in seconds; Infinity: there has been none. */
export async function measureBackupAge({ pool, clock }: Services): Promise<number> {
  const [newest] = await pool.registry<{ moment: number | null }>(`SELECT max(moment) AS moment FROM portico_backups`);
  const moment = newest?.moment;
  return moment == null ? Number.POSITIVE_INFINITY : Math.max(0, clock.now() - moment) / 1_000;
}
