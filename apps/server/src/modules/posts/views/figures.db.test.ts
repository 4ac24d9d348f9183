/** Saved views that show figures, and the figures in the overview of a community. */
import { viewLimits } from '@portico/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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
      { label: 'Severity', type: 7, searchable: true, enumValues: [{ label: 'Low' }, { label: 'High' }] },
      { label: 'Costs', type: 2, searchable: true },
      { label: 'Salary', type: 2, searchable: true, visibleRoles: [1] },
      { label: 'Board', type: 7, searchable: true, visibleRoles: [1], enumValues: [{ label: 'Secret' }] },
    ],
  });
});
afterAll(() => portal?.close());

const path = () => `views/manage/create-view/${world.communityId}`;
const send = (userId: number, body: object) => world.send(userId, 'POST', path(), body);
const create = (userId: number, body: object) => world.ok(userId, 'POST', path(), body);
const figures = (userId: number, viewId: number) => world.ok(userId, 'GET', `views/data/figures/${viewId}`);
const field = (label: string) => `postCustomField-${world.fieldIds.get(label)}`;
const faults = (answer: { body: { validationErrors: { list: { field: string; code: string }[] } } }) =>
  answer.body.validationErrors.list.map(({ field: place, code }) => `${place} ${code}`).sort();

test('figures of a view are those of a summary with its settings, of the posts that the caller sees', async () => {
  const { people, communityId } = world;
  for (const costs of [3, 4]) {
    await world.post(people.author, { title: 'pump', customData: { [world.fieldIds.get('Costs')!]: costs } });
  }
  await world.post(people.author, { title: 'other' });
  await world.post(people.contributor, { title: 'pump', visibility: 1 });
  const communityPostFilters = { title: 'pump' };
  const settings = {
    layout: 'lines',
    groupBy: 'creationTimestamp.month',
    secondGroupBy: 'creatorUser',
    measure: 'sum',
    measureOf: field('Costs'),
    inOverview: true,
  };
  const view = await create(people.manager, { name: 'Costs', shared: true, communityPostFilters, ...settings });
  expect(view).toMatchObject({ communityPostFilters, ...settings });
  for (const [userId, postsCount] of [
    [people.reader, 2],
    [people.manager, 3],
  ] as const) {
    const { groupBy, secondGroupBy, measure, measureOf } = settings;
    const summary = await world.ok(userId, 'POST', `posts/data/summary/community/${communityId}`, {
      communityPostFilters,
      groupBy: [groupBy, secondGroupBy],
      measure,
      measureOf,
    });
    const answer = await figures(userId, view.id);
    expect(answer).toEqual({
      view: expect.objectContaining({ id: view.id, ...settings }),
      leftOut: [],
      figures: summary,
    });
    expect(answer.figures).toMatchObject({ postsCount, value: 7 });
  }
  expect((await world.send(people.outsider, 'GET', `views/data/figures/${view.id}`)).status).toBe(404);
  // Without groupings: the figure of all posts.
  const all = await create(people.reader, { name: 'All', layout: 'numbers' });
  expect((await figures(people.reader, all.id)).figures).toMatchObject({ groups: [], postsCount: 3, value: 3 });
  expect((await world.send(people.manager, 'GET', `views/data/figures/${all.id}`)).status).toBe(404);
});

test.each(['groupBy', 'secondGroupBy', 'measureOf', 'communityPostFilters.postFieldFilters[0]'])(
  'a hidden field in %s is named, and never shown or left out in silence',
  async (part) => {
    const { people } = world;
    await world.post(people.author);
    const hidden = {
      groupBy: { groupBy: field('Board') },
      secondGroupBy: { groupBy: 'type', secondGroupBy: field('Board') },
      measureOf: { groupBy: 'type', measure: 'mean', measureOf: field('Salary') },
      'communityPostFilters.postFieldFilters[0]': {
        groupBy: 'type',
        communityPostFilters: {
          postFieldFilters: [{ columnId: world.fieldIds.get('Board'), typeId: 7, parameters: [] }],
        },
      },
    }[part];
    const view = await create(people.manager, { name: 'Secret', shared: true, layout: 'bars', ...hidden });
    const seen = await figures(people.manager, view.id);
    expect(seen.leftOut).toEqual([]);
    expect(seen.figures.postsCount).toBe(1);
    const answer = await figures(people.reader, view.id);
    expect(answer.leftOut).toEqual([{ part, reason: expect.stringContaining('you do not see it') }]);
    expect(answer.figures).toBeUndefined();
    const ids = [field('Board'), field('Salary'), `"columnId":${world.fieldIds.get('Board')}`];
    for (const id of ids) expect(JSON.stringify(answer)).not.toContain(id);
  },
);

