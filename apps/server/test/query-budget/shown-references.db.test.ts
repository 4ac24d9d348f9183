/** References that a caller does not see are as if they were not there: in answers, filters, totals and rules. */
import { FieldType, FilterType, ValidationType } from '@portico/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eraseDuePosts } from '../../src/jobs/erase-posts.ts';
import { addField } from '../../src/modules/communities/define-fields.ts';
import { attachWorkflow, createWorkflow } from '../../src/modules/communities/index.ts';
import {
  API,
  createFieldWorld,
  createPost,
  type FieldWorld,
  MANAGE,
  makeCommunity,
  rows,
} from '../../src/modules/posts/writing/writing.fixture.ts';
import { createTestPortal, type TestPortal } from '../support/index.ts';

let portal: TestPortal;
let world: FieldWorld;
/** A community whose posts and screens refer to posts, people and groups. */
let communityId: number;
let fields: { posts: number; people: number; groups: number; screen: number };
let transitionId: number;
/** A post that everybody sees, and one that managers see. */
let open: number;
let hidden: number;
const KINDS = { posts: 'communication.post', people: 'core.user', groups: 'core.group' } as const;

beforeAll(async () => {
  portal = await createTestPortal({ env: { PORTICO_ERASE_AFTER_DAYS: '0' } });
  world = await createFieldWorld(portal);
  communityId = await makeCommunity(world);
  const made: Record<string, number> = {};
  for (const [label, config] of Object.entries(KINDS)) {
    const field = await addField(
      await world.tenant.scope(world.people.admin),
      { communityId },
      {
        type: FieldType.GENERIC_ENTITY_LIST,
        label,
        metadata: { generic_entity_list_config_id: config },
        validations: [{ typeId: ValidationType.MAX_COUNT, parameter: '2' }],
      },
    );
    made[label] = field.id;
  }
  const workflow = await createWorkflow(await world.tenant.scope(world.people.admin), {
    title: 'W',
    states: [{ name: 'a', initial: true }, { name: 'b' }],
    screenFields: [
      {
        type: FieldType.GENERIC_ENTITY_LIST,
        label: 'screen',
        metadata: { generic_entity_list_config_id: KINDS.posts },
      },
    ],
    screens: [{ name: 'S', fields: [{ label: 'screen' }] }],
    transitions: [{ name: 'go', from: 'a', to: 'b', screen: 'S' }],
  });
  await attachWorkflow(await world.tenant.scope(world.people.admin), communityId, workflow.id);
  transitionId = workflow.transitionIds[0]!;
  fields = { ...made, screen: workflow.fields.get('screen')!.id } as typeof fields;
});
afterAll(() => portal.close());

beforeEach(async () => {
  open = (await createPost(world, world.people.author)).postId;
  hidden = (await createPost(world, world.people.manager, { visibility: 1 })).postId;
});

const send = (userId: number, method: string, path: string, body?: unknown) =>
  world.tenant.request(userId, method, path, body);
const read = async (userId: number, postId: number) =>
  (await send(userId, 'GET', `${API}/data/post-detail-by-id/${postId}`)).body;
const idsOf = (value: { id: number }[] | undefined) => value?.map(({ id }) => id);

/** Ids that a filter finds, which are as many as its total says. */
async function find(userId: number, field: number, typeId: FilterType, parameters: number[] = [], screen = false) {
  const filters = [{ columnId: field, typeId, parameters }];
  const answer = await send(userId, 'POST', `${API}/data/list/community/${communityId}`, {
    [screen ? 'screenFieldFilters' : 'postFieldFilters']: filters,
    calculateTotalItemsCount: true,
    pageSize: 500,
  });
  expect(answer.status, answer.text).toBe(200);
  const found = answer.body.items.map((item: { id: number }) => item.id);
  expect(answer.body.totalItemsCount).toBe(found.length);
  const counted = await send(userId, 'POST', `${API}/data/list/community/${communityId}`, {
    [screen ? 'screenFieldFilters' : 'postFieldFilters']: filters,
    calculateTotalItemsCount: true,
    pageSize: 1,
  });
  expect(counted.body.totalItemsCount).toBe(found.length);
  return found as number[];
}

