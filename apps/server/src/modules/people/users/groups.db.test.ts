/** Groups: lists, forms, members, and the exactness of their counts. */

import {
  ACTIVE_STATUS_TOO,
  type EditMultipleGroupsMembersResponse,
  GroupStatus,
  type ListSystemGroupsRequest,
} from '@portico/contract';
import { compareSortKeys, searchDocument, searchTerms, sortKeyWithTies } from '@portico/platform/text';
import { matchesSearch } from '@portico/platform/text/search.fixture';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadActor } from '../../../kernel/access/index.ts';
import { createGroupRecord } from './edit-group.ts';
import { call, openPeoplePortal, type PeoplePortal, type PeopleTenant, refusal, refusals } from './people.fixture.ts';
import { loadGroupViews } from './views.ts';

let portal: PeoplePortal;
let tenant: PeopleTenant;
let userIds: number[];

beforeAll(async () => {
  portal = await openPeoplePortal();
  tenant = await portal.tenant();
  userIds = await tenant.users(
    Array.from({ length: 12 }, (_, n) => ({ firstName: `F${n}`, lastName: `Last${n % 5}` })),
  );
});
afterAll(() => portal.close());

const create = (body: object) => call('createGroup', tenant.admin, { body });
const form = (groupId: number) => call('getGroupForEdit', tenant.admin, { params: { groupId } });
const edit = (groupId: number, body: object) => call('editGroup', tenant.admin, { params: { groupId }, body });
const bulk = (groupMembers: object[]) => call('editGroupMembers', tenant.admin, { body: { groupMembers } });
const memberIds = async (groupId: number) =>
  (await form(groupId)).members!.map((member) => member.id!).sort((a, b) => a - b);

/** Returns the id of each refused group with the reasons. */
const refusalsOf = ({ refusedGroups }: EditMultipleGroupsMembersResponse) =>
  refusedGroups!.map(({ groupId, validationErrors }) => [
    groupId,
    ...validationErrors!.list!.map(({ field, code, defaultMessage }) => `${field}: ${code} ${defaultMessage}`),
  ]);

async function expectExactCounts() {
  const wrong = await tenant.sql(
    `SELECT g.id, g.members_count, count(m.user_id) FROM groups g
       LEFT JOIN group_members m ON m.tenant_id = g.tenant_id AND m.group_id = g.id
      WHERE g.tenant_id = $1 GROUP BY g.id, g.members_count HAVING g.members_count <> count(m.user_id)`,
    [tenant.id],
  );
  expect(wrong).toEqual([]);
}