test('a field that was removed since is named', async () => {
  const { people } = world;
  const view = await create(people.manager, {
    name: 'Severity',
    shared: true,
    layout: 'bars',
    groupBy: field('Severity'),
  });
  await world.rows('UPDATE fields SET deleted = true WHERE tenant_id = $1 AND id = $2', [
    world.fieldIds.get('Severity'),
  ]);
  await world.rows('UPDATE tenant_versions SET definitions_version = definitions_version + 1 WHERE tenant_id = $1');
  const answer = await figures(people.manager, view.id);
  expect(answer).toMatchObject({ leftOut: [{ part: 'groupBy' }] });
  expect(answer.figures).toBeUndefined();
});

test('each kind of view takes its own settings, and keeps its kind', async () => {
  const { people, communityId } = world;
  const list = { secondGroupBy: 'type', measure: 'count', measureOf: 'timeInState', inOverview: true };
  expect(faults(await send(people.reader, { name: 'List', ...list }))).toEqual(
    Object.keys(list)
      .sort()
      .map((name) => `${name} INVALID_VALUE`),
  );
  const ofLists = { columns: ['title'], orderBy: 'postTitle', orderDesc: true, pinnedFirst: true, dateField: 'event' };
  expect(faults(await send(people.reader, { name: 'Figures', layout: 'bars', ...ofLists }))).toEqual(
    Object.keys(ofLists)
      .sort()
      .map((name) => `${name} INVALID_VALUE`),
  );
  const refused = async (body: object) => faults(await send(people.reader, { name: 'x', layout: 'bars', ...body }));
  expect(await refused({ groupBy: 'creationTimestamp' })).toEqual(['groupBy INVALID_VALUE']);
  expect(await refused({ groupBy: 'postCustomField-4711000' })).toEqual(['groupBy UNKNOWN_FIELD']);
  expect(await refused({ secondGroupBy: 'type' })).toEqual(['secondGroupBy INVALID_VALUE']);
  expect(await refused({ groupBy: 'type', secondGroupBy: 'type' })).toEqual(['secondGroupBy INVALID_VALUE']);
  expect(await refused({ measure: 'sum' })).toEqual(['measureOf REQUIRED_FIELD']);
  expect(await refused({ measureOf: 'timeInState' })).toEqual(['measureOf INVALID_VALUE']);
  const view = await create(people.reader, { name: 'Posts' });
  const chart = await create(people.reader, { name: 'Figures', layout: 'bars', groupBy: 'type' });
  const edit = (viewId: number, body: object) =>
    world.send(people.reader, 'PUT', `views/manage/view/${viewId}`, { name: 'x', occToken: 1, ...body });
  expect(faults(await edit(view.id, { layout: 'bars' }))).toEqual(['layout INVALID_VALUE']);
  expect(faults(await edit(chart.id, {}))).toEqual(['layout INVALID_VALUE']);
  expect((await edit(chart.id, { layout: 'lines', groupBy: 'creationTimestamp.week' })).body).toMatchObject({
    layout: 'lines',
    inOverview: false,
    occToken: 2,
  });
  // A list has the number of its posts.
  expect((await figures(people.reader, view.id)).figures).toMatchObject({ groups: [], postsCount: 0, value: 0 });
  const opens = await world.send(people.reader, 'PUT', `views/manage/default/${communityId}`, { viewId: chart.id });
  expect(faults(opens)).toEqual(['viewId UNKNOWN_REFERENCE']);
});

test('the overview shows a bounded number of figures, whoever adds them at once', async () => {
  const { people, communityId } = world;
  await world.rows(
    `INSERT INTO saved_views (tenant_id, community_id, user_id, name, layout, in_overview, creator_id, created_at,
        modifier_id, modified_at)
     SELECT a.tenant_id, $2, $3, 'View ' || n, 'bars', true, $3, now(), $3, now()
       FROM tenant_versions a, generate_series(1, $4::integer) n WHERE a.tenant_id = $1`,
    [communityId, people.author, viewLimits.overview - 2],
  );
  const body = { name: 'One more', layout: 'bars', inOverview: true };
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(people.author, body)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
  const { id } = await create(people.author, { ...body, inOverview: false });
  const edit = (change: object) =>
    world.send(people.author, 'PUT', `views/manage/view/${id}`, { ...body, occToken: 1, ...change });
  expect((await edit({})).status).toBe(409);
  // The figures of others do not count.
  await create(people.reader, body);
  await create(people.manager, { ...body, shared: true });
});
