/** Backups that the service makes itself, on a schedule (PORTICO_BACKUP_HOURS). */
import type pg from 'pg';
import { createBackup, pruneBackups } from '../operator/backup/index.ts';
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
          kind: 'full',
          backupKey: null,
          tell: () => undefined,
          signal: stop,
          stillDue: () => this.#isDue(),
        });
        if (!created) return;
        const { manifest, bytes } = created;
        log.info({ backup: manifest.name, bytes, files: manifest.files.count }, 'made a backup');
        const removed = await pruneBackups(place, retentionOf(config.backup));
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
