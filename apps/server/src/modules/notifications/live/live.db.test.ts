/**
 * Live changes: their recipients, continuing after a break, changes of rights, ended sign-ins,
 * limits.
 */
import { liveLimits } from '@portico/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabaseOnOwnCluster } from '../../../../test/support/index.ts';
import { connectLive, type LiveConnection } from '../../../../test/support/live-connection.ts';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { createCommunity, setCommunityRoles } from '../../communities/index.ts';
import { deliverNotifications } from '../deliver-notifications.ts';

/** Maximum of connections per tenant in this test. */
const OF_TENANT = 2 * liveLimits.ofAccount;

let portal: TestPortal;
let world: TestWorld;
let open: LiveConnection[] = [];

beforeAll(async () => {
  portal = await createTestPortal({ liveOfTenant: OF_TENANT, database: await createDatabaseOnOwnCluster() });
});
beforeEach(async () => {
  world = await createTestWorld(portal);
});
afterEach(() => {
  for (const connection of open) connection.close();
  open = [];
});
afterAll(() => portal?.close());

async function connect(userId: number | null, query = '', lastEventId?: string): Promise<LiveConnection> {
  const connection = await connectLive(portal, world.tenant, userId, { query, lastEventId });
  open.push(connection);
  return connection;
}

/** Opens the maximum of connections of an account. */
const connectAll = (userId: number) => Promise.all(Array.from({ length: liveLimits.ofAccount }, () => connect(userId)));

const posts = ({ events }: LiveConnection) =>
  events.filter(({ event }) => event === 'post').map(({ data }) => `${data.status} ${data.postId}`);
const lastId = ({ events }: LiveConnection) => events.findLast(({ id }) => id !== undefined)?.id;

