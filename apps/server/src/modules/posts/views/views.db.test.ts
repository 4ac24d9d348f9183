/** Saved views, favourites and the view with which a community opens. */
import { defaultPostOrder, FieldType, FilterType } from '@portico/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
});
beforeEach(async () => {
  world = await createTestWorld(portal, {
    fields: [
      {
        label: 'Severity',
        type: 7,
        searchable: true,
        sortable: true,
        enumValues: [{ label: 'Low' }, { label: 'High' }],
      },
      { label: 'Due', type: 4, searchable: true, sortable: true },
      { label: 'Note', type: 6, searchable: true, sortable: true },
      {
        label: 'Helpers',
        type: FieldType.GENERIC_ENTITY_LIST,
        searchable: true,
        metadata: { generic_entity_list_config_id: 'core.user' },
      },
    ],
  });
});
afterAll(() => portal?.close());

const create = (userId: number, body: object) =>
  world.ok(userId, 'POST', `views/manage/create-view/${world.communityId}`, body);
const list = (userId: number) => world.ok(userId, 'GET', `views/data/community/${world.communityId}`);
const names = (views: { name: string }[]) => views.map(({ name }) => name);
const field = (label: string) => `postCustomField-${world.fieldIds.get(label)}`;

describe('views of a community', () => {
  test('group a table by people, and a board by single values only', async () => {
    const { people } = world;
    const groupBy = field('Helpers');
    expect(await create(people.reader, { name: 'Table', groupBy })).toMatchObject({ layout: 'table', groupBy });
    const board = await world.send(people.reader, 'POST', `views/manage/create-view/${world.communityId}`, {
      name: 'Board',
      layout: 'board',
      groupBy,
    });
    expect(board.status).toBe(400);
    expect(board.text).toContain('UNKNOWN_FIELD');
  });

  test('are seen by all of it, own ones by their owner alone, each by name', async () => {
    const { people } = world;
    await create(people.manager, { name: 'zoo', shared: true });
    await create(people.manager, { name: 'Árbol', shared: true });
    const own = await create(people.reader, { name: 'Mine', layout: 'board', groupBy: field('Severity') });
    expect(names((await list(people.reader)).views)).toEqual(['Árbol', 'zoo', 'Mine']);
    const { views } = await list(people.author);
    expect(names(views)).toEqual(['Árbol', 'zoo']);
    expect(views[0]).toMatchObject({ shared: true, layout: 'table', canEdit: false, communityName: 'News' });
    expect(own).toMatchObject({
      shared: false,
      layout: 'board',
      groupBy: field('Severity'),
      canEdit: true,
      occToken: 1,
    });
    for (const [method, path] of [
      ['GET', 'data/view'],
      ['POST', 'data/run'],
      ['PUT', 'manage/view'],
      ['DELETE', 'manage/view'],
      ['PUT', 'manage/favourite'],
    ] as const) {
      const body = method === 'PUT' ? { name: 'x', occToken: 1 } : undefined;
      const sent = path === 'manage/favourite' ? {} : body;
      expect((await world.send(people.manager, method, `views/${path}/${own.id}`, sent)).status, path).toBe(404);
      expect((await world.send(people.outsider, method, `views/${path}/${views[0].id}`, sent)).status, path).toBe(404);
    }
    const shared = await world.send(people.author, 'POST', `views/manage/create-view/${world.communityId}`, {
      name: 'No',
      shared: true,
    });
    expect(shared.status).toBe(403);
    expect((await world.send(people.author, 'DELETE', `views/manage/view/${views[0].id}`)).status).toBe(403);
  });

  test('are run as the list of posts answers, by pages', async () => {
    const { people } = world;
    const posts: number[] = [];
    for (const title of ['b pump', 'a pump', 'c pump', 'other']) posts.push(await world.post(people.author, { title }));
    const hidden = await world.post(people.contributor, { title: 'd pump', visibility: 1 });
    const body = { communityPostFilters: { title: 'pump' }, orderBy: 'postTitle', orderDesc: false };
    const view = await create(people.manager, { name: 'Pumps', shared: true, ...body });
    const run = async (userId: number) => {
      const found: number[] = [];
      let pageToken: string | undefined;
      do {
        const page = await world.ok(userId, 'POST', `views/data/run/${view.id}`, {
          pageSize: 2,
          ...(pageToken && { pageToken }),
        });
        found.push(...page.items.map(({ id }: { id: number }) => id));
        expect(page.leftOut).toEqual([]);
        pageToken = page.nextPageToken;
      } while (pageToken);
      return found;
    };
    expect(await run(people.author)).toEqual([posts[1], posts[0], posts[2]]);
    expect(await run(people.manager)).toEqual([posts[1], posts[0], posts[2], hidden]);
    const page = await world.ok(people.author, 'POST', `views/data/run/${view.id}?loadPostDetails=false`, {
      calculateTotalItemsCount: true,
    });
    const listed = await world.ok(
      people.author,
      'POST',
      `posts/data/list/community/${world.communityId}?loadPostDetails=false`,
      { ...body, calculateTotalItemsCount: true },
    );
    expect(page).toEqual({ ...listed, view: expect.objectContaining({ id: view.id, ...body }), leftOut: [] });
    expect((await world.send(people.author, 'POST', `views/data/run/${view.id}`, { pageToken: 'x' })).status).toBe(400);
  });

  test('answer with what they can when a field was removed, and say what was left out', async () => {
    const { people } = world;
    const postId = await world.post(people.author, { customData: { [world.fieldIds.get('Note')!]: 'urgent' } });
    await world.post(people.author);
    const filter = (label: string, typeId: number, parameters: unknown[]) => ({
      columnId: world.fieldIds.get(label),
      typeId,
      parameters,
    });
    const view = await create(people.manager, {
      name: 'All',
      shared: true,
      communityPostFilters: {
        postFieldFilters: [
          filter('Due', FilterType.IS_EMPTY, []),
          filter('Note', FilterType.EQUAL, ['urgent']),
          filter('Severity', FilterType.IS_EMPTY, []),
        ],
      },
      orderBy: field('Due'),
      columns: ['title', field('Due'), field('Note')],
      layout: 'calendar',
      dateField: field('Due'),
    });
    await world.rows('UPDATE fields SET deleted = true WHERE tenant_id = $1 AND id = $2', [world.fieldIds.get('Due')]);
    await world.rows('UPDATE fields SET searchable = false WHERE tenant_id = $1 AND id = $2', [
      world.fieldIds.get('Severity'),
    ]);
    await world.rows('UPDATE tenant_versions SET definitions_version = definitions_version + 1 WHERE tenant_id = $1');
    const page = await world.ok(people.reader, 'POST', `views/data/run/${view.id}`, {});
    expect(page.items.map(({ id }: { id: number }) => id)).toEqual([postId]);
    expect(page.leftOut.map(({ part }: { part: string }) => part).sort()).toEqual([
      'columns[1]',
      'communityPostFilters.postFieldFilters[0]',
      'communityPostFilters.postFieldFilters[2]',
      'dateField',
      'orderBy',
    ]);
    for (const { reason } of page.leftOut) expect(reason).not.toBe('');
    expect(page.view).toMatchObject({
      columns: ['title', field('Note')],
      communityPostFilters: { postFieldFilters: [filter('Note', FilterType.EQUAL, ['urgent'])] },
    });
    expect(page.view.orderBy).toBe(defaultPostOrder);
    // The saved columns stay.
    expect((await world.ok(people.reader, 'GET', `views/data/view/${view.id}`)).columns).toHaveLength(3);
  });

  test('are limited in number, whoever asks at once', async () => {
    const { people, communityId } = world;
    await world.rows(
      `INSERT INTO saved_views (tenant_id, community_id, user_id, name, layout, creator_id, created_at, modifier_id, modified_at)
       SELECT $1, $2, $3, 'View ' || n, 'table', $3, now(), $3, now() FROM generate_series(1, 197) n`,
      [communityId, people.author],
    );
    const send = () =>
      world.send(people.author, 'POST', `views/manage/create-view/${communityId}`, { name: 'One more' });
    const statuses = (await Promise.all(Array.from({ length: 6 }, send))).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 409, 409, 409]);
  });
});

