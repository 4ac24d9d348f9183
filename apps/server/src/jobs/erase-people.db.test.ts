import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestPortal } from '../../test/support/index.ts';
import { tablesWithText } from '../../test/support/table-rows.ts';
import { createTestPortal, createTestWorld, type TestWorld } from '../../test/support/test-world.ts';
import { writeTransaction } from '../kernel/access/index.ts';
import { enqueueMail } from '../modules/people/mails/mail.fixture.ts';
import { eraseRowsOfPeople } from './erase-people.ts';

const USERS = '/portal/api/admin/manage/users';

describe('the erasure of a person', () => {
  let portal: TestPortal;
  let world: TestWorld;
  beforeAll(async () => {
    portal = await createTestPortal({});
    world = await createTestWorld(portal);
  });
  afterAll(() => portal.close());

  const admin = (method: string, path: string, body?: object) =>
    world.tenant.request(world.people.admin, method, path, body);
  const rowsOf = async (userId: number) =>
    (
      await world.db.query<{ count: number }>(
        `SELECT (SELECT count(*) FROM post_user_state WHERE tenant_id = $1 AND user_id = $2)
              + (SELECT count(*) FROM access_snapshots WHERE tenant_id = $1 AND user_id = $2) AS count`,
        [world.db.tenantId, userId],
      )
    )[0]!.count;

  /** A person with a profile, an account and a group, who wrote, commented, viewed and followed. */
  async function busyPerson(mark: string): Promise<{ userId: number; postId: number; otherId: number }> {
    const userId = await world.tenant.createUser({ firstName: 'Ada', lastName: mark, email: `${mark}@mark.test` });
    await world.role(userId, 2);
    const form = (await admin('GET', `${USERS}/${userId}/edit`)).body;
    const edited = await admin('PUT', `${USERS}/${userId}`, {
      occToken: form.occToken,
      firstname: 'Ada',
      lastname: mark,
      contactEmail: `${mark}@mark.test`,
      privateEmail: `${mark}@home.test`,
      externalId: `id-${mark}`,
      userInfo: { role: `${mark} role`, place: `${mark} place`, phone: `+39 ${mark}`, biography: `I am ${mark}.` },
    });
    expect(edited.status, edited.text).toBe(200);
    const { occToken } = (await admin('GET', `${USERS}/${userId}/credentials/edit`)).body;
    const account = { googleAccountId: `${mark}@google.test`, enabled: true };
    const custom = { username: `${mark}.user`, active: true };
    const credentials = await admin('PUT', `${USERS}/${userId}/credentials`, {
      occToken,
      userCredentialsConfiguration: { google: account, custom },
    });
    expect(credentials.status, credentials.text).toBe(200);
    const group = await admin('POST', '/portal/api/admin/manage/groups', {
      name: `Group of ${userId}`,
      visible: true,
      memberIds: [userId],
    });
    expect(group.status, group.text).toBe(200);
    const postId = await world.post(userId, { title: 'What was written stays' });
    const otherId = await world.post(world.people.author);
    await world.ok(userId, 'POST', `posts/manage/create-comment/${otherId}`, { comment: 'Agreed.', commentFormat: 2 });
    await world.ok(userId, 'GET', `posts/data/post-detail-by-id/${otherId}`);
    await world.tenant.settleStream();
    await world.ok(userId, 'POST', 'posts/data/global-stream', {});
    return { userId, postId, otherId };
  }

  it('keeps what they wrote and leaves nothing that says who they were', async () => {
    const mark = 'vanishingperson';
    const { userId, postId } = await busyPerson(mark);
    expect((await world.tenant.request(userId, 'GET', '/portal/api/core/auth/current-user-data')).status).toBe(200);
    await writeTransaction(await world.scope(world.people.admin), 'none', async (write) => {
      const values = { name: mark, link: 'https://portal.test/x', expiry: Date.now() + 3_600_000 };
      await enqueueMail(write, { to: `${mark}@MARK.test`, template: 'invitation', language: 'en', values });
      // To an address that they had before.
      await enqueueMail(write, { to: `${mark}@before.test`, userId, template: 'invitation', language: 'en', values });
    });
    expect(await tablesWithText(portal.owner, world.db.tenantId, mark)).toEqual(
      expect.arrayContaining(['outgoing_mails', 'user_search', 'users']),
    );
    const preview = await admin('GET', `${USERS}/${userId}/erasure`);
    expect(preview.body).toEqual({
      userId,
      kept: { posts: 1, attachments: 0, commentedPosts: 1, openTasks: 0, fieldPosts: 0 },
      removed: { groups: 1, roles: 1, viewedPosts: expect.any(Number), followedPosts: expect.any(Number) },
    });
    expect(preview.body.removed.viewedPosts).toBeGreaterThan(0);
    const erased = await admin('POST', `${USERS}/${userId}/erase`);
    expect([erased.status, erased.body]).toEqual([200, preview.body]);
    expect(await tablesWithText(portal.owner, world.db.tenantId, mark)).toEqual([]);

    const post = await world.ok(world.people.author, 'GET', `posts/data/post-detail-by-id/${postId}`);
    expect(post.title).toBe('What was written stays');
    expect(post.creatorUser).toMatchObject({ id: userId, firstName: 'Erased', lastName: 'user', deleted: true });
    const ended = await world.tenant.request(userId, 'GET', '/portal/api/core/auth/current-user-data');
    expect(ended.status).toBe(401);
    // The next run of the job deletes their reads and follows, and the address is free again.
    expect(await rowsOf(userId)).toBeGreaterThan(0);
    expect(await eraseRowsOfPeople(portal.services, world.tenant.tenant)).toBeGreaterThan(0);
    expect(await rowsOf(userId)).toBe(0);
    expect(await eraseRowsOfPeople(portal.services, world.tenant.tenant)).toBe(0);
    await world.tenant.createUser({ email: `${mark}@mark.test` });
  });

  it('is made once, also of a deleted person, and never of oneself or the system account', async () => {
    const { userId } = await busyPerson('leavesfirst');
    expect((await admin('DELETE', `${USERS}/${userId}`)).status).toBe(200);
    expect((await admin('POST', `${USERS}/${userId}/erase`)).status).toBe(200);
    expect(await tablesWithText(portal.owner, world.db.tenantId, 'leavesfirst')).toEqual([]);
    for (const [method, path] of [
      ['POST', 'erase'],
      ['GET', 'erasure'],
    ] as const)
      expect((await admin(method, `${USERS}/${userId}/${path}`)).status).toBe(404);
    expect((await admin('POST', `${USERS}/${world.people.admin}/erase`)).body).toMatchObject({
      status: 403,
      message: 'You cannot erase yourself; ask another user administrator.',
    });
    expect((await admin('POST', `${USERS}/${world.tenant.systemUserId}/erase`)).status).toBe(403);
    expect((await world.tenant.request(world.people.author, 'POST', `${USERS}/${userId}/erase`)).status).toBe(403);
  });

  it('removes a mail that is being queued while it waits for the row of the person', async () => {
    const mark = 'forgetfulperson';
    const { userId } = await busyPerson(mark);
    const scope = await world.scope(world.people.admin);
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    // As the request for a forgotten password does, which no lock of the tenant holds back.
    const sending = world.db.transaction(async (tx) => {
      await tx.query('SELECT FROM users WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE', [tx.tenantId, userId]);
      hold();
      await released;
      const values = { name: mark, link: 'https://portal.test/x', expiry: Date.now() + 3_600_000 };
      const to = `${mark}@mark.test`;
      await enqueueMail({ ...scope, tx, now: Date.now() }, { to, template: 'password-reset', language: 'en', values });
    });
    await held;
    const erasing = admin('POST', `${USERS}/${userId}/erase`);
    await expect
      .poll(async () => {
        const { rows } = await portal.owner.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length;
      })
      .toBe(1);
    release();
    await sending;
    const erased = await erasing;
    expect(erased.status, erased.text).toBe(200);
    expect(await tablesWithText(portal.owner, world.db.tenantId, mark)).toEqual([]);
  });

  it('is finished by the next run where one ended in the middle, by two nodes at once', async () => {
    const { userId } = await busyPerson('manyrows');
    await world.db.execute(
      `INSERT INTO post_user_state (tenant_id, user_id, post_id, community_id, viewed_at)
       SELECT p.tenant_id, $2, p.id, p.community_id, now() FROM posts p WHERE p.tenant_id = $1
       ON CONFLICT DO NOTHING`,
      [world.db.tenantId, userId],
    );
    const before = await rowsOf(userId);
    expect((await admin('POST', `${USERS}/${userId}/erase`)).status).toBe(200);
    const runs = await Promise.all([1, 2].map(() => eraseRowsOfPeople(portal.services, world.tenant.tenant)));
    expect(runs[0]! + runs[1]!).toBeGreaterThanOrEqual(before);
    expect(await rowsOf(userId)).toBe(0);
  });
});
