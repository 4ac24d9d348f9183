/** Lists of posts over HTTP: request bodies, faults, operators, orders, and the cost of a page. */
import {
  FieldType,
  FilterType,
  operatorsByFieldType,
  type PostSummaryGroup,
  postListFields,
  postOrders,
  type SummarisePostsRequest,
} from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listPosts } from './list/list-posts.ts';
import {
  ALL_LINKS,
  definition,
  detail,
  everyValue,
  fieldId,
  hashtagId,
  list,
  make,
  manager,
  openReading,
  outsider,
  PREFIX,
  portal,
  reader,
  START,
  stateId,
  tenant,
} from './reading-portal.fixture.ts';
import { summarisePosts } from './summary/summarise-posts.ts';

beforeAll(openReading);
afterAll(() => portal.close());

describe('list', () => {
  test('takes the complete body of the usual client: nulls, empty lists and false filter nothing', async () => {
    for (let count = 0; count < 5; count++) await make();
    const id = await make();
    const body = {
      pageToken: null,
      pageSize: 2,
      calculateTotalItemsCount: true,
      orderBy: 'postLastModifyAndCommentTimestamp',
      orderDesc: true,
      pinnedFirst: true,
      communityPostFilters: {
        followedByMe: null,
        createdByUserIds: null,
        createdByGroupIds: null,
        title: null,
        description: null,
        creationTimestampFrom: null,
        creationTimestampTo: null,
        modifiedTimestampFrom: null,
        modifiedTimestampTo: null,
        mentioned: false,
        toManage: null,
        postTypes: [],
        postSurveyTypes: null,
        visibility: null,
        acknowledgeTaskFilter: null,
        hashtagIds: [],
        currentWorkflowStatusIds: [],
        postFieldFilters: [],
        screenFieldFilters: [],
      },
      communityAttachmentFilters: {
        name: null,
        createdByUserId: null,
        mimeTypes: null,
        mimeTypeCategory: null,
        types: null,
        excludeFilePickers: false,
        modifiedTimestampFrom: null,
        modifiedTimestampTo: null,
        hashtagIds: [],
      },
    };
    const first = await list(manager, body, '?loadPostDetails=true&loadCapabilities=true');
    expect(first.status).toBe(200);
    expect(first.body.items[0]).toMatchObject({
      id,
      workflowStateDescription: 'Open',
      workflowStateColor: '#12fea4',
      capabilities: { canModify: true, workflowPermittedOperations: [{ name: 'again' }] },
    });
    expect(first.body.totalItemsCount).toBe((await list(manager, { pageSize: 500 })).body.items.length);
    expect((await list(manager, { ...body, pageToken: first.body.nextPageToken })).status).toBe(200);
    expect(
      (await list(manager, { ...body, pageToken: first.body.nextPageToken, pageSize: 3 })).body.items,
    ).toHaveLength(3);
    const others = await list(manager, { ...body, orderDesc: false, pageToken: first.body.nextPageToken });
    expect(others.body).toMatchObject({ code: 'PAGE_TOKEN_FILTERS_CHANGED' });
    expect((await list(reader, { ...body, pageToken: first.body.nextPageToken })).status).toBe(400);
    expect((await list(manager, { pageToken: 'nonsense' })).body).toMatchObject({ code: 'PAGE_TOKEN_INVALID' });
    expect((await list(manager, { pageSize: 0 })).status).toBe(400);
    expect((await list(outsider)).status).toBe(404);
  });

  test('loads and sends the members that `fields` names, and runs no statement for others', async () => {
    const id = await make({ customData: everyValue(await make(), await make({ visibility: 1 })).stored });
    const int = fieldId(FieldType.INT);
    const entry = fieldId(FieldType.GENERIC_ENTITY_LIST);
    const whole = (await list(reader, { postId: id })).body.items[0];
    portal.takeStatements();
    const some = await list(reader, { postId: id }, `?fields=title,currentWorkflowState,customData.${int}`);
    expect(some.body.items).toEqual([
      {
        id,
        title: whole.title,
        currentWorkflowState: whole.currentWorkflowState,
        customData: { [int]: whole.customData[int] },
      },
    ]);
    const sent = portal.takeStatements();
    expect(sent.filter((text) => /description_delta|post_user_state|post_view_counts|post_likes/.test(text))).toEqual(
      [],
    );
    await list(reader, { postId: id });
    // People, entries and posts that the other posts refer to.
    expect(portal.takeStatements().length).toBeGreaterThan(sent.length + 2);
    // References include only posts that the caller sees.
    const referred = await list(reader, { postId: id }, `?fields=customData.${entry}&loadCapabilities=true`);
    expect(referred.body.items).toEqual([{ id, customData: { [entry]: whole.customData[entry] } }]);
    const both = await detail(reader, id, `?fields=hashtags,currentWorkflowScreenData,customData.${int}`);
    expect(both.body).toEqual({
      id,
      hashtags: [],
      currentWorkflowScreenData: {},
      customData: { [int]: whole.customData[int] },
    });
    const wrong = await list(reader, {}, '?fields=titel,customData.x,title.id,watchers');
    expect(wrong.status).toBe(400);
    expect(
      wrong.body.validationErrors.list.map((error: { code: string; field: string }) => [error.code, error.field]),
    ).toEqual(Array(4).fill(['UNRECOGNIZED_FIELD', 'fields']));
    expect(wrong.body.validationErrors.list[0].defaultMessage).toContain('the nearest is title');
    expect(wrong.body.validationErrors.list[0].args).toEqual([...postListFields, 'customData.{field id}']);
    const unknown = {
      code: 'UNKNOWN_FIELD',
      field: 'fields',
      customFieldId: 999_999,
      args: expect.arrayContaining([int]),
    };
    expect((await list(reader, {}, '?fields=customData.999999')).body.validationErrors.list[0]).toMatchObject(unknown);
    expect((await detail(reader, id, '?fields=customData.999999')).body.validationErrors.list[0]).toMatchObject(
      unknown,
    );
    expect((await detail(outsider, id, '?fields=customData.999999')).status).toBe(404);
    expect((await list(outsider, {}, '?fields=customData.999999')).status).toBe(404);
  });

  test('names what is possible when a field, an operator, a parameter or an order is not', async () => {
    const hidden = definition.fields.find((field) => field.label === 'hidden')!.id;
    const faults = async (filter: object) =>
      (await list(reader, { communityPostFilters: { postFieldFilters: [filter] } })).body.validationErrors.list[0];
    const path = 'communityPostFilters.postFieldFilters[0]';
    expect(await faults({ columnId: hidden, typeId: 1, parameters: [1] })).toMatchObject({
      code: 'FIELD_NOT_SEARCHABLE',
      field: `${path}.columnId`,
      args: expect.arrayContaining([fieldId(FieldType.INT)]),
    });
    expect(await faults({ columnId: 999_999, typeId: 1, parameters: [1] })).toMatchObject({
      code: 'UNKNOWN_FIELD',
      field: `${path}.columnId`,
    });
    expect(
      (await faults({ columnId: fieldId(FieldType.FLAG), typeId: FilterType.LIKE, parameters: ['a'] })).defaultMessage,
    ).toContain('EQUAL');
    expect(await faults({ columnId: fieldId(FieldType.INT), typeId: 1, parameters: ['one'] })).toMatchObject({
      code: 'INVALID_VALUE',
      field: `${path}.parameters`,
    });
    expect(await faults({ columnId: fieldId(FieldType.INT), typeId: 2, parameters: [1] })).toMatchObject({
      field: `${path}.parameters`,
    });
    expect(await faults({ columnId: fieldId(FieldType.ENUM), typeId: 4, parameters: [{ id: 1 }] })).toMatchObject({
      field: `${path}.parameters`,
    });
    const order = await list(reader, { orderBy: `postCustomField-${fieldId(FieldType.ENUM_LIST)}` });
    expect(order.body.validationErrors.list[0]).toMatchObject({
      code: 'FIELD_NOT_SORTABLE',
      field: 'orderBy',
      args: expect.arrayContaining([fieldId(FieldType.INT)]),
    });
  });

  test.each(Object.entries(FieldType))(
    'every operator of type %s finds the post that fits and no other',
    async (name, type) => {
      if (type === FieldType.HIERARCHICAL_ENUM) return;
      const other = await make();
      const values = everyValue(other, other - 1).stored;
      const id = await make({ customData: values });
      const value = values[String(fieldId(type))]!;
      const single = type === FieldType.DELTA_AREA ? 'rich' : value;
      const parameter = Array.isArray(value) ? value[0] : single;
      const parameters: Record<number, unknown[]> = {
        [FilterType.INTERVAL]: [parameter, null],
        [FilterType.IS_EMPTY]: [],
      };
      for (const typeId of operatorsByFieldType[type]) {
        const filter = { columnId: fieldId(type), typeId, parameters: parameters[typeId] ?? [parameter] };
        const { status, body } = await list(reader, {
          postFieldFilters: [filter],
          creationTimestampFrom: START + other * 1000,
        });
        expect(status, `${name} ${typeId}`).toBe(200);
        const ids = body.items
          .map((item: { id: number }) => item.id)
          .filter((found: number) => found === id || found === other);
        const noList = type === FieldType.GENERIC_ENTITY_LIST && typeId === FilterType.EQUAL;
        let expected = noList ? [] : [id];
        if (typeId === FilterType.IS_NULL_OR_IN) expected = [id, other];
        if (typeId === FilterType.IS_EMPTY) expected = [other];
        expect(ids, `${name} ${typeId}`).toEqual(expected);
      }
    },
  );

  test.each(postOrders)('order %s is taken in both directions, and by its old name', async (orderBy) => {
    for (const orderDesc of [true, false]) expect((await list(reader, { orderBy, orderDesc })).status).toBe(200);
    const old =
      orderBy === 'postScheduledPublication'
        ? 'scheduled_publication'
        : `${orderBy[4]!.toLowerCase()}${orderBy.slice(5)}`;
    const answer = await tenant.request(reader, 'POST', `${PREFIX}/community-list/${definition.id}`, { orderBy: old });
    expect(answer.status).toBe(200);
  });

  test('takes the flat filters of the older list', async () => {
    const id = await make({ type: 2, title: 'Übung' });
    const body = {
      title: 'ubung',
      postType: 2,
      customFieldFilters: [{ columnId: fieldId(FieldType.INT), typeId: FilterType.IS_EMPTY }],
      calculateTotalItemsCount: true,
    };
    const answer = await tenant.request(reader, 'POST', `${PREFIX}/community-list/${definition.id}`, body);
    expect(answer.body).toMatchObject({ items: [{ id }], totalItemsCount: 1 });
    const none = await tenant.request(reader, 'POST', `${PREFIX}/community-list/${definition.id}`, {
      ...body,
      attachmentHashtagIds: [hashtagId],
    });
    expect(none.body.items).toEqual([]);
  });

  test('a page of 20 with all flags costs a fixed number of statements', async () => {
    for (let count = 0; count < 30; count++) await make({ customData: everyValue(1, 2).stored });
    const scope = await tenant.scope(manager);
    let sent = 0;
    const query = <R>(text: string, values?: readonly unknown[]) => {
      sent++;
      return scope.db.query<R>(text, values);
    };
    const db: TenantDb = { ...scope.db, query, pipeline: (work) => work(db) };
    const counted = async (pageSize: number, filters: object = {}) => {
      const page = () =>
        listPosts(
          { ...scope, db },
          'listCommunityPostsFiltered',
          definition.id,
          { pageSize, ...filters },
          { ...ALL_LINKS, loadCapabilities: true },
        );
      // The first page fills the memory of definitions, catalogs and counts.
      await page();
      sent = 0;
      expect((await page()).items).toHaveLength(pageSize);
      return sent;
    };
    // Ids; rows with counts, marks, main attachments and covers; people; catalog entries; referred posts.
    expect(await counted(20)).toBe(5);
    expect(await counted(5)).toBe(5);
    expect(await counted(26)).toBe(5);
    expect(await counted(20, { createdByUserIds: [manager] })).toBe(5);
    expect(await counted(20, { calculateTotalItemsCount: true })).toBe(6);
    // Objects named by filters on references are looked up once, at any position.
    const references = [
      { columnId: fieldId(FieldType.GENERIC_ENTITY_LIST), typeId: FilterType.IS_NULL_OR_IN, parameters: [1, 2] },
    ];
    expect(await counted(20, { postFieldFilters: references })).toBe(6);
    const twice = { postFieldFilters: references, communityPostFilters: { postFieldFilters: references } };
    expect(await counted(20, twice)).toBe(6);
  });

  test('paging while posts are made and edited shows each unchanged post once', async () => {
    const before: number[] = [];
    for (let count = 0; count < 30; count++)
      before.push(await make({ title: 'steady', activeAt: START + (count % 5) }));
    const db = portal.services.databases.for(tenant.tenant.id);
    const seen: number[] = [];
    let pageToken: string | undefined;
    do {
      const { body } = await list(reader, { title: 'steady', pageSize: 4, ...(pageToken && { pageToken }) });
      seen.push(...body.items.map((item: { id: number }) => item.id));
      pageToken = body.nextPageToken;
      await make({ title: 'steady', activeAt: START + 2 });
      await db.execute('UPDATE posts SET description_text = $2 WHERE tenant_id = $1 AND id = $3', [
        db.tenantId,
        `edit ${seen.length}`,
        before[seen.length % 30],
      ]);
    } while (pageToken);
    for (const id of before) expect(seen.filter((found) => found === id)).toHaveLength(1);
  });
});

