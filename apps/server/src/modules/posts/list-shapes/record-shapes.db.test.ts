import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { generateCommunity } from '../../../../test/support/post-generator.ts';
import type { TenantExecutor } from '../../../platform/db/tenant-db.ts';
import { listPostIds } from '../reading/list/list-posts.ts';
import { forgetShapes, ListShapes, observeList, readShapes } from './index.ts';
import { SHAPE_DAYS } from './record-shapes.ts';

const DAY_MS = 86_400_000;
const NOW = 20_000 * DAY_MS + 5_000;

let portal: TestPortal;
let tenant: TestTenant;

beforeAll(async () => {
  portal = await createTestPortal({});
});
afterAll(() => portal.close());

const fresh = async () => {
  tenant = await portal.createTenant();
  return portal.services.databases.for(tenant.tenant.id);
};
const cost = (ms: number) => ({ ms, found: 3, walks: 1, drives: 0, failed: false });
const all = { since: NOW - 40 * DAY_MS, minMs: 0, limit: 10_000 };

test('lists are summed up by community and shape, of several nodes and days', async () => {
  const db = await fresh();
  const nodes = [new ListShapes(portal.services.databases), new ListShapes(portal.services.databases)];
  for (const node of nodes) {
    node.note(db.tenantId, 7, '["page","postTitle","title"]', cost(10), NOW);
    node.note(db.tenantId, 7, '["page","postTitle","title"]', cost(30), NOW - DAY_MS);
    node.note(db.tenantId, 8, '["page","postTitle","title"]', cost(1), NOW);
  }
  await Promise.all(nodes.map((node) => node.flush()));
  for (const node of nodes) await node.flush(); // nothing is written twice
  const shape = { use: 'page', order: 'postTitle', filters: ['title'] };
  const none = { drives: 0, failures: 0 };
  expect(await readShapes(db, all)).toEqual([
    { communityId: 7, shape, lists: 4, totalMs: 80, slowestMs: 30, found: 12, walks: 4, ...none },
    { communityId: 8, shape, lists: 2, totalMs: 2, slowestMs: 1, found: 6, walks: 2, ...none },
  ]);
  expect(await readShapes(db, { ...all, since: NOW, minMs: 5 })).toMatchObject([{ communityId: 7, lists: 2 }]);
});

test('a list tells its shape, its way, and a total beside it', async () => {
  const db = await fresh();
  const made = await generateCommunity(portal.owner, tenant.tenant.id, 300);
  const scope = await tenant.scope(made.readerId);
  portal.takeStatements();
  for (const title of ['budget', 'meeting']) {
    const input = { title, visibility: 2, orderBy: 'postTitle', calculateTotalItemsCount: true } as const;
    await listPostIds(scope, 'listCommunityPostsFiltered', made.communityId, input);
  }
  await listPostIds(scope, 'listCommunityPostsFiltered', made.communityId, { createdByUserIds: [made.readerId] });
  expect(portal.takeStatements().some((statement) => statement.includes('list_shapes'))).toBe(false);
  await portal.services.listShapes.flush();
  expect(portal.takeStatements().filter((statement) => statement.includes('list_shapes'))).toHaveLength(1);
  const reports = await readShapes(db, { ...all, since: 0 });
  const filters = ['public', 'title'];
  expect(reports).toHaveLength(3);
  expect(reports).toContainEqual(
    expect.objectContaining({ shape: { use: 'page', order: 'postTitle', filters }, lists: 2, walks: 2, drives: 0 }),
  );
  expect(reports).toContainEqual(expect.objectContaining({ shape: { use: 'total', order: '', filters }, lists: 2 }));
  const order = 'postLastModifyAndCommentTimestamp';
  expect(reports).toContainEqual(
    expect.objectContaining({ shape: { use: 'page', order, filters: ['createdByUserIds'] }, drives: 1 }),
  );
});

test('a list that fails in the database is told too', async () => {
  const db = await fresh();
  const broken: TenantExecutor = {
    ...db,
    query: () => db.query('SELECT 1 / 0 AS total'),
  };
  const costs = new ListShapes(portal.services.databases);
  const observed = observeList({ db: broken, clock: { now: () => NOW }, listCosts: costs }, 7, { title: 'x' });
  await expect(observed.page.query('WITH w0 …')).rejects.toThrow();
  await costs.flush();
  expect(await readShapes(db, all)).toMatchObject([{ lists: 1, failures: 1, walks: 1 }]);
});

test('a tenant keeps 500 shapes of a day and 30 days', async () => {
  const db = await fresh();
  const costs = new ListShapes(portal.services.databases);
  for (const half of [0, 1]) {
    for (let n = 0; n < 600; n++) costs.note(db.tenantId, 1, `["page","${half} ${n}"]`, cost(n), NOW);
    await costs.flush();
  }
  costs.note(db.tenantId, 1, '["page","old"]', cost(1), NOW - (SHAPE_DAYS + 1) * DAY_MS);
  await costs.flush();
  expect(await readShapes(db, all)).toHaveLength(1_001);
  await forgetShapes(db, NOW);
  const kept = await readShapes(db, all);
  expect(kept).toHaveLength(500);
  // The costliest of each of the two batches of 500.
  expect(Math.min(...kept.map((report) => report.totalMs))).toBe(250);
});