describe('live changes', () => {
  test('are sent to those who see them, each by their own sight', async () => {
    const { people } = world;
    const [manager, reader] = [await connect(people.manager), await connect(people.reader)];
    const elsewhere = await connect(people.manager, '?communityIds=999999');
    const seen = await world.post(people.author);
    const hidden = await world.post(people.author, { visibility: 1 });
    await world.ok(people.author, 'POST', `posts/manage/create-comment/${seen}`, { comment: 'Text', commentFormat: 2 });
    await expect.poll(() => posts(manager)).toContain(`TOUCHED ${seen}`);
    expect(posts(manager)).toEqual([`CREATED ${seen}`, `CREATED ${hidden}`, `TOUCHED ${seen}`]);
    await expect.poll(() => posts(reader)).toEqual([`CREATED ${seen}`, `TOUCHED ${seen}`]);
    expect(reader.body).not.toContain(`"postId":${hidden},`);

    // For readers who lose access, a post that becomes private is deleted; with access it comes
    // back.
    const edit = async (visibility: number) => {
      const form = await world.ok(people.author, 'GET', `posts/manage/post-data-for-edit/${seen}`);
      await world.ok(people.author, 'PUT', `posts/manage/edit-post/${seen}/${form.occToken}`, {
        title: 'Title',
        description: 'Text',
        descriptionFormat: 2,
        visibility,
      });
    };
    await edit(1);
    await expect.poll(() => posts(reader).at(-1)).toBe(`DELETED ${seen}`);
    await edit(2);
    await expect.poll(() => posts(reader).at(-1)).toBe(`CREATED ${seen}`);
    await expect.poll(() => posts(manager).at(-1)).toBe(`MODIFIED ${seen}`);
    expect(posts(elsewhere)).toEqual([]);
  });

  test('of a post that moves name no community that the listener does not see', async () => {
    const { people, workspaceId, communityId } = world;
    const admin = await world.tenant.scope(people.admin);
    const other = await createCommunity(admin, { workspaceId, name: 'There', workspaceMemberRole: null });
    await setCommunityRoles(admin, other, [
      { principal: people.manager, role: 1 },
      { principal: people.outsider, role: 3 },
    ]);
    const [manager, reader, only] = [
      await connect(people.manager),
      await connect(people.reader),
      await connect(people.outsider),
    ];
    const postId = await world.post(people.author);
    const { occToken } = await world.ok(people.manager, 'GET', `posts/manage/post-data-for-edit/${postId}`);
    await world.ok(people.manager, 'POST', `posts/manage/move-post/${postId}`, { occToken, communityId: other });
    await expect.poll(() => posts(only)).toEqual([`CREATED ${postId}`]);
    await expect.poll(() => posts(reader).at(-1)).toBe(`DELETED ${postId}`);
    await expect.poll(() => manager.events.at(-1)?.data.communityId).toBe(other);
    const told = ({ events }: LiveConnection) =>
      events.filter(({ event }) => event === 'post').map(({ data }) => data.communityId);
    expect(told(only)).toEqual([other]);
    expect(new Set(told(reader))).toEqual(new Set([communityId]));
  });

  test('continue after a break where they were, without a loss', async () => {
    const { people } = world;
    const first = await connect(people.reader);
    const before = await world.post(people.author);
    await expect.poll(() => posts(first)).toEqual([`CREATED ${before}`]);
    const id = lastId(first);
    first.close();
    const missed: number[] = [];
    for (let index = 0; index < 5; index++) missed.push(await world.post(people.author));
    const second = await connect(people.reader, '', id);
    await expect.poll(() => posts(second)).toEqual(missed.map((postId) => `CREATED ${postId}`));
    // An invalid position starts afresh.
    const third = await connect(people.reader, `?lastEventId=${id}x`);
    expect(third.events[0]).toMatchObject({ event: 'reset', id: expect.any(String) });
  });

  test('follow the rights of the listener, and end with the sign-in', async () => {
    const { people, communityId } = world;
    const reader = await connect(people.reader);
    const admin = (method: string, path: string, body?: object) =>
      world.tenant.request(people.admin, method, `/portal/api/admin/manage/${path}`, body);
    expect((await admin('PUT', `communities/${communityId}/members`, { removeUserIds: [people.reader] })).status).toBe(
      200,
    );
    await expect.poll(() => reader.events.map(({ event }) => event)).toContain('access');
    await world.post(people.author);
    const manager = await connect(people.manager);
    const later = await world.post(people.author);
    await expect.poll(() => posts(manager)).toContain(`CREATED ${later}`);
    expect(posts(reader)).toEqual([]);
    expect((await admin('POST', `users/${people.reader}/block`)).status).toBe(200);
    await reader.ended;
  });

  test('tell people of new notifications', async () => {
    const { people } = world;
    const [reader, manager] = [await connect(people.reader), await connect(people.manager)];
    await world.post(people.author, {
      description: JSON.stringify([{ insert: { mention: { id: people.reader, value: 'R' } } }, { insert: '\n' }]),
      descriptionFormat: 1,
    });
    await deliverNotifications(world.db, Date.now());
    await expect.poll(() => reader.events.map(({ event }) => event)).toContain('notifications');
    expect(manager.events.map(({ event }) => event)).not.toContain('notifications');
  });

  test('of a tenant leave room for those of others', async () => {
    const { people } = world;
    await Promise.all([connectAll(people.author), connectAll(people.reader)]);
    expect((await connect(people.manager)).status).toBe(429);
    world = await createTestWorld(portal);
    expect((await connect(world.people.manager)).status).toBe(200);
  });

  test('are refused without a sign-in, with wrong parameters, and beyond the limit of an account', async () => {
    const { people } = world;
    expect((await connect(null)).status).toBe(401);
    const wrong = await connect(people.reader, '?communityIds=1,x');
    expect(wrong.status).toBe(400);
    await expect.poll(() => wrong.body).toContain('communityIds');
    await connectAll(people.reader);
    const more = await connect(people.reader);
    expect(more.status).toBe(429);
    await expect.poll(() => more.body).toContain('TOO_MANY_LISTENERS');
    expect((await connect(people.author)).status).toBe(200);
    open[5]!.close();
    await open[5]!.ended;
    await expect.poll(async () => (await connect(people.reader)).status).toBe(200);
  });
});
