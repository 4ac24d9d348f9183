/** Compares the list of users with a naive implementation of every filter and order. */
import {
  ACTIVE_STATUS_TOO,
  AdminCapability,
  type ListSystemUsersRequest,
  LoginProvider,
  timeZoneId,
  type UserOrder,
  UserStatus,
  userOrders,
} from '@portico/contract';
import { declarations } from '@portico/contract/schemas';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Parameters } from '../../../kernel/access/index.ts';
import { call, openPeoplePortal, type PeoplePortal, type PeopleTenant, refusal } from './people.fixture.ts';
import { type Crowd, DAY, drawCrowd, modelOfList, START } from './random-people.fixture.ts';
import { captionSearchSql, userFilterSql } from './user-filters.ts';

let portal: PeoplePortal;
let tenant: PeopleTenant;
let crowd: Crowd;

beforeAll(async () => {
  portal = await openPeoplePortal();
  tenant = await portal.tenant();
  crowd = await drawCrowd(tenant);
});
afterAll(() => portal.close());

const model = (filters: ListSystemUsersRequest, order: UserOrder, desc: boolean) =>
  modelOfList(crowd.people, filters, order, desc);

async function listed(request: ListSystemUsersRequest): Promise<number[]> {
  const ids: number[] = [];
  let pageToken: string | undefined;
  do {
    const page = await call('listSystemUsers', tenant.admin, {
      body: { ...request, calculateTotalItemsCount: true, ...(pageToken && { pageToken }) },
    });
    ids.push(...page.items!.map((item) => item.id!));
    pageToken = page.nextPageToken;
    if (!pageToken) expect(page.totalItemsCount).toBe(ids.length);
  } while (pageToken);
  return ids;
}

/** Every filter, with values that match some users, none and all. */
function filterArbitraries(): { [K in keyof ListSystemUsersRequest]?: fc.Arbitrary<ListSystemUsersRequest[K]> } {
  const { people, areaIds, unitIds, workspaceIds, communityIds, groupIds } = crowd;
  const day = fc.nat(30).map((n) => START + n * DAY);
  const text = (...words: string[]) => fc.constantFrom('', ' ', 'nobody at all', '%', '_', ...words);
  return {
    fullTextFilter: text(
      'anna',
      'ANNA ROSSI',
      'ross',
      'oss',
      'mail1',
      'esempio',
      '李',
      '小明',
      'strasse',
      'o%n',
      'a_b',
      'an',
      'van rossum',
    ),
    firstNamePrefixFullTextFilter: text('a', 'ann', 'Anna m', 'zoe', 'ø', '李', 'o%', '_u'),
    lastNamePrefixFullTextFilter: text('r', 'RÒSS', 'van', 'strass', '王', 'a_'),
    emailPrefixFullTextFilter: text('mail', 'MAIL1', 'unde', 'x'),
    externalAuthServiceEmailFullTextFilter: text('gmail', 'G1', 'live.example', 'm2'),
    statusFilter: fc.subarray([ACTIVE_STATUS_TOO, ...Object.values(UserStatus)]),
    workspaceIds: fc.subarray([...workspaceIds, 999_999_999]),
    communityIds: fc.subarray([...communityIds, 999_999_999]),
    groupIds: fc.subarray([...groupIds, 999_999_999]),
    roleIds: fc.subarray([1, 2, 3, 999_999_999]),
    businessUnitIds: fc.subarray([...unitIds, 999_999_999]),
    areaIds: fc.subarray([...areaIds, 999_999_999]),
    place: text('torino', 'arhus', 'piazza dante', '50%', 'ant', 'di'),
    creationTimestampFrom: day,
    creationTimestampTo: day,
    lastAccessTimestampFrom: day,
    lastAccessTimestampTo: day,
    externalIdFullTextFilter: text('ext', '%E', '-1', 'e'),
    personalEmailFullTextFilter: text('home1', 'PRIVATO', '@'),
    role: text('ingenieur', 'eng', '&', 'a_b', 'a'),
    managerIds: fc.subarray([...new Set(people.flatMap((person) => person.managerId ?? []))]),
    lang: fc.oneof(fc.subarray(['it', 'en', 'ja']), fc.constantFrom('it', 'en')) as fc.Arbitrary<string[]>,
    timeZoneIds: fc.subarray([timeZoneId('Europe/Rome')!, timeZoneId('UTC')!, timeZoneId('Asia/Tokyo')!, 99_999]),
    loginProviderFilter: fc.oneof(
      fc.subarray(Object.values(LoginProvider)),
      fc.constantFrom(...Object.values(LoginProvider)),
    ) as fc.Arbitrary<string[]>,
    peopleSectionEnabled: fc.boolean(),
    visibleInPeopleSection: fc.boolean(),
    reducedProfile: fc.boolean(),
    viewUserProfiles: fc.boolean(),
    adminCapabilities: fc.subarray(Object.values(AdminCapability)),
  };
}

