import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../test/support/index.ts';
import { writeTransaction } from '../../kernel/access/index.ts';
import { createGroupRecord } from '../people/index.ts';
import { createStage, failure, faults } from './communities.fixture.ts';
import { createCommunity, ensureCommunity } from './create-community.ts';
import { ensureHashtags } from './ensure-hashtags.ts';
import { setCommunityRole, setCommunityRoles } from './set-community-roles.ts';
import { setWorkspaceMembers } from './workspaces/create-workspace.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(async () => {
  await portal.close();
});

describe('seeing communities', () => {
  test('takes a role in them; without one they are as if they were not there', async () => {
    const on = await createStage(portal);
    const open = await on.community('Open', { description: 'All of us', colorCode: '#12fea4' });
    const closed = await on.community('Closed', { workspaceMemberRole: null });
    const reader = await on.member(open, 3);
    const { community } = await on.call(reader, 'getCommunityDetails', { params: { communityId: open } });
    expect(community).toEqual({
      id: open,
      name: 'Open',
      description: 'All of us',
      workspaceId: on.workspaceId,
      colorCode: '#12fea4',
      draft: false,
      creatorUser: expect.objectContaining({ id: on.adminId, firstName: 'Ada' }),
      creationTimestamp: expect.any(Number),
      etag: 1,
      adminCapabilities: { editCommunity: false },
      operationalCapabilities: {
        viewPost: true,
        createPost: false,
        createEventPost: false,
        pinPost: false,
        editPostVisibility: false,
        setPostAnnouncementFlag: false,
      },
      membersCount: 1,
    });
    const elsewhere = await createStage(portal);
    const details = (userId: number, communityId: number) =>
      on.call(userId, 'getCommunityDetails', { params: { communityId } });
    const answers = [
      await failure(details(reader, closed)),
      await failure(details(reader, 999_999_999)),
      await failure(details(on.adminId, open)),
      await failure(elsewhere.call(elsewhere.adminId, 'getCommunityDetails', { params: { communityId: open } })),
    ];
    expect(new Set(answers.map((error) => `${error.status} ${error.code} ${error.message}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(404);
    const many = await on.call(reader, 'listCommunities', {
      body: { communityIds: [closed, open, 999_999_999, open] },
    });
    expect(many.communities!.map((one) => one.id)).toEqual([open]);
    expect((await on.call(reader, 'listCommunities')).communities).toEqual([]);
  });

  test('by membership of the workspace makes readers, unless the community or the membership says otherwise', async () => {
    const on = await createStage(portal);
    const plain = await on.community('Plain');
    const strict = await on.community('Strict', { workspaceMemberRole: null });
    const writing = await on.community('Writing', { workspaceMemberRole: 2 });
    const member = await on.tenant.createUser();
    const manager = await on.tenant.createUser();
    await setWorkspaceMembers(await on.admin(), on.workspaceId, [
      { principal: member, roleId: null },
      { principal: manager, roleId: 1 },
    ]);
    const postable = async (userId: number) =>
      (await on.call(userId, 'getCanCreatePostCommunities')).communities!.map((one) => one.id);
    const readable = async (userId: number, viewPostCapabilityLevel: 'PRIVATE' | 'PUBLIC' | 'ALL') =>
      (
        await on.call(userId, 'getCommunitiesByViewPostCapabilityLevel', { query: { viewPostCapabilityLevel } })
      ).communities!.map((one) => one.id);
    expect(await postable(member)).toEqual([writing]);
    expect(await postable(manager)).toEqual([plain, strict, writing]);
    expect(await readable(member, 'PUBLIC')).toEqual([plain, writing]);
    expect(await readable(member, 'PRIVATE')).toEqual([]);
    expect(await readable(member, 'ALL')).toEqual([plain, writing]);
    const unsaid = await on.call(member, 'getCommunitiesByViewPostCapabilityLevel');
    expect(unsaid).toEqual(
      await on.call(member, 'getCommunitiesByViewPostCapabilityLevel', { query: { viewPostCapabilityLevel: 'ALL' } }),
    );
    expect(await readable(manager, 'PRIVATE')).toEqual([plain, strict, writing]);
    expect((await on.call(member, 'getCommunitiesByViewPostCapabilityLevel')).communities).toHaveLength(2);
  });

  test('shows what each role may do; in a draft community only managers write', async () => {
    const on = await createStage(portal);
    const capabilities = async (communityId: number, role: 1 | 2 | 3) => {
      const userId = await on.member(communityId, role);
      const { community } = await on.call(userId, 'getCommunityDetails', { params: { communityId } });
      const { operationalCapabilities, adminCapabilities } = community!;
      return Object.entries({ ...operationalCapabilities, ...adminCapabilities })
        .filter(([, may]) => may)
        .map(([name]) => name)
        .sort()
        .join(' ');
    };
    const writes = 'createEventPost createPost editPostVisibility viewPost';
    const manages =
      'createEventPost createPost editCommunity editPostVisibility pinPost setPostAnnouncementFlag viewPost';
    const open = await on.community('Open');
    expect(await capabilities(open, 1)).toBe(manages);
    expect(await capabilities(open, 2)).toBe(writes);
    expect(await capabilities(open, 3)).toBe('viewPost');
    const draft = await on.community('Draft', { draft: true, eventsEnabled: false });
    expect(await capabilities(draft, 1)).toBe(manages.replace('createEventPost ', ''));
    expect(await capabilities(draft, 2)).toBe('viewPost');
  });

  test('counts each person with a role once, however they have it', async () => {
    const on = await createStage(portal);
    const community = await on.community('C');
    const [twice, inGroup, other] = [
      await on.tenant.createUser(),
      await on.tenant.createUser(),
      await on.tenant.createUser(),
    ];
    const group = await writeTransaction(await on.admin(), 'access', (write) =>
      createGroupRecord(write, { name: 'G', memberIds: [twice, inGroup] }),
    );
    await setCommunityRoles(await on.admin(), community, [
      { principal: twice, role: 1 },
      { principal: -group, role: 3 },
    ]);
    await setWorkspaceMembers(await on.admin(), on.workspaceId, [
      { principal: other, roleId: null },
      { principal: twice, roleId: 2 },
    ]);
    const read = async () =>
      (await on.call(twice, 'getCommunityDetails', { params: { communityId: community } })).community!.membersCount;
    expect(await read()).toBe(3);
    await setCommunityRole(await on.admin(), community, [-group], null);
    expect(await read()).toBe(2);
  });

  test('takes the same number of statements for 1 and for 20', async () => {
    const on = await createStage(portal);
    const ids: number[] = [];
    for (let n = 0; n < 20; n++) ids.push(await on.community(`C${String(n).padStart(2, '0')}`));
    const user = await on.tenant.createUser();
    for (const id of ids) await setCommunityRole(await on.admin(), id, [user], 2);
    const statements = async (communityIds: number[]) => {
      await on.call(user, 'listPostDefinitions', { body: { communityIds } });
      portal.takeStatements();
      await on.call(user, 'listCommunities', { body: { communityIds } });
      await on.call(user, 'listPostDefinitions', { body: { communityIds } });
      // Background jobs run at the same time; count only the statements about the requested
      // objects.
      return portal
        .takeStatements()
        .filter((sql) => /\b(communities|community_roles|hashtags|users|fields|catalogs)\b/.test(sql));
    };
    const many = await statements(ids);
    expect(many).toEqual(await statements(ids.slice(0, 1)));
    expect(many.length).toBeGreaterThan(0);
  });
});

describe('making communities', () => {
  test('is for administrators of the workplace, and says what is wrong', async () => {
    const on = await createStage(portal);
    const member = await on.tenant.createUser();
    const community = { workspaceId: on.workspaceId, name: ' ', colorCode: 'red' };
    expect((await failure(createCommunity(await on.as(member), community))).status).toBe(403);
    expect(await faults(createCommunity(await on.admin(), community))).toEqual({
      name: 'REQUIRED_FIELD',
      colorCode: 'INVALID_VALUE',
    });
    const elsewhere = await createStage(portal);
    const astray = createCommunity(await on.admin(), { workspaceId: elsewhere.workspaceId, name: 'x' });
    expect((await failure(astray)).status).toBe(404);
    const id = await ensureCommunity(await on.admin(), { workspaceId: on.workspaceId, name: 'X', externalId: 'x' });
    expect(await ensureCommunity(await on.admin(), { workspaceId: on.workspaceId, name: 'Y', externalId: 'x' })).toBe(
      id,
    );
    expect(await ensureCommunity(await on.admin(), { workspaceId: on.workspaceId, name: 'X' })).toBe(id);
    expect(await faults(setCommunityRole(await on.admin(), id, [elsewhere.adminId], 1))).toEqual({
      principals: 'UNKNOWN_REFERENCE',
    });
  });
});

describe('hashtags', () => {
  test('are listed by part of their name and by page, in both orders', async () => {
    const on = await createStage(portal);
    const communityId = await on.community('C');
    const reader = await on.member(communityId, 3);
    const ids = await ensureHashtags(await on.admin(), communityId, [
      '#Café',
      'cafe',
      { name: 'Tea', externalId: 'b' },
      { name: 'coffee', externalId: 'A' },
      { name: 'old', deleted: true },
    ]);
    expect(ids[0]).toBe(ids[1]);
    const list = (body: object) => on.call(reader, 'listHashtags', { params: { communityId }, body });
    const names = async (body: object) => (await list(body)).items!.map((item) => item.name);
    expect(await names({})).toEqual(['Tea', 'coffee', 'Café']);
    expect(await names({ orderDesc: false, includeDeleted: true })).toEqual(['Café', 'coffee', 'old', 'Tea']);
    expect(await names({ name: 'CAFÉ' })).toEqual(['Café']);
    expect(await names({ name: '%' })).toEqual([]);
    expect(await names({ orderBy: 'externalId', orderDesc: false })).toEqual(['coffee', 'Tea', 'Café']);
    expect(await names({ orderBy: 'externalId' })).toEqual(['Tea', 'coffee', 'Café']);
    for (const order of [
      {},
      { orderDesc: false },
      { orderBy: 'externalId' },
      { orderBy: 'externalId', orderDesc: false },
    ]) {
      const walked: (string | undefined)[] = [];
      let pageToken: string | undefined;
      do {
        const page = await list({
          ...order,
          pageSize: 1,
          calculateTotalItemsCount: true,
          ...(pageToken && { pageToken }),
        });
        expect(page.totalItemsCount).toBe(3);
        walked.push(...page.items!.map((item) => item.name));
        pageToken = page.nextPageToken;
      } while (pageToken);
      expect(walked).toEqual(await names(order));
    }
    const first = await list({ pageSize: 1 });
    const changed = list({ pageSize: 1, pageToken: first.nextPageToken, name: 'c' });
    expect((await failure(changed)).code).toBe('PAGE_TOKEN_FILTERS_CHANGED');
    expect((await list({})).items![0]).toEqual({
      id: ids[2],
      name: 'Tea',
      communityId,
      externalId: 'b',
      deleted: false,
    });
  });

  test('are shown to whoever sees the community', async () => {
    const on = await createStage(portal);
    const communityId = await on.community('C');
    const stranger = await on.tenant.createUser();
    const list = (userId: number, id: number) => on.call(userId, 'listHashtags', { params: { communityId: id } });
    expect((await failure(list(stranger, communityId))).status).toBe(404);
    expect((await failure(list(stranger, 999_999_999))).status).toBe(404);
  });
});
