/** Figures about the whole installation: tenants, jobs, disks, backups, people. */
import { Gauge, type Registry } from 'prom-client';

/** Names, help and labels of the figures. */
const FIGURES = {
  portico_tenants: { help: 'Tenants by state: active or disabled', labels: ['state'] },
  portico_jobs_due: { help: 'Tenants with background work that is due', labels: [] },
  portico_jobs_oldest_seconds: {
    help: 'How long the oldest due background work has waited, of all tenants',
    labels: [],
  },
  portico_db_size_bytes: { help: 'Size of the database', labels: [] },
  portico_db_free_bytes: { help: 'Free space on the disk of the embedded database', labels: [] },
  portico_writes_refused: { help: 'Whether writes are refused because a disk is full: 1 or 0', labels: [] },
  portico_uploads_refused: { help: 'Whether uploads are refused because a disk is full: 1 or 0', labels: [] },
  portico_certificate_end_seconds: { help: 'Time at which the TLS certificate ends, Unix epoch', labels: [] },
  portico_backup_interval_seconds: { help: 'Time between two backups that the service makes itself', labels: [] },
  portico_backup_log_seconds: {
    help: 'Time for which the oldest part of the log of the embedded database has waited to be archived',
    labels: [],
  },
  portico_audit_waiting: { help: 'Entries of the audit log that are not chained yet, of all tenants', labels: [] },
  portico_sessions: { help: 'Open sessions of browsers', labels: ['tenant'] },
  portico_people_active: { help: 'Accounts that were used within 24 hours', labels: ['tenant'] },
} as const;

export type FigureName = keyof typeof FIGURES;

/** A value of a figure. */
export interface MeasuredValue {
  readonly name: FigureName;
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Measurements are at most this old. Milliseconds. */
const FRESH_MS = 60_000;

/**
 * Registers the figures. All of them come from one measurement; a failed one leaves them out.
 * @param inBackground returns a function that starts a measurement unless one is running
 */
export function watchInstallation(
  registry: Registry,
  inBackground: (measure: () => Promise<void>) => () => void,
  measured: { measure(): Promise<readonly MeasuredValue[]>; onError(error: unknown): void },
): void {
  let measuredAt = Number.NEGATIVE_INFINITY;
  const collect = inBackground(async () => {
    if (performance.now() - measuredAt < FRESH_MS) return;
    try {
      const values = await measured.measure();
      emptyAll();
      for (const { name, labels = {}, value } of values) gauges.get(name)?.set(labels, value);
      measuredAt = performance.now();
    } catch (error) {
      emptyAll();
      measured.onError(error);
    }
  });
  const gauges = new Map(
    Object.entries(FIGURES).map(([name, { help, labels }]) => [
      name,
      new Gauge<string>({ name, help, labelNames: [...labels], registers: [registry], collect }),
    ]),
  );
  /** A figure that is not known is absent, not 0. */
  const emptyAll = () => {
    for (const [name, gauge] of gauges) {
      gauge.reset();
      if (FIGURES[name as FigureName].labels.length === 0) gauge.remove();
    }
  };
  emptyAll();
}