describe('forms and edits', () => {
  test('creating answers the whole group, its id and the next token', async () => {
    const group = await create({
      name: ' Team ',
      email: 'team@x.org',
      externalId: 'G-1',
      visible: true,
      memberIds: userIds.slice(0, 3),
    });
    expect(group).toMatchObject({
      name: 'Team',
      email: 'team@x.org',
      externalId: 'G-1',
      visible: true,
      membersCount: 3,
      deleted: false,
    });
    expect(group.id).toBe(group.groupId);
    expect(group.nextOccToken).toBe(group.occToken);
    const read = await form(group.groupId!);
    expect(read.members!.map((member) => member.id)).toEqual(userIds.slice(0, 3));
    expect(read.members![0]).toMatchObject({ checkGroupMemberResult: true });
    expect((await loadActor(tenant.admin.db, userIds[0]!))!.groupIds).toContain(group.groupId);
  });

  test('faults come at once; duplicates name their field', async () => {
    const refused = await refusal(create({ email: 'x', memberIds: [userIds[0], 999_999_999] }));
    expect(refused.faults).toEqual(['name: REQUIRED_FIELD', 'email: INVALID_VALUE', 'memberIds[1]: UNKNOWN_REFERENCE']);
    await create({ name: 'Dup', email: 'dup@x.org', externalId: 'DUP' });
    expect((await refusal(create({ name: 'Dup', email: 'DUP@x.org' }))).faults).toEqual(['email: DUPLICATE_VALUE']);
    expect((await refusal(create({ name: 'Dup', externalId: 'DUP' }))).faults).toEqual(['externalId: DUPLICATE_VALUE']);
    expect((await refusal(create({ email: 'Dup@x.org', externalId: 'DUP' }))).faults.sort()).toEqual([
      'email: DUPLICATE_VALUE',
      'externalId: DUPLICATE_VALUE',
      'name: REQUIRED_FIELD',
    ]);
  });

  test('an edit clears what is left out, hides the group, and keeps members unless they are given', async () => {
    const { groupId, nextOccToken } = await create({
      name: 'E',
      email: 'e@x.org',
      externalId: 'E',
      visible: true,
      memberIds: userIds.slice(0, 4),
    });
    expect(await edit(groupId!, { name: 'E2', occToken: nextOccToken })).toEqual({ nextOccToken: nextOccToken! + 1 });
    const read = await form(groupId!);
    expect(read).toMatchObject({ name: 'E2', visible: false, membersCount: 4, occToken: nextOccToken! + 1 });
    expect(read.email).toBeUndefined();
    expect(read.externalId).toBeUndefined();
    await edit(groupId!, { name: 'E2', occToken: read.occToken, memberIds: [userIds[3], userIds[5], userIds[5]] });
    expect(await memberIds(groupId!)).toEqual([userIds[3], userIds[5]]);
    await edit(groupId!, { name: 'E2', occToken: read.occToken! + 1, memberIds: [] });
    expect((await form(groupId!)).membersCount).toBe(0);
    expect((await refusal(edit(groupId!, {}))).faults).toEqual(['name: REQUIRED_FIELD', 'occToken: REQUIRED_FIELD']);
    const stale = await refusal(edit(groupId!, { name: 'late', occToken: 1, memberIds: [999_999_999] }));
    expect(stale).toMatchObject({
      status: 409,
      details: { currentOccToken: read.occToken! + 2, changedBy: { name: 'Ada Admin' } },
    });
    await expectExactCounts();
  });

  test('deleting takes the group out of use', async () => {
    const { groupId } = await create({ name: 'Ends', email: 'ends@x.org', memberIds: [userIds[1]] });
    const version = (await loadActor(tenant.admin.db, userIds[1]!))!.accessVersion;
    await call('deleteGroup', tenant.admin, { params: { groupId: groupId! } });
    const actor = (await loadActor(tenant.admin.db, userIds[1]!))!;
    expect(actor.groupIds).not.toContain(groupId);
    expect(actor.accessVersion).toBeGreaterThan(version);
    const again = call('deleteGroup', tenant.admin, { params: { groupId: groupId! } });
    const members = call('listGroupsMembers', tenant.admin, { params: { groupId: groupId! } });
    for (const refused of await refusals([
      form(groupId!),
      again,
      members,
      edit(groupId!, { name: 'x', occToken: 1 }),
    ])) {
      expect(refused).toMatchObject({ status: 404 });
    }
    expect((await loadGroupViews(tenant.admin.db, [groupId!])).get(groupId!)).toMatchObject({
      name: 'Ends',
      deleted: true,
    });
    await create({ name: 'Begins', email: 'ends@x.org' });
  });

  test('a deleted user leaves their groups, whose tokens are raised', async () => {
    const userId = await tenant.user();
    const { groupId, occToken } = await create({ name: 'Left', memberIds: [userId, userIds[0]] });
    await call('deleteUser', tenant.admin, { params: { userId } });
    expect(await form(groupId!)).toMatchObject({ membersCount: 1, occToken: occToken! + 1 });
    expect(
      (await refusal(edit(groupId!, { name: 'Left', occToken: occToken! + 1, memberIds: [userId] }))).faults,
    ).toEqual(['memberIds[0]: UNKNOWN_REFERENCE']);
    await expectExactCounts();
  });

  test('of fifty edits with one token exactly one wins', async () => {
    const { groupId, occToken } = await create({ name: 'Race' });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        edit(groupId!, { name: `W${n}`, occToken, memberIds: userIds.slice(0, n % 12) }),
      ),
    );
    const won = outcomes.flatMap((outcome, n) => (outcome.status === 'fulfilled' ? [n] : []));
    expect(won).toHaveLength(1);
    expect(await form(groupId!)).toMatchObject({ name: `W${won[0]}`, membersCount: won[0]! % 12 });
  });

  test("another tenant's groups and users answer as unknown ones", async () => {
    const other = await portal.tenant();
    const foreignUser = await other.user();
    const foreign = await other.write('none', (write) => createGroupRecord(write, { name: 'Theirs' }));
    for (const groupId of [foreign, 999_999_999]) {
      const works = [
        form(groupId),
        edit(groupId, { name: 'x', occToken: 1 }),
        call('deleteGroup', tenant.admin, { params: { groupId } }),
        call('listGroupsMembers', tenant.admin, { params: { groupId } }),
      ];
      for (const refused of await refusals(works)) {
        expect(refused).toEqual({ status: 404, code: 'NOT_FOUND', faults: [], details: {} });
      }
      expect(await bulk([{ id: groupId, occToken: 1, addUserIds: [userIds[0]] }])).toEqual({
        successGroups: [],
        concurrencyErrorGroups: [],
        refusedGroups: [
          {
            groupId,
            validationErrors: {
              list: [
                {
                  code: 'UNKNOWN_REFERENCE',
                  args: [groupId],
                  defaultMessage: 'There is no such group.',
                  field: 'groupMembers[0].id',
                },
              ],
            },
          },
        ],
      });
    }
    expect((await refusal(create({ name: 'x', memberIds: [foreignUser] }))).faults).toEqual([
      'memberIds[0]: UNKNOWN_REFERENCE',
    ]);
  });
});