describe('posts that the caller does not see', () => {
  it('are left out of what is shown, found and counted', async () => {
    const both = (
      await createPost(world, world.people.manager, { customData: { [fields.posts]: [open, hidden] } }, communityId)
    ).postId;
    const only = (
      await createPost(world, world.people.manager, { customData: { [fields.posts]: [hidden] } }, communityId)
    ).postId;
    expect((await read(world.people.author, only)).customData).not.toHaveProperty(String(fields.posts));
    expect(idsOf((await read(world.people.author, both)).customData[fields.posts])).toEqual([open]);
    expect(idsOf((await read(world.people.manager, both)).customData[fields.posts])).toEqual([open, hidden]);

    expect(await find(world.people.author, fields.posts, FilterType.IS_EMPTY)).toContain(only);
    expect(await find(world.people.author, fields.posts, FilterType.IS_EMPTY)).not.toContain(both);
    expect(await find(world.people.manager, fields.posts, FilterType.IS_EMPTY)).not.toContain(only);
    expect(await find(world.people.author, fields.posts, FilterType.EQUAL, [open])).toEqual([both]);
    expect(await find(world.people.manager, fields.posts, FilterType.EQUAL, [open])).toEqual([]);
    for (const operator of [FilterType.CONTAINS, FilterType.IN, FilterType.EQUAL]) {
      expect(await find(world.people.author, fields.posts, operator, [hidden])).toEqual([]);
    }
    expect(await find(world.people.manager, fields.posts, FilterType.CONTAINS, [hidden])).toEqual([only, both]);
    expect(await find(world.people.author, fields.posts, FilterType.IS_NULL_OR_IN, [open])).toEqual(
      expect.arrayContaining([only, both]),
    );
    expect(await find(world.people.manager, fields.posts, FilterType.IS_NULL_OR_IN, [open])).not.toContain(only);
  });

  it('are hidden where the community of the post is not stored', async () => {
    const post = async (ids: number[]) =>
      (await createPost(world, world.people.manager, { customData: { [fields.posts]: ids } }, communityId)).postId;
    const [both, only, shown] = [await post([open, hidden]), await post([hidden]), await post([open])];
    const empty = async () => {
      const found = await find(world.people.author, fields.posts, FilterType.IS_EMPTY);
      return [both, only, shown].map((id) => found.includes(id));
    };
    expect(await empty()).toEqual([false, true, false]);
    await rows(world, 'UPDATE post_values SET ref_community = DEFAULT WHERE tenant_id = $1');
    expect(await empty()).toEqual([false, true, false]);
  });

  it('on screens are left out as well', async () => {
    const { postId } = await createPost(world, world.people.manager, {}, communityId);
    const go = `${MANAGE}/execute-post-workflow-operation/${postId}/${transitionId}`;
    const done = await send(world.people.manager, 'POST', go, {
      screenData: { [fields.screen]: [hidden] },
      screenOccToken: 1,
    });
    expect(done.status, done.text).toBe(200);
    expect((await read(world.people.author, postId)).currentWorkflowScreenData).toEqual({});
    expect(idsOf((await read(world.people.manager, postId)).currentWorkflowScreenData[fields.screen])).toEqual([
      hidden,
    ]);
    expect(await find(world.people.author, fields.screen, FilterType.IS_EMPTY, [], true)).toContain(postId);
    expect(await find(world.people.manager, fields.screen, FilterType.IS_EMPTY, [], true)).not.toContain(postId);
    const history = await send(world.people.author, 'POST', `${API}/data/history-list/${postId}`, {});
    expect(history.body.items[0].workflowScreenData).toEqual({});
  });

  it('go with their deletion and their erasure, for everybody', async () => {
    const { postId } = await createPost(
      world,
      world.people.author,
      { customData: { [fields.posts]: [open] } },
      communityId,
    );
    expect(await find(world.people.manager, fields.posts, FilterType.IS_EMPTY)).not.toContain(postId);
    await send(world.people.author, 'PUT', `${MANAGE}/mark-post-as-erasable/${open}`);
    const gone = async () => {
      expect((await read(world.people.manager, postId)).customData).toEqual({});
      expect(await find(world.people.manager, fields.posts, FilterType.IS_EMPTY)).toContain(postId);
      expect(await find(world.people.reader, fields.posts, FilterType.IS_NULL_OR_IN, [open])).toContain(postId);
      expect(await find(world.people.manager, fields.posts, FilterType.CONTAINS, [open])).toEqual([]);
    };
    await gone();
    await portal.services.databases
      .for(world.tenant.tenant.id)
      .execute(`UPDATE posts SET erasable_at = now() - interval '90 days' WHERE tenant_id = $1 AND id = $2`, [
        world.tenant.tenant.id,
        open,
      ]);
    await eraseDuePosts(portal.services, world.tenant.tenant);
    expect(await rows(world, 'SELECT id FROM posts WHERE tenant_id = $1 AND id = $2', [open])).toEqual([]);
    await gone();
  });

  it('in a community that is closed to the caller are left out too', async () => {
    const closed = await makeCommunity(world);
    const { postId: far } = await createPost(world, world.people.author, {}, closed);
    const { postId } = await createPost(
      world,
      world.people.author,
      { customData: { [fields.posts]: [far] } },
      communityId,
    );
    await portal.services.databases
      .for(world.tenant.tenant.id)
      .execute('DELETE FROM community_roles WHERE tenant_id = $1 AND community_id = $2 AND principal = $3', [
        world.tenant.tenant.id,
        closed,
        world.people.reader,
      ]);
    await rows(world, 'UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1');
    expect((await read(world.people.reader, postId)).customData).toEqual({});
    expect(await find(world.people.reader, fields.posts, FilterType.IS_EMPTY)).toContain(postId);
    expect(await find(world.people.author, fields.posts, FilterType.IS_EMPTY)).not.toContain(postId);
  });
});

