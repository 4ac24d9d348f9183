/** Measures the figures about the whole installation, for /metrics. */
import { X509Certificate } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { clusterFiles } from '@portico/embedded-postgres';
import { nextDue } from '../jobs/next-due.ts';
import type { Tenant } from '../kernel/scope.ts';
import { readUseFigures } from '../modules/people/index.ts';
import { countUnchained } from '../modules/tenants/index.ts';
import { readCertificate } from './certificate.ts';
import type { FigureName, MeasuredValue } from './installation-metrics.ts';
import { measureLogArchive } from './log-archive.ts';
import { measureTenants } from './measure-tenants.ts';
import type { Services } from './services.ts';

const value = (name: FigureName, number: number): MeasuredValue => ({ name, value: number });

/** Measures all figures. */
export async function measureInstallation(services: Services): Promise<MeasuredValue[]> {
  return [
    ...(await measureNode(services)),
    ...(await measureDatabase(services)),
    ...(await measureJobs(services)),
    ...(await measureUse(services)),
  ];
}

/** Disks, certificate and schedule of this node. */
async function measureNode({ config, monitor, storage }: Services): Promise<MeasuredValue[]> {
  const values: MeasuredValue[] = [];
  const writes = await monitor.hasRoom();
  const uploads = await storage.requireRoom?.(0).then(
    () => true,
    () => false,
  );
  values.push(value('portico_writes_refused', writes ? 0 : 1));
  values.push(value('portico_uploads_refused', writes && uploads !== false ? 0 : 1));
  if (!config.database) {
    const { bavail, bsize } = await statfs(config.dataDir);
    values.push(value('portico_db_free_bytes', bavail * bsize));
  }
  if (config.tls) {
    const { validTo } = new X509Certificate(readCertificate(config.tls).cert);
    values.push(value('portico_certificate_end_seconds', Date.parse(validTo) / 1_000));
  }
  if (config.backup.everyMs !== undefined)
    values.push(value('portico_backup_interval_seconds', config.backup.everyMs / 1_000));
  if (config.backup.log)
    values.push(value('portico_backup_log_seconds', measureLogArchive(clusterFiles(config.dataDir), Date.now())));
  return values;
}

async function measureDatabase({ pool }: Services): Promise<MeasuredValue[]> {
  const [row] = await pool.registry<{ bytes: number; active: number; disabled: number }>(
    `SELECT pg_database_size(current_database()) AS bytes,
            (SELECT count(*) FROM tenants WHERE disabled_at IS NULL) AS active,
            (SELECT count(*) FROM tenants WHERE disabled_at IS NOT NULL) AS disabled`,
  );
  const { bytes, active, disabled } = row!;
  return [
    value('portico_db_size_bytes', bytes),
    { name: 'portico_tenants', labels: { state: 'active' }, value: active },
    { name: 'portico_tenants', labels: { state: 'disabled' }, value: disabled },
  ];
}

/** Background work that is due. Only tenants that are to be looked at now can have any. */
async function measureJobs(services: Services): Promise<MeasuredValue[]> {
  const now = services.clock.now();
  let due = 0;
  let oldest = 0;
  for (const { tenant } of await services.work.readDue()) {
    const { waiting, at } = await nextDue(services, tenant);
    if (!waiting && (at === undefined || at > now)) continue;
    due += 1;
    oldest = Math.max(oldest, at === undefined ? 0 : (now - at) / 1_000);
  }
  return [value('portico_jobs_due', due), value('portico_jobs_oldest_seconds', oldest)];
}

/** Sessions, active accounts and unchained entries of the audit log. */
async function measureUse(services: Services): Promise<MeasuredValue[]> {
  const now = services.clock.now();
  let waiting = 0;
  const values = await measureTenants(services, async ({ id, name }: Tenant): Promise<MeasuredValue[]> => {
    const db = services.databases.for(id);
    waiting += await countUnchained(db);
    const { sessions, active } = await readUseFigures(db, now);
    const labels = { tenant: name };
    return [
      { name: 'portico_sessions', labels, value: sessions },
      { name: 'portico_people_active', labels, value: active },
    ];
  });
  return [...values.flat(), value('portico_audit_waiting', waiting)];
}
