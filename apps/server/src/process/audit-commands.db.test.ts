/** The audit log on the command line of the operator. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, Surroundings } from '../../test/process/process.fixture.ts';
import { TEST_ENCRYPTION_KEY } from '../../test/support/encryption.ts';
import { chainEntries } from '../modules/tenants/index.ts';
import { withOperator } from './operator.ts';

const surroundings = new Surroundings();
let env: Record<string, string>;

beforeAll(async () => {
  env = {
    DATABASE_URL: (await surroundings.database()).url,
    PORTICO_DATA_DIR: await surroundings.directory(),
    PORTICO_DEMO: 'false',
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
  };
  await withOperator(async (session) => {
    await session.createTenant({ name: 'acme', hosts: ['acme.example'], adminEmail: 'ada@acme.example' });
    await session.changeTenantSettings('acme', { defaultLanguage: 'it' });
    await chainEntries((await session.systemScope('acme')).db);
  }, env);
});
afterAll(() => surroundings.clean());

async function audit(...words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const command = [join(ROOT, 'packages/cli/bin/portico.mjs'), 'admin', 'audit', ...words];
  const running = surroundings.run(process.execPath, command, env);
  const { code } = await running.exited;
  return { code, stdout: running.stdout, stderr: running.stderr };
}

test('verify prints the head, takes it the next time, and ends with 1 when the log ends before it', async () => {
  const first = await audit('verify', '--tenant', 'acme');
  expect([first.code, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toContain('Verified 2 entries; 0 are not chained yet.');
  const head = /^Head: (2:[\w-]{43})$/m.exec(first.stdout)![1]!;
  expect((await audit('verify', '--tenant', 'acme', '--head', head)).code).toBe(0);
  const later = await audit('verify', '--tenant', 'acme', '--head', head.replace('2:', '3:'));
  expect(later.code).toBe(1);
  expect(later.stderr).toContain('The chain ends at position 2; the given head is position 3');
  const wrong = await audit('verify', '--tenant', 'acme', '--head', 'something');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--head takes')]);
});

test('prune says how many entries it removed, and takes no age below a day', async () => {
  const pruned = await audit('prune', '--tenant', 'acme', '--older-than', '1');
  expect([pruned.code, pruned.stdout]).toEqual([0, 'Removed 0 entries.\n']);
  expect((await audit('prune', '--tenant', 'acme', '--older-than', '0')).code).toBe(2);
});

test('prune without a tenant does so where the settings say how long entries are kept', async () => {
  const none = await audit('prune');
  expect([none.code, none.stdout, none.stderr]).toEqual([0, '', '']);
  await withOperator((session) => session.changeTenantSettings('acme', { auditRetentionDays: 30 }), env);
  const pruned = await audit('prune');
  expect([pruned.code, pruned.stdout]).toEqual([0, 'acme: removed 0 entries.\n']);
  expect((await audit('prune', '--older-than', '30')).code).toBe(2);
});