describe('summary', () => {
  const summary = (user: number, body: object = {}) =>
    tenant.request(user, 'POST', `${PREFIX}/summary/community/${definition.id}`, body);
  const int = () => `postCustomField-${fieldId(FieldType.INT)}`;

  test('names states, people, hashtags, values and periods, and adds up what the caller sees', async () => {
    const choice = everyValue(await make(), await make()).stored[fieldId(FieldType.ENUM)]!;
    const at = Date.UTC(2031, 0, 31, 23, 30);
    const one = {
      createdAt: at,
      hashtagIds: [hashtagId],
      customData: { [fieldId(FieldType.INT)]: 5, [fieldId(FieldType.ENUM)]: choice },
    };
    const ids = [await make(one), await make({ ...one, createdAt: at + 3_600_000, stateId: null, visibility: 1 })];
    const grouped = async (user: number, ...groupBy: string[]) =>
      (await summary(user, { postIds: ids, groupBy, measure: 'sum', measureOf: int() })).body;
    expect(await grouped(manager, 'currentWorkflowState', 'hashtags')).toMatchObject({
      groups: [
        {
          keys: [
            { value: String(stateId), name: 'Open' },
            { value: String(hashtagId), name: 'tag' },
          ],
          postsCount: 1,
          value: 5,
        },
        { keys: [{}, { value: String(hashtagId), name: 'tag' }], postsCount: 1, value: 5 },
      ],
      postsCount: 2,
      value: 10,
      bounded: false,
    });
    expect((await grouped(manager, `postCustomField-${fieldId(FieldType.ENUM)}`, 'creatorUser')).groups).toEqual([
      {
        keys: [
          { value: String(choice), name: 'Own' },
          { value: String(manager), name: 'Ada Manager' },
        ],
        postsCount: 2,
        value: 10,
      },
    ]);
    expect(await grouped(reader, 'creatorUser')).toMatchObject({ postsCount: 1, value: 5 });
    const months = async () =>
      (await grouped(manager, 'creationTimestamp.month')).groups.map((group: PostSummaryGroup) => [
        group.keys![0]!.value,
        group.postsCount,
      ]);
    await portal.services.databases
      .for(tenant.tenant.id)
      .execute('UPDATE users SET timezone = $2 WHERE tenant_id = $1', [tenant.tenant.id, 'UTC']);
    expect(await months()).toEqual([
      ['2031-02-01', 1],
      ['2031-01-01', 1],
    ]);
    await portal.services.databases
      .for(tenant.tenant.id)
      .execute('UPDATE users SET timezone = $2 WHERE tenant_id = $1', [tenant.tenant.id, 'US/Pacific']);
    expect(await months()).toEqual([['2031-01-01', 2]]);
    expect((await summary(outsider)).status).toBe(404);
  });

  test('measures the time since the last change of the state', async () => {
    const id = await make({ createdAt: START });
    const mean = async () =>
      (await summary(manager, { postId: id, measure: 'mean', measureOf: 'timeInState' })).body.value;
    const before = await mean();
    expect(before).toBeGreaterThan(0);
    await portal.services.databases.for(tenant.tenant.id).execute(
      `INSERT INTO history_events (tenant_id, post_id, community_id, type_id, at, author_id, details)
       VALUES ($1, $2, $3, 2, $4, $5, '{"changedParts": ["workflowState"]}')`,
      [tenant.tenant.id, id, definition.id, new Date(START + 60_000), manager],
    );
    expect(Math.abs(before - (await mean()) - 60_000)).toBeLessThan(30_000);
    expect(
      (await summary(manager, { postId: await make({ stateId: null }), measure: 'mean', measureOf: 'timeInState' }))
        .body,
    ).not.toHaveProperty('value');
  });

  test('adds up the groups beyond the limit, and reads the newest posts beyond theirs', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 103; index++) {
      const createdAt = Date.UTC(2040, 0, 1 + index);
      ids.push(await make({ createdAt, customData: { [fieldId(FieldType.INT)]: index } }));
    }
    const body = { postIds: ids, groupBy: ['creationTimestamp.day'], measure: 'mean', measureOf: int() };
    const { body: whole } = await summary(manager, body);
    expect(whole.groups).toHaveLength(100);
    expect(whole).toMatchObject({ other: { groupsCount: 3, postsCount: 3, value: 1 }, postsCount: 103, value: 51 });
    const scope = await tenant.scope(manager);
    expect(
      await summarisePosts(scope, definition.id, { ...body, measure: 'least', groupBy: [] } as SummarisePostsRequest, {
        posts: 100,
      }),
    ).toMatchObject({
      groups: [],
      postsCount: 100,
      value: 3,
      bounded: true,
    });
  });

  test.each([
    [{ groupBy: ['nothing'] }, 'groupBy[0]', 'INVALID_VALUE'],
    [{ groupBy: ['creationTimestamp'] }, 'groupBy[0]', 'INVALID_VALUE'],
    [{ groupBy: ['postCustomField-999999'] }, 'groupBy[0]', 'UNKNOWN_FIELD'],
    [{ groupBy: ['type', 'type'] }, 'groupBy[1]', 'INVALID_VALUE'],
    [{ groupBy: ['type', 'hashtags', 'creatorUser'] }, 'groupBy', 'TOO_MANY_ITEMS'],
    [{ measure: 'sum' }, 'measureOf', 'REQUIRED_FIELD'],
    [{ measure: 'sum', measureOf: 'postCustomField-999999' }, 'measureOf', 'UNKNOWN_FIELD'],
    [{ measureOf: 'timeInState' }, 'measureOf', 'INVALID_VALUE'],
  ])('refuses %j', async (body, field, code) => {
    const answer = await summary(manager, body);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.validationErrors.list).toMatchObject([{ field, code }]);
  });

  test('refuses groups by references to posts, and names faults of filters and groupings together', async () => {
    const groupBy = [`postCustomField-${fieldId(FieldType.GENERIC_ENTITY_LIST)}`];
    const answer = await summary(manager, {
      groupBy,
      postFieldFilters: [{ columnId: 999_999, typeId: FilterType.IS_EMPTY }],
    });
    expect(answer.body.validationErrors.list.map(({ field }: { field: string }) => field)).toEqual([
      'groupBy[0]',
      'postFieldFilters[0].columnId',
    ]);
  });
});