describe('members of many groups', () => {
  test('each group is taken or refused by itself', async () => {
    const [a, b, c] = [
      await create({ name: 'A', memberIds: [userIds[0]] }),
      await create({ name: 'B' }),
      await create({ name: 'C', memberIds: [userIds[0]] }),
    ];
    const answer = await bulk([
      {
        id: a.id,
        occToken: a.occToken,
        addUserIds: [userIds[1], userIds[2], userIds[1]],
        deleteUserIds: [userIds[0], 999_999_999],
      },
      { id: b.id, occToken: 99, addUserIds: [userIds[1]] },
      { id: c.id, occToken: c.occToken, addUserIds: [userIds[1], 999_999_999], deleteUserIds: [userIds[0]] },
      { id: 999_999_999, occToken: 1, addUserIds: [userIds[1]] },
    ]);
    expect(answer.successGroups).toMatchObject([{ id: a.id, occToken: a.occToken! + 1, membersCount: 2 }]);
    expect(answer.concurrencyErrorGroups).toMatchObject([{ id: b.id, occToken: b.occToken, membersCount: 0 }]);
    expect(refusalsOf(answer)).toEqual([
      [c.id, 'groupMembers[2].addUserIds[1]: UNKNOWN_REFERENCE There is no user 999999999.'],
      [999_999_999, 'groupMembers[3].id: UNKNOWN_REFERENCE There is no such group.'],
    ]);
    expect(await memberIds(a.id!)).toEqual([userIds[1], userIds[2]]);
    expect(await memberIds(c.id!)).toEqual([userIds[0]]);
    const next = await bulk([
      { id: a.id, occToken: answer.successGroups![0]!.occToken, addUserIds: [userIds[4]], deleteUserIds: [userIds[4]] },
    ]);
    expect(next.successGroups).toMatchObject([{ membersCount: 3 }]);
    expect(
      (await refusal(bulk([{ occToken: 1 }, { id: a.id, occToken: 1 }, { id: a.id, occToken: 1 }]))).faults,
    ).toEqual(['groupMembers[0].id: REQUIRED_FIELD', 'groupMembers[2].id: INVALID_VALUE']);
    await expectExactCounts();
  });

  test('a group without its token and one of the portal itself are refused with the reason', async () => {
    const group = await create({ name: 'No token' });
    const system = await create({ name: 'System' });
    await tenant.sql('UPDATE groups SET system_account = true WHERE tenant_id = $1 AND id = $2', [
      tenant.id,
      system.id,
    ]);
    const answer = await bulk([
      { id: group.id, addUserIds: [userIds[0], 999_999_999] },
      { id: system.id, occToken: 77, addUserIds: [userIds[0]] },
    ]);
    expect(refusalsOf(answer)).toEqual([
      [
        group.id,
        'groupMembers[0].occToken: REQUIRED_FIELD Send the occToken that the form gave.',
        'groupMembers[0].addUserIds[1]: UNKNOWN_REFERENCE There is no user 999999999.',
      ],
      [system.id, 'groupMembers[1].id: FORBIDDEN The system account and system groups cannot be changed.'],
    ]);
    expect(answer).toMatchObject({ successGroups: [], concurrencyErrorGroups: [] });
    expect(await memberIds(group.id!)).toEqual([]);
  });

  test('each of many refused groups has a reason, also where not all reasons are listed', async () => {
    const unknown = Array.from({ length: 300 }, (_, at) => 999_000_000 + at);
    const groups = [await create({ name: 'Many 1' }), await create({ name: 'Many 2' })];
    const { refusedGroups } = await bulk(groups.map(({ id, occToken }) => ({ id, occToken, addUserIds: unknown })));
    expect(refusedGroups!.map(({ validationErrors }) => validationErrors!.list!.length)).toEqual([100, 1]);
  });

  test('of fifty bulk edits with one token one wins; counts stay exact in any interleaving', async () => {
    const group = await create({ name: 'Bulk race' });
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        bulk([{ id: group.id, occToken: group.occToken, addUserIds: [userIds[n % 12]] }]),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.successGroups!.length === 1)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.concurrencyErrorGroups!.length === 1)).toHaveLength(49);
    expect((await form(group.id!)).membersCount).toBe(1);

    const groups = await Promise.all(Array.from({ length: 4 }, (_, n) => create({ name: `Mixed ${n}` })));
    const ids = groups.map((made) => made.id!);
    const leavers = await tenant.users(Array.from({ length: 6 }, () => ({ lastName: 'Leaver' })));
    await Promise.allSettled([
      ...Array.from({ length: 40 }, async (_, n) => {
        const order = n % 2 ? ids : [...ids].reverse();
        const views = await loadGroupViews(tenant.admin.db, order);
        const some = [...userIds, ...leavers];
        return bulk(
          order.map((id) => ({
            id,
            occToken: views.get(id)!.occToken,
            addUserIds: some.filter((_, at) => (at + n) % 3 === 0),
            deleteUserIds: some.filter((_, at) => (at + n) % 4 === 0),
          })),
        );
      }),
      ...leavers.map((userId) => call('deleteUser', tenant.admin, { params: { userId } })),
      ...ids.map(async (id) =>
        edit(id, { name: 'Mixed', occToken: (await form(id)).occToken, memberIds: userIds.slice(0, 5) }),
      ),
    ]);
    await expectExactCounts();
  });
});

