import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../../test/support/portal.ts';
import { workOnFiles } from '../jobs/work-on-files.ts';
import { storeFile } from '../modules/files/index.ts';
import { measureFiles } from './measure-files.ts';
import { Metrics } from './metrics.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await createTestPortal({});
});
afterAll(() => portal?.close());

it('tells operators what files take, and of which no preview or text could be made', async () => {
  const tenant = await portal.createTenant();
  const { name, id } = tenant.tenant;
  await portal.services.databases
    .for(id)
    .execute('UPDATE tenant_settings SET attachment_quota_bytes = 5000 WHERE tenant_id = $1', [id]);
  const scope = await tenant.scope(await tenant.createUser());
  const store = (data: string) => storeFile(scope, portal.services.storage, Buffer.from(data, 'latin1'));
  await store('GIF89a=0;alert(1)//');
  await store('%PDF-1.7 nothing');
  await store('a text');
  const metrics = new Metrics();
  const failures: unknown[] = [];
  metrics.watchNode({
    workers: () => [],
    streamLag: async () => ({ pending: 0, oldestSeconds: 0 }),
    files: () => measureFiles(portal.services),
    mails: async () => [],
    backupAge: async () => 0,
    installation: async () => [],
    onError: (error) => failures.push(error),
  });
  const before = await measureFiles(portal.services);
  expect(before.find((one) => one.tenant === name)).toMatchObject({
    waiting: { previews: 2, text: 2 },
    failed: { previews: 0, text: 0 },
  });
  await workOnFiles(portal.services, tenant.tenant);
  // The first question begins the measurement.
  expect(await metrics.registry.metrics()).not.toContain(`tenant="${name}"`);
  await metrics.measured();
  const lines = (await metrics.registry.metrics()).split('\n').filter((line) => line.includes(`tenant="${name}"`));
  expect(lines).toEqual([
    `portico_files_bytes{tenant="${name}"} 41`,
    `portico_files_quota_bytes{tenant="${name}"} 5000`,
    `portico_files_waiting{tenant="${name}",work="previews"} 0`,
    `portico_files_waiting{tenant="${name}",work="text"} 0`,
    `portico_files_failed{tenant="${name}",work="previews"} 2`,
    `portico_files_failed{tenant="${name}",work="text"} 1`,
  ]);
  expect(failures).toEqual([]);
});

it('a question for the figures does not wait for the database', async () => {
  const metrics = new Metrics();
  const { promise: never } = Promise.withResolvers<never>();
  metrics.watchProcess({ pool: () => ({ total: 3, idle: 1, waiting: 7, cancelled: 2 }) });
  metrics.watchNode({
    workers: () => [],
    streamLag: () => never,
    files: () => never,
    mails: () => never,
    backupAge: () => never,
    installation: () => never,
    onError: () => undefined,
  });
  for (let turn = 0; turn < 2; turn++) {
    const text = await metrics.registry.metrics();
    expect(text).toContain('portico_db_connections{state="waiting"} 7');
    expect(text).toContain('portico_db_statements_cancelled 2');
  }
});
