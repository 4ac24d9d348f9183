/** Reading posts over HTTP: detail, list elements, flags, faults, visibility checks, views, and what a page costs. */
import { FieldType, FilterType, operatorsByFieldType, postOrders, sortableFieldTypes } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../testing/index.ts';
import { type LoadedPost, loadPosts, plainPost } from '../../../testing/post-loader.ts';
import { type CommunityDefinition, getDefinition } from '../../communities/index.ts';
import type { StoredValue } from '../values/index.ts';
import { listPosts } from './list/list-posts.ts';

const PREFIX = '/portal/api/external/v2/communication/posts/data';
const START = Date.UTC(2026, 0, 1);
const ALL_LINKS = {
  loadMainAttachmentViewLink: true,
  loadMainAttachmentDownloadLink: true,
  loadMainAttachmentPreviewImageLink: true,
  loadMainAttachmentPreviewImageAnimatedLink: true,
  loadMainAttachmentPreviewImageHiResLink: true,
  loadMainAttachmentPreviewImageHiResAnimatedLink: true,
};

let portal: TestPortal;
let tenant: TestTenant;
let definition: CommunityDefinition;
let manager: number;
let reader: number;
let outsider: number;
let groupId: number;
let entryId: number;
let ownId: number;
let stateId: number;
let hashtagId: number;
const fieldId = (type: FieldType, owner: 'post' | 'screen' = 'post') =>
  (owner === 'post' ? definition.fields : definition.workflow!.fields).find((field) => field.type === type)!.id;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  manager = await tenant.createUser({ firstName: 'Ada', lastName: 'Manager' });
  reader = await tenant.createUser({ firstName: 'Bo', lastName: 'Reader' });
  outsider = await tenant.createUser();
  const db = portal.services.databases.for(tenant.tenant.id);
  const one = async (text: string, values: unknown[]) =>
    (await db.query<{ id: number }>(text, [db.tenantId, ...values]))[0]!.id;
  groupId = await one(`INSERT INTO groups (tenant_id, name, name_key) VALUES ($1, 'team', 'team') RETURNING id`, []);
  const workspaceId = await one(
    `INSERT INTO workspaces (tenant_id, name, creator_id, modifier_id) VALUES ($1, 'w', $2, $2) RETURNING id`,
    [manager],
  );
  const workflowId = await one(`INSERT INTO workflows (tenant_id, title) VALUES ($1, 'wf') RETURNING id`, []);
  const communityId = await one(
    `INSERT INTO communities (tenant_id, workspace_id, workflow_id, name, name_key, creator_id, comments_hidden_from_readers)
     VALUES ($1, $2, $3, 'c', 'c', $4, true) RETURNING id`,
    [workspaceId, workflowId, manager],
  );
  stateId = await one(
    `INSERT INTO workflow_states (tenant_id, workflow_id, name, color, initial) VALUES ($1, $2, 'Open', '#12fea4', true) RETURNING id`,
    [workflowId],
  );
  await one(
    `INSERT INTO workflow_transitions (tenant_id, workflow_id, from_state_id, to_state_id, name, roles) VALUES ($1, $2, $3, $3, 'again', '{1}') RETURNING id`,
    [workflowId, stateId],
  );
  hashtagId = await one(
    `INSERT INTO hashtags (tenant_id, community_id, name, name_key) VALUES ($1, $2, 'tag', 'tag') RETURNING id`,
    [communityId],
  );
  const catalogId = await one(`INSERT INTO catalogs (tenant_id, name) VALUES ($1, '{"en": "k"}') RETURNING id`, []);
  entryId = await one(
    `INSERT INTO catalog_entries (tenant_id, catalog_id, label, label_key, external_id) VALUES ($1, $2, '{"en": "Red", "it": "Rosso"}', 'red', 'R') RETURNING id`,
    [catalogId],
  );
  const metadata = (type: FieldType) =>
    type === FieldType.GENERIC_ENTITY_LIST ? { generic_entity_list_config_id: 'communication.post' } : {};
  for (const type of Object.values(FieldType)) {
    const id = await one(
      `INSERT INTO fields (tenant_id, community_id, catalog_id, type, label, sortable, metadata) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
      [
        communityId,
        type === FieldType.ENUM_LIST ? catalogId : null,
        type,
        `field ${type}`,
        sortableFieldTypes.includes(type),
        JSON.stringify(metadata(type)),
      ],
    );
    if (type === FieldType.ENUM) {
      ownId = await one(
        `INSERT INTO field_enum_values (tenant_id, field_id, label, label_key) VALUES ($1, $2, 'Own', 'own') RETURNING id`,
        [id],
      );
    }
  }
  await one(
    `INSERT INTO fields (tenant_id, community_id, type, label, searchable) VALUES ($1, $2, 1, 'hidden', false) RETURNING id`,
    [communityId],
  );
  await one(
    `INSERT INTO fields (tenant_id, workflow_id, type, label, metadata) VALUES ($1, $2, 15, 'people', '{"generic_entity_list_config_id": "core.user"}') RETURNING id`,
    [workflowId],
  );
  await db.execute(
    `INSERT INTO community_roles (tenant_id, community_id, principal, role_id) VALUES ($1, $2, $3, 1), ($1, $2, $4, 3)`,
    [db.tenantId, communityId, manager, reader],
  );
  definition = (await getDefinition(await tenant.scope(manager), communityId))!;
});
afterAll(() => portal.close());

let lastId = 0;
async function make(given: Partial<LoadedPost> = {}): Promise<number> {
  const id = ++lastId;
  const post = plainPost({
    id,
    creatorId: manager,
    createdAt: START + id * 1000,
    title: `Post ${id}`,
    stateId,
    ...given,
  });
  await loadPosts(portal.services.databases.for(tenant.tenant.id), definition, [post]);
  return id;
}

const detail = (user: number, id: number, query = '') =>
  tenant.request(user, 'GET', `${PREFIX}/post-detail-by-id/${id}${query}`);
const list = (user: number, body: object = {}, query = '') =>
  tenant.request(user, 'POST', `${PREFIX}/list/community/${definition.id}${query}`, body);
const queryOf = (flags: object) =>
  `?${Object.entries(flags)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')}`;

/** A value of each type, stored, and as it is read. */
function everyValue(
  other: number,
  hidden: number,
): { stored: Record<string, StoredValue>; read: Record<string, unknown> } {
  const delta = '[{"insert":"rich\\n"}]';
  const pairs: [FieldType, StoredValue, unknown][] = [
    [FieldType.INT, 7, 7],
    [FieldType.BIGINT, '9223372036854775807', '9223372036854775807'],
    [FieldType.DECIMAL, 1.5, 1.5],
    [FieldType.DATE, START, START],
    [FieldType.DATETIME, START + 5, START + 5],
    [FieldType.STRING, 'text', 'text'],
    [FieldType.ENUM, ownId, ownId],
    [
      FieldType.ENUM_LIST,
      [entryId],
      [expect.objectContaining({ id: entryId, label: 'Red', externalId: 'R', deleted: false })],
    ],
    [FieldType.TEXT_AREA, 'lines\nof text', 'lines\nof text'],
    [FieldType.FLAG, true, true],
    [FieldType.DELTA_AREA, delta, delta],
    [FieldType.FEEDBACK, 4, 4],
    [FieldType.LINK, 'https://example.org/', 'https://example.org/'],
    [
      FieldType.GENERIC_ENTITY_LIST,
      [other, hidden],
      [expect.objectContaining({ id: other, communityId: definition.id })],
    ],
  ];
  return {
    stored: Object.fromEntries(pairs.map(([type, stored]) => [String(fieldId(type)), stored])),
    read: Object.fromEntries(pairs.map(([type, , read]) => [String(fieldId(type)), read])),
  };
}

describe('detail', () => {
  test('shows every value, person and count by the contract', async () => {
    const other = await make();
    const hidden = await make({ visibility: 1 });
    const values = everyValue(other, hidden);
    const id = await make({
      descriptionText: 'about',
      customData: values.stored,
      screenData: { [fieldId(FieldType.GENERIC_ENTITY_LIST, 'screen')]: [manager] },
      watchers: [reader, -groupId],
      mentions: [reader],
      commentMentions: [manager],
      hashtagIds: [hashtagId],
    });
    const { status, body } = await detail(reader, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      communityId: definition.id,
      customId: String(id),
      title: `Post ${id}`,
      descriptionPlainText: 'about',
      visibility: 2,
      announcement: false,
      currentWorkflowState: { id: stateId, initState: true, name: 'Open' },
      creatorUser: { id: manager, firstName: 'Ada' },
      creationTimestamp: START + id * 1000,
      mentions: [{ id: reader }],
      commentMentions: { items: [], totalItemsCount: 0 },
      watchers: [{ id: reader }],
      watcherUsers: [{ id: reader }],
      watcherGroups: [{ id: groupId, name: 'team' }],
      hashtags: [{ id: hashtagId, name: 'tag', deleted: false }],
      showLikeSection: true,
      likedByMe: false,
      followedByMe: true,
    });
    expect(body.customData).toEqual(values.read);
    expect(body.currentWorkflowScreenData).toMatchObject({
      [fieldId(FieldType.GENERIC_ENTITY_LIST, 'screen')]: [{ id: manager }],
    });
    expect(Object.keys(body)).not.toContain('occToken');
    // A manager sees comments, and the private post that the field holds too.
    const asManager = await detail(manager, id);
    expect(asManager.body.commentMentions).toMatchObject({ items: [{ id: manager }], totalItemsCount: 1 });
    expect(asManager.body.customData[fieldId(FieldType.GENERIC_ENTITY_LIST)]).toHaveLength(2);
  });

  test('answers 404 alike for what is unknown, deleted, private, another draft, or in a closed community', async () => {
    const post = await make();
    const unseen = [
      [reader, await make({ visibility: 1 })],
      [reader, await make({ deleted: true })],
      [reader, await make({ draft: true })],
      [outsider, post],
      [reader, 999_999_999],
    ] as const;
    const bodies = [];
    for (const [user, id] of unseen) {
      const answer = await detail(user, id);
      expect(answer.status).toBe(404);
      bodies.push({ ...answer.body, requestId: '' });
    }
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    expect((await detail(manager, await make({ draft: true }))).status).toBe(200);
    expect((await detail(reader, await make({ visibility: 1, watchers: [reader] }))).status).toBe(200);
  });

  test('is found by client uid', async () => {
    const id = await make();
    const uid = 'uid with / and ü';
    await portal.services.databases
      .for(tenant.tenant.id)
      .execute('UPDATE posts SET client_uid = $2 WHERE tenant_id = $1 AND id = $3', [tenant.tenant.id, uid, id]);
    const answer = await tenant.request(
      reader,
      'GET',
      `${PREFIX}/post-detail-by-client-uid/${encodeURIComponent(uid)}`,
    );
    expect(answer.body).toMatchObject({ id });
    expect((await tenant.request(reader, 'GET', `${PREFIX}/post-detail-by-client-uid/none`)).status).toBe(404);
  });

  test('counts views after the answer, each reader once', async () => {
    const id = await make();
    await detail(reader, id);
    await detail(reader, id);
    await detail(manager, id);
    await expect
      .poll(async () => (await list(reader, { postId: id })).body.items[0])
      .toMatchObject({
        viewsCount: 3,
        viewedByUsersCount: 2,
        viewedByMe: true,
      });
    const seen = await list(reader, { orderBy: 'postViewedByMeTimestamp', pageSize: 1 });
    expect(seen.body.items[0].id).toBe(id);
  });
});

describe('main attachment', () => {
  const image = {
    name: 'a.gif',
    mimeType: 'image/gif',
    kind: 1,
    type: 1,
    entityType: 1,
    fieldId: null,
    createdAt: START,
    modifiedAt: START,
    deleted: false,
  };

  test('comes with any link flag, with the links that were asked for', async () => {
    const id = await make({
      attachments: [{ ...image, creatorId: manager, modifierId: reader, hashtagIds: [hashtagId] }],
    });
    const ref = 'a'.repeat(64);
    const db = portal.services.databases.for(tenant.tenant.id);
    await db.execute(
      `INSERT INTO file_contents (tenant_id, content_ref, mime_type, size, md5, creator_id, created_at) VALUES ($1, $2, 'image/gif', 3, 'bWQ1', $3, $4)`,
      [db.tenantId, ref, manager, new Date(START)],
    );
    await db.execute('UPDATE attachments SET content_ref = $2 WHERE tenant_id = $1 AND post_id = $3', [
      db.tenantId,
      ref,
      id,
    ]);
    await db.execute(
      'UPDATE posts SET main_attachment_id = $2, cover_content_ref = $3 WHERE tenant_id = $1 AND id = $4',
      [db.tenantId, id * 8, ref, id],
    );
    expect((await detail(reader, id)).body.mainAttachment).toBeUndefined();
    const plain = (await detail(reader, id, '?loadMainAttachment=true')).body.mainAttachment;
    expect(plain).toMatchObject({
      id: id * 8,
      name: 'a.gif',
      md5Hash: 'bWQ1',
      contentRef: ref,
      creatorUser: { id: manager },
      lastModifyUser: { id: reader },
      hashtags: [{ id: hashtagId }],
      downloadable: true,
    });
    expect(Object.keys(plain).filter((key) => key.startsWith('temporary'))).toEqual([]);
    const viewed = (await detail(reader, id, '?loadMainAttachmentViewLink=true')).body.mainAttachment;
    expect(viewed.temporaryContentViewLink).toMatch(/^http.*\/portal\/files\//);
    expect(viewed.temporaryContentDownloadLink).toBeUndefined();
    const { items } = (await list(reader, { postId: id }, queryOf(ALL_LINKS))).body;
    expect(Object.keys(items[0].mainAttachment).filter((key) => key.startsWith('temporary'))).toHaveLength(6);
    expect(items[0].coverImage).toMatchObject({ contentRef: ref, contentMimeType: 'image/gif' });
    const short = (await list(reader, { postId: id }, '?loadPostDetails=false&loadMainAttachment=true')).body.items[0];
    expect(Object.keys(short).sort()).toEqual([
      'communityId',
      'creationTimestamp',
      'customId',
      'id',
      'lastModifyTimestamp',
      'lastOperationTimestamp',
      'mainAttachment',
      'title',
    ]);
  });
});

describe('list', () => {
  test('takes the complete body of the usual client: nulls, empty lists and false filter nothing', async () => {
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
      const parameter = Array.isArray(value) ? value[0] : type === FieldType.DELTA_AREA ? 'rich' : value;
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
        const both = typeId === FilterType.IS_NULL_OR_IN;
        const list1 = type === FieldType.GENERIC_ENTITY_LIST && typeId === FilterType.EQUAL;
        expect(ids, `${name} ${typeId}`).toEqual(
          both ? [id, other] : typeId === FilterType.IS_EMPTY ? [other] : list1 ? [] : [id],
        );
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
    const counted = async (pageSize: number, filters: object = {}) => {
      const page = () =>
        listPosts(
          { ...scope, db: { ...scope.db, query } },
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

test('visibility checks leave out what is unknown or invisible, in the order asked', async () => {
  const seen = await make();
  const hidden = await make({ visibility: 1 });
  const check = (path: string, user: number) =>
    tenant.request(user, 'POST', `${PREFIX}/${path}`, { ids: [hidden, 999_999_999, seen, seen] });
  expect((await check('check-visibility', reader)).body).toEqual({ posts: [{ id: seen }] });
  expect((await check('check-visibility-with-comments', reader)).body).toEqual({
    posts: [{ id: seen, canViewComments: false }],
  });
  expect((await check('check-visibility-with-comments', manager)).body).toEqual({
    posts: [
      { id: hidden, canViewComments: true },
      { id: seen, canViewComments: true },
    ],
  });
});