describe('lists', () => {
  test('members come by last name, first name and id, page by page', async () => {
    const { groupId } = await create({ name: 'Paged', memberIds: userIds });
    const seen: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await call('listGroupsMembers', tenant.admin, {
        params: { groupId: groupId! },
        body: { pageSize: 5, calculateTotalItemsCount: true, ...(pageToken && { pageToken }) },
      });
      expect(page.totalItemsCount).toBe(12);
      seen.push(...page.items!.map((item) => `${item.lastName} ${item.firstName}`));
      pageToken = page.nextPageToken;
    } while (pageToken);
    expect(seen).toEqual([...seen].sort((a, b) => compareSortKeys(a.toLowerCase(), b.toLowerCase())));
    expect(new Set(seen).size).toBe(12);
    const { groupId: otherId } = await create({ name: 'Other', memberIds: userIds });
    const first = await call('listGroupsMembers', tenant.admin, {
      params: { groupId: groupId! },
      body: { pageSize: 1 },
    });
    const moved = call('listGroupsMembers', tenant.admin, {
      params: { groupId: otherId! },
      body: { pageToken: first.nextPageToken },
    });
    expect(await refusal(moved)).toMatchObject({ code: 'PAGE_TOKEN_FILTERS_CHANGED' });
  });

  test('every filter and order answers as its plain statement', async () => {
    const own = await portal.tenant();
    const members = await own.users([{ lastName: 'One' }, { lastName: 'Two' }]);
    const names = ['Équipe', 'equipe', 'Zulu', 'a_b', '100% team', '開発', 'alpha beta'];
    const [creator] = await own.sql<{ id: string }>('SELECT id FROM users WHERE tenant_id = $1 AND system_account', [
      own.id,
    ]);
    const workspaces: number[] = [];
    for (const name of ['w1', 'w2']) {
      const [row] = await own.sql<{ id: string }>(
        'INSERT INTO workspaces (tenant_id, name, creator_id, modifier_id) VALUES ($1, $2, $3, $3) RETURNING id',
        [own.id, name, creator!.id],
      );
      workspaces.push(Number(row!.id));
    }
    const groups = fc.sample(
      fc.record({
        name: fc.constantFrom(...names),
        email: fc.boolean(),
        members: fc.subarray([0, 1]),
        workspaces: fc.subarray([0, 1]),
        managesUsers: fc.boolean(),
        managesWorkplace: fc.boolean(),
        deleted: fc.boolean(),
      }),
      40,
    );
    const stored = await own.write('access', async (write) => {
      const made = [];
      for (const [n, group] of groups.entries()) {
        const email = group.email ? `Team${n}@${group.name.length % 2 ? 'odd' : 'even'}.example` : null;
        const { name, managesUsers, managesWorkplace } = group;
        const id = await createGroupRecord(write, {
          name,
          email,
          managesUsers,
          managesWorkplace,
          memberIds: group.members.map((at) => members[at]!),
          tags: [{ name: 'seen' }, { name: 'hidden', visible: false }],
        });
        made.push({ ...group, id, email });
      }
      return made;
    });
    for (const group of stored) {
      for (const at of group.workspaces) {
        await own.sql('INSERT INTO workspace_members (tenant_id, workspace_id, principal) VALUES ($1, $2, $3)', [
          own.id,
          workspaces[at],
          -group.id,
        ]);
      }
      if (group.deleted) await call('deleteGroup', own.admin, { params: { groupId: group.id } });
    }
    const model = (filters: ListSystemGroupsRequest, orderTypeId: string, desc: boolean) => {
      const key = (text: string | null) => (text === null ? null : sortKeyWithTies(text));
      const compare = (a: string | null, b: string | null) => {
        if (a !== null && b !== null) return compareSortKeys(a, b) * (desc ? -1 : 1);
        return Number(a === null) - Number(b === null);
      };
      return stored
        .filter((group) => {
          const status = group.deleted ? GroupStatus.DELETED : GroupStatus.ACTIVE;
          return (
            (filters.statusFilter?.length
              ? filters.statusFilter.map((code) => code || GroupStatus.ACTIVE).includes(status)
              : !group.deleted) &&
            matchesSearch(searchDocument([group.name, group.email ?? '']), searchTerms(filters.fullTextFilter ?? '')) &&
            (!filters.workspaceIds?.length ||
              group.workspaces.some((at) => filters.workspaceIds!.includes(workspaces[at]!))) &&
            !group.members.some((at) => members[at] === filters.excludeGroupByMemberUserId) &&
            (filters.adminCapabilities ?? []).every((right) =>
              right === 'manageUsers' ? group.managesUsers : group.managesWorkplace,
            )
          );
        })
        .sort(
          (a, b) =>
            (orderTypeId === 'email' ? compare(key(a.email), key(b.email)) : 0) ||
            compare(key(a.name), key(b.name)) ||
            (a.id - b.id) * (desc ? -1 : 1),
        )
        .map((group) => group.id);
    };
    const filters = fc.record(
      {
        fullTextFilter: fc.constantFrom(
          '',
          'equipe',
          'ÉQUIPE',
          'team1',
          'odd',
          '_',
          '%',
          '100%',
          '開',
          'al be',
          'none',
        ),
        statusFilter: fc.subarray([ACTIVE_STATUS_TOO, ...Object.values(GroupStatus)]),
        workspaceIds: fc.subarray([...workspaces, 999_999_999]),
        excludeGroupByMemberUserId: fc.constantFrom(...members, 999_999_999),
        adminCapabilities: fc.subarray(['manageUsers', 'manageDigitalWorplace'] as const),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.constantFrom('name', 'email', undefined),
        fc.constantFrom(true, false, undefined),
        fc.constantFrom(1, 3, 50),
        async (drawn, orderTypeId, orderDesc, pageSize) => {
          const request = {
            ...drawn,
            ...(orderTypeId && { orderTypeId }),
            ...(orderDesc !== undefined && { orderDesc }),
          } as ListSystemGroupsRequest;
          const wanted = model(request, orderTypeId ?? 'name', orderDesc ?? true);
          const ids: number[] = [];
          let pageToken: string | undefined;
          do {
            const page = await call('listSystemGroups', own.admin, {
              body: { ...request, pageSize, calculateTotalItemsCount: true, ...(pageToken && { pageToken }) },
            });
            expect(page.totalItemsCount).toBe(wanted.length);
            for (const item of page.items!) {
              ids.push(item.id!);
              expect(item.tags!.map((tag) => tag.name)).toEqual(['seen', 'hidden']);
              expect(item.checkUserMemberResult).toBe(false);
            }
            pageToken = page.nextPageToken;
          } while (pageToken);
          expect(ids).toEqual(wanted);
        },
      ),
      { numRuns: 120 },
    );
    const view = (await loadGroupViews(own.admin.db, [stored[0]!.id])).get(stored[0]!.id)!;
    expect(view.tags!.map((tag) => tag.name)).toEqual(['seen']);
    expect(
      await refusal(call('listSystemGroups', own.admin, { body: { orderTypeId: 'size' as 'name' } })),
    ).toMatchObject({
      faults: ['orderTypeId: UNKNOWN_ORDER'],
    });
  });
});