describe('list of users', () => {
  test('every filter alone answers as its plain statement', async () => {
    for (const [name, arbitrary] of Object.entries(filterArbitraries())) {
      for (const value of fc.sample(arbitrary as fc.Arbitrary<unknown>, 14)) {
        const filters = { [name]: value } as ListSystemUsersRequest;
        expect(await listed({ ...filters, pageSize: 500 }), JSON.stringify(filters)).toEqual(
          model(filters, 'lastName', false),
        );
      }
    }
  });

  test('the model exercises every filter of the contract', () => {
    const other = ['pageToken', 'pageSize', 'calculateTotalItemsCount', 'orderTypeId', 'orderDesc', 'includeAccess'];
    const declared = Object.keys(declarations.ListSystemUsersRequest.fields).filter((name) => !other.includes(name));
    expect(Object.keys(filterArbitraries()).sort()).toEqual(declared.sort());
  });

  test('filters combine by AND, in every order and page size', async () => {
    const filters = fc
      .record(filterArbitraries() as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] })
      .map((drawn) =>
        // Few at a time, since otherwise no user would match.
        Object.fromEntries(Object.entries(drawn).filter((_, index) => index % 6 === 0)),
      );
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.constantFrom(...userOrders),
        fc.boolean(),
        fc.constantFrom(1, 2, 7, 50),
        async (drawn, orderTypeId, orderDesc, pageSize) => {
          const request = drawn as ListSystemUsersRequest;
          const wanted = model(request, orderTypeId, orderDesc);
          const size = wanted.length > 30 ? Math.max(pageSize, 7) : pageSize;
          expect(await listed({ ...request, orderTypeId, orderDesc, pageSize: size })).toEqual(wanted);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('every order in both directions is complete over pages of three', async () => {
    for (const orderTypeId of userOrders) {
      for (const orderDesc of [false, true]) {
        const ids = await listed({ orderTypeId, orderDesc, pageSize: 3 });
        expect(ids, `${orderTypeId} ${orderDesc}`).toEqual(model({}, orderTypeId, orderDesc));
      }
    }
  });

  test('without an order: last name, first name, id, ascending; totals only on request', async () => {
    const page = await call('listSystemUsers', tenant.admin, { body: { pageSize: 500 } });
    expect(page.items!.map((item) => item.id)).toEqual(model({}, 'lastName', false));
    expect(page).not.toHaveProperty('totalItemsCount');
    expect(page).not.toHaveProperty('nextPageToken');
  });

  test('refuses unknown orders, codes and words by name, and tokens of other filters', async () => {
    const list = (body: object) => call('listSystemUsers', tenant.admin, { body: body as ListSystemUsersRequest });
    expect(await refusal(list({ orderTypeId: 'shoeSize' }))).toMatchObject({
      status: 400,
      faults: ['orderTypeId: UNKNOWN_ORDER'],
    });
    expect(await refusal(list({ orderTypeId: 'toString' }))).toMatchObject({ status: 400 });
    expect(await refusal(list({ statusFilter: [9] }))).toMatchObject({ faults: ['statusFilter[0]: INVALID_VALUE'] });
    expect(await refusal(list({ loginProviderFilter: ['x'] }))).toMatchObject({
      faults: ['loginProviderFilter[0]: INVALID_VALUE'],
    });
    expect(await refusal(list({ adminCapabilities: ['x'] }))).toMatchObject({
      faults: ['adminCapabilities[0]: INVALID_VALUE'],
    });
    expect(await refusal(list({ pageSize: 0 }))).toMatchObject({ faults: ['pageSize: INVALID_VALUE'] });
    const { nextPageToken } = await list({ pageSize: 1 });
    expect(await refusal(list({ pageSize: 1, pageToken: nextPageToken, role: 'x' }))).toMatchObject({
      code: 'PAGE_TOKEN_FILTERS_CHANGED',
    });
    expect(await refusal(list({ pageSize: 1, pageToken: nextPageToken, orderDesc: true }))).toMatchObject({
      status: 400,
    });
    const other = await tenant.scope(await tenant.user({ managesUsers: true, lastName: 'Other' }));
    expect(await refusal(call('listSystemUsers', other, { body: { pageToken: nextPageToken } }))).toMatchObject({
      status: 400,
    });
    expect((await list({ pageToken: nextPageToken, pageSize: 4 })).items!.length).toBe(4);
  });

  test('an item tells accounts, ways of signing in, units asked about, manager and employees', async () => {
    const person = crowd.people.find(
      (candidate) => candidate.managerId != null && !candidate.deleted && candidate.areaId != null,
    )!;
    const { items } = await call('listSystemUsers', tenant.admin, {
      body: { areaIds: [person.areaId!], businessUnitIds: [], pageSize: 500 },
    });
    const item = items!.find((candidate) => candidate.id === person.id)!;
    expect(item.checkAreaMemberResult).toBe(true);
    expect(item).not.toHaveProperty('checkBusinessUnitMemberResult');
    expect(item.userProfileInfo!.manager!.id).toBe(person.managerId);
    expect(item.userProfileInfo!.area).toEqual({ id: person.areaId, name: person.areaName });
    const boss = await call('listSystemUsers', tenant.admin, {
      body: { firstNamePrefixFullTextFilter: 'boss', pageSize: 500 },
    });
    const employees = boss.items!.find((candidate) => candidate.id === person.managerId)!.userProfileInfo!.employees!;
    const expected = crowd.people.filter((candidate) => candidate.managerId === person.managerId && !candidate.deleted);
    expect(new Set(employees.map((employee) => employee.id))).toEqual(
      new Set(expected.map((candidate) => candidate.id)),
    );
  });

  test('text filters and prefixes are index conditions for the service, in spite of row security', async () => {
    const many = await portal.tenant();
    await many.users(
      Array.from({ length: 4_000 }, (_, n) => ({
        firstName: `First${(n * 7919) % 4_000}`,
        lastName: `Last${n}`,
        contactEmail: `mail${n}@example.org`,
        privateEmail: `home${n}@example.org`,
        externalId: `ext-${n}`,
        place: `Room ${n}`,
        roleTitle: `Role ${n}`,
        caption: `Caption${n}`,
        googleAccountId: `g${n}@example.org`,
      })),
    );
    await portal.owner.query('VACUUM ANALYZE users');
    await portal.owner.query('VACUUM ANALYZE user_search');
    const explain = (body: ListSystemUsersRequest) => explainWith((parameters) => userFilterSql(body, parameters));
    const explainWith = async (conditionsOf: (parameters: Parameters) => string[]) => {
      const parameters = new Parameters([many.id]);
      const conditions = ['u.tenant_id = $1', ...conditionsOf(parameters)];
      const rows = await many.admin.db.transaction(async (tx) => {
        // Reading a few thousand rows is cheap; the test checks that an index can be used when
        // there are more.
        await tx.query('SET LOCAL enable_seqscan = off');
        return tx.query<Record<string, string>>(
          `EXPLAIN SELECT u.id FROM users u WHERE ${conditions.join(' AND ')}`,
          parameters.values,
        );
      });
      return rows.map((row) => Object.values(row)[0]).join('\n');
    };
    for (const filter of [
      'fullTextFilter',
      'place',
      'role',
      'externalIdFullTextFilter',
      'personalEmailFullTextFilter',
      'externalAuthServiceEmailFullTextFilter',
    ]) {
      expect(await explain({ [filter]: '3999' }), filter).toMatch(/user_search__docs[^\n]*\n\s*Index Cond: .*~~/);
    }
    const captions = await explainWith((parameters) => [
      captionSearchSql([['caption3999', 'captions39'], ['last3999']], parameters),
    ]);
    expect(captions).toMatch(/user_search__caption[^\n]*\n\s*Index Cond: .*~~/);
    for (const filter of [
      'firstNamePrefixFullTextFilter',
      'lastNamePrefixFullTextFilter',
      'emailPrefixFullTextFilter',
    ]) {
      const text =
        { firstNamePrefixFullTextFilter: 'First39', lastNamePrefixFullTextFilter: 'Last399' }[filter] ?? 'mail399';
      expect(await explain({ [filter]: text }), filter).toMatch(/Index Cond: .*_key >= /);
    }
  });
});

test('an account whose user name looks like that of another says so', async () => {
  const other = await portal.tenant();
  const make = (customUsername: string) => other.user({ lastName: 'Alike', customUsername });
  const [admin, dotless, cyrillic, own] = [
    await make('Admin'),
    await make('adm\u0131n'),
    await make('\u0430dmin'),
    await make('jos\u00e9'),
  ];
  const alike = async () => {
    const { items } = await call('listSystemUsers', other.admin, { body: { fullTextFilter: 'Alike' } });
    return new Map(items!.map(({ id, looksLikeUsername }) => [id, looksLikeUsername]));
  };
  const expected = (name?: string): [number, string | undefined][] => [
    [admin, undefined],
    [dotless, name],
    [cyrillic, name],
    [own, undefined],
  ];
  expect(await alike()).toEqual(new Map(expected('Admin')));
  await call('deleteUser', other.admin, { params: { userId: admin } });
  expect(await alike()).toEqual(new Map(expected().slice(1)));
});
