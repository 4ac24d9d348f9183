/** Figures about the whole installation. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../test/support/portal.ts';
import { measureInstallation } from './measure-installation.ts';
import { Metrics } from './metrics.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal({ env: { PORTICO_BACKUP_TO: '/backup', PORTICO_BACKUP_HOURS: '24' } });
});
afterAll(() => portal?.close());

test('tells tenants, disks, jobs, sessions and entries of the audit log', async () => {
  const tenant = await portal.createTenant();
  const { id, name } = tenant.tenant;
  const user = await tenant.createUser();
  await portal.services.databases
    .for(id)
    .execute('UPDATE users SET last_access_at = $3 WHERE tenant_id = $1 AND id = $2', [
      id,
      user,
      new Date(portal.services.clock.now() - 3_600_000),
    ]);
  const metrics = new Metrics();
  const failures: unknown[] = [];
  metrics.watchNode({
    workers: () => [],
    streamLag: async () => ({ pending: 0, oldestSeconds: 0 }),
    files: async () => [],
    mails: async () => [],
    backupAge: async () => 0,
    installation: () => measureInstallation(portal.services),
    onError: (error) => failures.push(error),
  });
  // A figure that is not measured yet is absent, not 0.
  expect(await metrics.registry.metrics()).not.toMatch(/^portico_(?:tenants|jobs_due|writes_refused)\b/m);
  await metrics.measured();
  const text = await metrics.registry.metrics();
  expect(failures).toEqual([]);
  for (const line of [
    'portico_tenants{state="disabled"} 0',
    'portico_writes_refused 0',
    'portico_uploads_refused 0',
    'portico_backup_interval_seconds 86400',
    `portico_sessions{tenant="${name}"} 0`,
  ])
    expect(text.split('\n')).toContain(line);
  expect(text.split('\n').filter((line) => line.startsWith(`portico_people_active{tenant="${name}"`))).toEqual([
    `portico_people_active{tenant="${name}"} 1`,
  ]);
  // The new tenant has entries that no job has chained.
  expect(text).toMatch(/^portico_audit_waiting [1-9]/m);
  expect(text).toMatch(/^portico_jobs_due [1-9]/m);
  expect(text).toMatch(/^portico_jobs_oldest_seconds \d/m);
  expect(text).toMatch(/^portico_db_size_bytes \d{6,}$/m);
});

test('leaves the figures out after a failure', async () => {
  const metrics = new Metrics();
  const failures: unknown[] = [];
  let works = false;
  metrics.watchNode({
    workers: () => [],
    streamLag: async () => ({ pending: 0, oldestSeconds: 0 }),
    files: async () => [],
    mails: async () => [],
    backupAge: async () => 0,
    installation: async () => {
      if (!works) throw new Error('the database is away');
      return [{ name: 'portico_jobs_due', value: 3 }];
    },
    onError: (error) => failures.push(error),
  });
  await metrics.registry.metrics();
  await metrics.measured();
  expect(failures).toHaveLength(1);
  expect(await metrics.registry.metrics()).not.toMatch(/^portico_jobs_due/m);
  works = true;
  await metrics.registry.metrics();
  await metrics.measured();
  expect(await metrics.registry.metrics()).toContain('portico_jobs_due 3\n');
});
