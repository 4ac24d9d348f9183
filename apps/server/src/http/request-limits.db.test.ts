/** Requests that take too long, or whose client goes away, end. */
import { request as send } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countWaitingStatements } from '../../test/support/activity.ts';
import {
  createTestPortal,
  type TestPortal,
  type TestPortalOptions,
  type TestTenant,
} from '../../test/support/index.ts';
import { type GeneratedCommunity, generateCommunity } from '../../test/support/post-generator.ts';

interface Line {
  msg: string;
  operation?: string;
  statement?: string;
}

interface World {
  portal: TestPortal;
  tenant: TestTenant;
  made: GeneratedCommunity;
  lines: Line[];
  path: string;
}

async function makeWorld(options: TestPortalOptions): Promise<World> {
  const lines: Line[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const portal = await createTestPortal({ ...options, logger: logger as never });
  const tenant = await portal.createTenant();
  const made = await generateCommunity(portal.owner, tenant.tenant.id, 50);
  // The community is cached before the table is locked.
  const path = `/portal/api/communication/posts/data/list/community/${made.communityId}`;
  expect((await tenant.request(made.readerId, 'POST', path, {})).status).toBe(200);
  return { portal, tenant, made, lines, path };
}

/** Runs `work` while nobody can read posts. */
async function locked(portal: TestPortal, work: () => Promise<void>): Promise<void> {
  await portal.owner.query('BEGIN');
  try {
    await portal.owner.query('LOCK TABLE posts IN ACCESS EXCLUSIVE MODE');
    await work();
  } finally {
    await portal.owner.query('ROLLBACK');
  }
}

/** Longest wait, in milliseconds, for an event on a machine that is busy with others' work. */
const PATIENCE_MS = 50_000;

async function until(what: string, done: () => Promise<boolean> | boolean): Promise<void> {
  await expect.poll(async () => done(), { interval: 20, timeout: PATIENCE_MS, message: what }).toBe(true);
}

describe('a statement that takes too long', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld({ statementMs: 1_500 });
  });
  afterAll(() => world.portal.close());

  it('is cancelled: 503 with Retry-After, and operation and statement in the log', async () => {
    const { portal, tenant, made, lines, path } = world;
    await locked(portal, async () => {
      const answer = await tenant.request(made.readerId, 'POST', path, { createdByUserIds: made.userIds.slice(0, 2) });
      expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE']);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    });
    expect(portal.services.pool.stats.cancelled).toBe(1);
    const line = lines.find(({ msg }) => msg === 'a statement took too long and was cancelled');
    expect(line?.operation).toBe('listCommunityPostsFiltered');
    expect(line?.statement).toMatch(/\bcreator_id\b/);
    expect((await tenant.request(made.readerId, 'POST', path, {})).status).toBe(200);
  });
});

describe('a request that takes too long', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld({ requestMs: 3_000 });
  });
  afterAll(() => world.portal.close());

  it('is answered 503, and what it runs is cancelled', async () => {
    const { portal, tenant, made, path } = world;
    await locked(portal, async () => {
      expect((await tenant.request(made.readerId, 'POST', path, {})).status).toBe(503);
      expect(await countWaitingStatements(portal.database.owner)).toBe(0);
    });
    expect(portal.services.pool.stats.cancelled).toBe(1);
    expect((await tenant.request(made.readerId, 'POST', path, {})).status).toBe(200);
  });
});

describe('a client that goes away', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld({});
  });
  afterAll(() => world.portal.close());

  it('takes its statement along, and its place in the queue', async () => {
    const { portal, tenant, made, lines, path } = world;
    // Several, as few requests of one account are at work at once.
    const people = [made.managerId, made.contributorId, made.readerId];
    const tokens = await Promise.all(people.map((person) => tenant.token(person)));
    await locked(portal, async () => {
      const requests = Array.from({ length: 30 }, (_, index) => {
        const token = tokens[index % tokens.length];
        const headers = { Host: tenant.host, Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
        const request = send(`${portal.origin}${path}`, { method: 'POST', headers, agent: false });
        request.on('error', () => undefined);
        request.end('{}');
        return request;
      });
      await until(
        'they wait',
        async () =>
          portal.services.pool.stats.waiting > 10 && (await countWaitingStatements(portal.database.owner)) > 1,
      );
      for (const request of requests) request.destroy();
      await until(
        'none is left',
        async () =>
          (await countWaitingStatements(portal.database.owner)) === 0 && portal.services.pool.stats.waiting === 0,
      );
    });
    expect(portal.services.pool.stats.cancelled).toBeGreaterThan(1);
    const gone = lines.filter(({ msg }) => msg === 'the client went away: its statement was cancelled');
    expect(gone.length).toBeGreaterThan(1);
    expect(lines.filter(({ msg }) => msg === 'request failed')).toEqual([]);
    expect((await tenant.request(made.readerId, 'POST', path, {})).status).toBe(200);
  });
});
