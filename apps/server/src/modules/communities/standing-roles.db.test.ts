import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../test/support/index.ts';
import { createStage, failure, faults } from './communities.fixture.ts';
import { setCommunityRole } from './set-community-roles.ts';
import { setStandingRole } from './set-standing-role.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(async () => {
  await portal.close();
});

const ROOT = '/portal/api/external/v2';

test('a role in every community holds in those made later, everywhere, until it is taken away', async () => {
  const on = await createStage(portal);
  const elsewhere = await createStage(portal);
  await elsewhere.community('Not theirs');
  const service = await on.tenant.createUser({ service: true });
  const person = await on.tenant.createUser();
  const first = await on.community('First');
  const seen = async (userId: number) => {
    const { body } = await on.tenant.request(userId, 'GET', `${ROOT}/communication/settings/communities/view-post`);
    return body.communities.map((one: { name: string }) => one.name).sort();
  };
  expect(await seen(service)).toEqual([]);
  await setStandingRole(await on.admin(), service, 3);
  expect(await seen(service)).toEqual(['First']);
  // This community is created after the account's roles were read and cached.
  const later = await on.community('Later');
  expect(await seen(service)).toEqual(['First', 'Later']);
  expect(await seen(person)).toEqual([]);

  const post = await on.post(later, 1);
  const status = async (userId: number, path: string) =>
    (await on.tenant.request(userId, 'GET', `${ROOT}/communication/${path}`)).status;
  expect(await status(service, `posts/data/post-detail-by-id/${post}`)).toBe(200);
  expect(await status(person, `posts/data/post-detail-by-id/${post}`)).toBe(404);
  const details = await on.call(service, 'getCommunityDetails', { params: { communityId: later } });
  expect(details.community).toMatchObject({ membersCount: 1, operationalCapabilities: { createPost: false } });
  const users = await on.tenant.request(on.adminId, 'POST', `${ROOT}/admin/data/users`, {
    communityIds: [later],
    pageSize: 10,
  });
  expect(users.body.items?.map((user: { id: number }) => user.id)).toEqual([service]);

  // A stronger role in one community counts there, and does not affect the others.
  await setCommunityRole(await on.admin(), first, [service], 2);
  const creates = async (communityId: number) =>
    (await on.call(service, 'getCommunityDetails', { params: { communityId } })).community?.operationalCapabilities
      ?.createPost;
  expect([await creates(first), await creates(later)]).toEqual([true, false]);
  await setStandingRole(await on.admin(), service, 1);
  expect([await creates(first), await creates(later)]).toEqual([true, true]);
  await setStandingRole(await on.admin(), service, null);
  expect(await seen(service)).toEqual(['First']);
  expect(await status(service, `posts/data/post-detail-by-id/${post}`)).toBe(404);
});

test('it is given to service accounts of the tenant only, by those who make definitions', async () => {
  const on = await createStage(portal);
  const elsewhere = await createStage(portal);
  const service = await on.tenant.createUser({ service: true });
  const person = await on.tenant.createUser();
  const stranger = await elsewhere.tenant.createUser({ service: true });
  for (const userId of [person, stranger, 999_999_999]) {
    expect(await faults(setStandingRole(await on.admin(), userId, 3))).toEqual({ userId: 'UNKNOWN_REFERENCE' });
  }
  expect((await failure(setStandingRole(await on.as(service), service, 1))).status).toBe(403);
  const manager = await on.member(await on.community('Mine'), 1);
  expect((await failure(setStandingRole(await on.as(manager), service, 3))).status).toBe(403);
});