describe('people and groups that were deleted', () => {
  it('stay in what is shown, found and counted, and in the post when a form leaves them out', async () => {
    const leaver = await world.tenant.createUser();
    const made = await send(world.people.admin, 'POST', '/portal/api/external/v2/admin/manage/groups', {
      name: `g${leaver}`,
      visible: true,
      memberIds: [],
    });
    const { groupId } = made.body;
    const customData = { [fields.people]: [leaver, world.people.reader], [fields.groups]: [groupId] };
    const { postId, token } = await createPost(world, world.people.author, { customData }, communityId);
    expect(await find(world.people.author, fields.people, FilterType.CONTAINS, [leaver])).toEqual([postId]);
    const manage = '/portal/api/external/v2/admin/manage';
    expect((await send(world.people.admin, 'DELETE', `${manage}/users/${leaver}`)).status).toBe(200);
    expect((await send(world.people.admin, 'DELETE', `${manage}/groups/${groupId}`)).status).toBe(200);
    const shown = (await read(world.people.manager, postId)).customData;
    expect(idsOf(shown[fields.people])).toEqual([leaver, world.people.reader]);
    expect(idsOf(shown[fields.groups])).toEqual([groupId]);
    expect(await find(world.people.author, fields.people, FilterType.CONTAINS, [leaver])).toEqual([postId]);
    expect(await find(world.people.author, fields.people, FilterType.EQUAL, [world.people.reader])).toEqual([]);
    expect(await find(world.people.author, fields.groups, FilterType.IS_EMPTY)).not.toContain(postId);
    expect(await find(world.people.author, fields.groups, FilterType.IS_NULL_OR_IN, [groupId])).toContain(postId);
    // Forms leave them out, and clients send the forms back without them: they stay.
    const body = {
      title: 'T',
      description: 'D',
      descriptionFormat: 2,
      customData: { [fields.people]: [world.people.reader] },
    };
    const edited = await send(world.people.author, 'PUT', `${MANAGE}/edit-post/${postId}/${token}`, body);
    expect(edited.status, edited.text).toBe(200);
    const [stored] = await rows<{ data: object }>(
      world,
      'SELECT custom_data AS data FROM posts WHERE tenant_id = $1 AND id = $2',
      [postId],
    );
    expect(stored!.data).toEqual(customData);
  });
});

describe('rules', () => {
  it('count what is hidden where a value is demanded, and not among the items that the caller may send', async () => {
    const own = await makeCommunity(world);
    const { id } = await addField(
      await world.tenant.scope(world.people.admin),
      { communityId: own },
      {
        type: FieldType.GENERIC_ENTITY_LIST,
        label: 'p',
        required: true,
        metadata: { generic_entity_list_config_id: KINDS.posts },
        validations: [
          { typeId: ValidationType.MIN_COUNT, parameter: '1' },
          { typeId: ValidationType.MAX_COUNT, parameter: '2' },
        ],
      },
    );
    const more = await Promise.all([1, 2, 3].map(async () => (await createPost(world, world.people.author)).postId));
    let { postId, token } = await createPost(
      world,
      world.people.manager,
      { customData: { [id]: [hidden, open] } },
      own,
    );
    const edit = async (value: number[] | undefined, userId = world.people.author) => {
      const customData = value === undefined ? {} : { [id]: value };
      const body = { title: 'T', description: 'D', descriptionFormat: 2, customData };
      const answer = await send(userId, 'PUT', `${MANAGE}/edit-post/${postId}/${token}`, body);
      if (answer.status === 200) token = answer.body.nextOccToken;
      const [row] = await rows<{ value: number[] }>(
        world,
        'SELECT custom_data -> $3::text AS value FROM posts WHERE tenant_id = $1 AND id = $2',
        [postId, String(id)],
      );
      return { status: answer.status, faults: answer.body.validationErrors?.list, stored: row!.value };
    };
    await rows(world, 'UPDATE posts SET creator_id = $2 WHERE tenant_id = $1 AND id = $3', [
      world.people.author,
      postId,
    ]);
    expect(await edit([open])).toMatchObject({ status: 200, stored: [hidden, open] });
    expect(await edit(undefined)).toMatchObject({ status: 200, stored: [hidden] });
    expect(await edit([])).toMatchObject({ status: 200, stored: [hidden] });
    expect(await edit(more.slice(0, 2))).toMatchObject({ status: 200, stored: [...more.slice(0, 2), hidden] });
    expect(await edit(more)).toMatchObject({
      status: 400,
      faults: [{ code: 'CUSTOM_VALIDATION', validationTypeId: 5 }],
    });
    // A caller that sees all of them sends all of them.
    expect(await edit([], world.people.manager)).toMatchObject({ status: 400 });
    expect(await edit([...more.slice(0, 2), open], world.people.manager)).toMatchObject({ status: 400 });
    ({ postId, token } = await createPost(world, world.people.manager, { customData: { [id]: [open] } }, own));
    await rows(world, 'UPDATE posts SET creator_id = $2 WHERE tenant_id = $1 AND id = $3', [
      world.people.author,
      postId,
    ]);
    expect(await edit([])).toMatchObject({ status: 400 });
  });
});
