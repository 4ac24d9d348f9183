/** A trial checks the whole file, also rows behind those that it writes and undoes. */
import { importLimits } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, createTestWorld, type TestPortal } from '../../../test/support/test-world.ts';
import { runImports } from '../../jobs/run-imports.ts';
import { storeFile } from '../files/index.ts';

const API = '/portal/api/external/v2/admin';
let portal: TestPortal;

beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(() => portal?.close());

test('a trial finds a bad row behind the rows that it writes, and keeps nothing', async () => {
  const world = await createTestWorld(portal);
  const { tenant, people, communityId } = world;
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await tenant.request(people.manager, method, `${API}/${path}`, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const rows = Array.from({ length: importLimits.triedRows + 10 }, (_, row) => `${row},Row ${row}`);
  const content = Buffer.from(`id,name\n${rows.join('\n')}\nlast,T\0itle\n`);
  const { contentRef } = await storeFile(await world.scope(people.manager), portal.services.storage, content);
  const { id } = await ask('POST', `manage/communities/${communityId}/imports`, {
    contentRef,
    fileName: 'rows.csv',
    mapping: 'externalId: id\ntitle: name\n',
    trial: true,
  });
  await runImports(portal.services, tenant.tenant, new AbortController().signal);
  expect(await ask('GET', `data/imports/${id}`)).toMatchObject({
    state: 'done',
    rows: rows.length + 1,
    report: { createdCount: rows.length, refusedCount: 1 },
  });
  const { items } = await ask('POST', `data/imports/${id}/refusals`, {});
  expect(items).toMatchObject([{ line: rows.length + 2, reason: expect.stringContaining('NUL') }]);
  const kept = await world.rows('SELECT 1 FROM posts WHERE tenant_id = $1 AND title LIKE $2', ['Row %']);
  expect(kept).toEqual([]);
});