describe('favourites and defaults', () => {
  test('are those that the caller still sees', async () => {
    const { people, communityId } = world;
    const view = await create(people.manager, { name: 'Shared', shared: true });
    const own = await create(people.author, { name: 'Own' });
    for (const id of [view.id, own.id]) await world.ok(people.author, 'PUT', `views/manage/favourite/${id}`, {});
    await world.ok(people.author, 'PUT', `communities/manage/favourite/${communityId}`, {});
    // Once more changes nothing.
    await world.ok(people.author, 'PUT', `communities/manage/favourite/${communityId}`, {});
    const favourites = () => world.ok(people.author, 'GET', 'views/data/favourites');
    expect(names((await favourites()).views)).toEqual(['Own', 'Shared']);
    expect((await favourites()).communities).toEqual([
      { communityId, communityName: 'News', workspaceId: world.workspaceId },
    ]);
    expect(await world.ok(people.reader, 'GET', 'views/data/favourites')).toEqual({ communities: [], views: [] });
    await world.role(people.author, null);
    expect(await favourites()).toEqual({ communities: [], views: [] });
    await world.role(people.author, 2);
    await world.ok(people.author, 'PUT', `views/manage/favourite/${own.id}`, { favourite: false });
    await world.ok(people.author, 'PUT', `communities/manage/favourite/${communityId}`, { favourite: false });
    expect(await favourites()).toMatchObject({ communities: [], views: [{ name: 'Shared', favourite: true }] });
    await world.ok(people.manager, 'DELETE', `views/manage/view/${view.id}`);
    expect((await favourites()).views).toEqual([]);
  });

  test("a community opens with one's own default, else with that of the community", async () => {
    const { people, communityId } = world;
    const view = await create(people.manager, { name: 'Shared', shared: true });
    const own = await create(people.author, { name: 'Own' });
    const set = (userId: number, body: object) =>
      world.send(userId, 'PUT', `views/manage/default/${communityId}`, body);
    expect((await list(people.author)).defaultViewId).toBeUndefined();
    expect((await set(people.author, { viewId: view.id, shared: true })).status).toBe(403);
    expect((await set(people.manager, { viewId: own.id })).status).toBe(400);
    expect((await set(people.manager, { viewId: view.id, shared: true })).body).toEqual({ defaultViewId: view.id });
    expect((await list(people.author)).defaultViewId).toBe(view.id);
    expect((await set(people.author, { viewId: own.id })).body).toEqual({ defaultViewId: own.id });
    const listed = await list(people.author);
    expect(listed).toMatchObject({
      defaultViewId: own.id,
      views: [{ defaultForCommunity: true, defaultForMe: false }, { defaultForMe: true }],
    });
    expect((await list(people.reader)).defaultViewId).toBe(view.id);
    await world.ok(people.author, 'DELETE', `views/manage/view/${own.id}`);
    expect((await list(people.author)).defaultViewId).toBe(view.id);
    expect((await set(people.manager, { shared: true })).body).toEqual({});
    // The community's default must be a view that everybody sees.
    const mine = await create(people.manager, { name: 'Of the manager' });
    expect((await set(people.manager, { viewId: mine.id, shared: true })).status).toBe(400);
  });
});
