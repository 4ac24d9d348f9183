/**
 * Deleted people and groups stay where they are named, and forms keep them without showing them.
 */
import { FieldType, FilterType } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';

const USERS = '/portal/api/admin/manage/users';
const GROUPS = '/portal/api/admin/manage/groups';
const people = { generic_entity_list_config_id: 'core.user' };
const groups = { generic_entity_list_config_id: 'core.group' };

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal, {
    fields: [
      { label: 'Owner', type: FieldType.GENERIC_ENTITY_LIST, metadata: people, searchable: true },
      { label: 'Team', type: FieldType.GENERIC_ENTITY_LIST, metadata: groups, searchable: true },
    ],
    workflow: () => ({
      title: 'Approval',
      states: [
        { name: 'Open', initial: true },
        { name: 'Approved', screen: 'Approve', edit: { roles: [2] } },
      ],
      screenFields: [{ label: 'Approved by', type: FieldType.GENERIC_ENTITY_LIST, metadata: people, searchable: true }],
      screens: [{ name: 'Approve', fields: [{ label: 'Approved by' }] }],
      transitions: [{ name: 'Approve', from: 'Open', to: 'Approved', screen: 'Approve' }],
    }),
  });
});
afterAll(() => portal?.close());

const field = (label: string) => world.fieldIds.get(label)!;
const approvedBy = () => world.workflow!.fields.get('Approved by')!.id;
const admin = (method: string, path: string, body?: object) =>
  world.tenant.request(world.people.admin, method, path, body);
const listed = async (body: object): Promise<{ ids: number[]; total: number }> => {
  const page = await world.ok(world.people.reader, 'POST', `posts/data/list/community/${world.communityId}`, {
    ...body,
    calculateTotalItemsCount: true,
  });
  return { ids: page.items.map(({ id }: { id: number }) => id), total: page.totalItemsCount };
};

/** Creates a post that names a person in a field and a screen, and a group in a field. */
async function approvedPost() {
  const { author } = world.people;
  const userId = await world.tenant.createUser({ firstName: 'Lea', lastName: 'Ver' });
  const group = await admin('POST', GROUPS, { name: `Team of ${userId}`, visible: true, memberIds: [userId] });
  const groupId: number = group.body.groupId;
  const customData = { [field('Owner')]: [userId], [field('Team')]: [groupId] };
  const postId = await world.post(author, { customData });
  const step = world.workflow!.transitionIds[0]!;
  const screen = await world.ok(
    author,
    'GET',
    `posts/manage/post-workflow-screen-data-for-edit/${postId}?workflowOperationId=${step}`,
  );
  await world.ok(author, 'POST', `posts/manage/execute-post-workflow-operation/${postId}/${step}`, {
    screenOccToken: screen.screenOccToken,
    screenData: { [approvedBy()]: [userId] },
  });
  return { userId, groupId, postId };
}

test.each(['deleted', 'erased'])(
  'people who were %s stay in details, lists, filters, totals and exports',
  async (how) => {
    const { userId, groupId, postId } = await approvedPost();
    const gone =
      how === 'deleted' ? await admin('DELETE', `${USERS}/${userId}`) : await admin('POST', `${USERS}/${userId}/erase`);
    expect(gone.status, gone.text).toBe(200);
    expect((await admin('DELETE', `${GROUPS}/${groupId}`)).status).toBe(200);

    const { author, reader } = world.people;
    const name = how === 'deleted' ? { firstName: 'Lea', lastName: 'Ver' } : { firstName: 'Erased', lastName: 'user' };
    const person = { ...name, id: userId, deleted: true };
    const group = { id: groupId, name: `Team of ${userId}`, deleted: true };
    const detail = await world.ok(reader, 'GET', `posts/data/post-detail-by-id/${postId}`);
    expect(detail.customData).toMatchObject({ [field('Owner')]: [person], [field('Team')]: [group] });
    expect(detail.currentWorkflowScreenData).toMatchObject({ [approvedBy()]: [person] });

    const byField = (columnId: number, typeId: number, parameters: number[]) => ({
      postFieldFilters: [{ columnId, typeId, parameters }],
    });
    for (const filter of [
      byField(field('Owner'), FilterType.EQUAL, [userId]),
      byField(field('Team'), FilterType.IN, [groupId]),
      { screenFieldFilters: [{ columnId: approvedBy(), typeId: FilterType.CONTAINS, parameters: [userId] }] },
    ]) {
      expect(await listed(filter), JSON.stringify(filter)).toEqual({ ids: [postId], total: 1 });
    }
    expect((await listed(byField(field('Owner'), FilterType.IS_EMPTY, []))).ids).not.toContain(postId);

    const path = `/portal/api/communication/posts/data/list/community/${world.communityId}/export?format=ndjson`;
    const file = await world.tenant.request(reader, 'POST', path, byField(field('Owner'), FilterType.EQUAL, [userId]));
    expect(JSON.parse(file.text.trim())).toMatchObject({
      Owner: [`${name.firstName} ${name.lastName} (deleted)`],
      Team: [`Team of ${userId} (deleted)`],
    });

    // The form omits them, and keeps them when it is sent back unchanged; the screen likewise.
    const form = await world.ok(author, 'GET', `posts/manage/post-data-for-edit/${postId}`);
    expect(form.contentData?.customData ?? form.customData ?? {}).toEqual({});
    await world.ok(author, 'PUT', `posts/manage/edit-post/${postId}/${form.occToken}`, {
      title: 'Edited',
      description: 'Some text',
      descriptionFormat: 2,
      customData: { [field('Owner')]: [] },
    });
    const screen = await world.ok(author, 'GET', `posts/manage/post-workflow-screen-data-for-edit/${postId}`);
    expect(screen.screenData).toEqual({});
    await world.ok(author, 'PUT', `posts/manage/edit-post-workflow-screen-data/${postId}/${screen.screenOccToken}`, {
      screenData: {},
    });
    const after = await world.ok(reader, 'GET', `posts/data/post-detail-by-id/${postId}`);
    expect([after.title, after.customData[field('Owner')], after.currentWorkflowScreenData]).toMatchObject([
      'Edited',
      [person],
      { [approvedBy()]: [person] },
    ]);
  },
);

test.each(['deleted', 'erased'])(
  'people who were %s stay in the stream, in search results, in views and among watchers',
  async (how) => {
    const { author, reader } = world.people;
    const userId = await world.tenant.createUser({ firstName: 'Wanda', lastName: 'Watch' });
    const title = `Quarterly ${how} report`;
    const customData = { [field('Owner')]: [userId] };
    const postId = await world.post(author, { title, customData, watcherUserIds: [userId, reader] });
    const view = await world.ok(reader, 'POST', `views/manage/create-view/${world.communityId}`, {
      name: `Of ${userId}`,
      communityPostFilters: {
        postFieldFilters: [{ columnId: field('Owner'), typeId: FilterType.EQUAL, parameters: [userId] }],
      },
    });
    const gone =
      how === 'deleted' ? await admin('DELETE', `${USERS}/${userId}`) : await admin('POST', `${USERS}/${userId}/erase`);
    expect(gone.status, gone.text).toBe(200);
    const name =
      how === 'deleted' ? { firstName: 'Wanda', lastName: 'Watch' } : { firstName: 'Erased', lastName: 'user' };
    const person = { ...name, id: userId, deleted: true };

    await world.tenant.settleStream();
    const round = await world.tenant.request(
      reader,
      'POST',
      '/portal/api/external/v2/communication/posts/data/global-stream',
      {},
    );
    const told = round.body.items.find(({ id }: { id: number }) => id === postId);
    expect(told, round.text).toMatchObject({ customData: { [field('Owner')]: [person] } });

    const found = await world.ok(reader, 'POST', `posts/data/list/community/${world.communityId}`, {
      title: `quarterly ${how}`,
    });
    expect(found.items).toMatchObject([{ id: postId, customData: { [field('Owner')]: [person] } }]);

    const shown = await world.ok(reader, 'POST', `views/data/run/${view.id}`, {});
    expect(shown.items).toMatchObject([{ id: postId, customData: { [field('Owner')]: [person] } }]);
    const kept = await world.ok(reader, 'GET', `views/data/view/${view.id}`);
    expect(kept.communityPostFilters.postFieldFilters[0].parameters).toEqual([userId]);

    const detail = await world.ok(reader, 'GET', `posts/data/post-detail-by-id/${postId}`);
    const watchers = (post: { watcherUsers: { id: number }[] }) =>
      post.watcherUsers.map(({ id }) => id).sort((a, b) => a - b);
    expect(detail.watcherUsers.find(({ id }: { id: number }) => id === userId)).toMatchObject(person);
    expect(watchers(detail)).toEqual([userId, reader].sort((a, b) => a - b));
    // The list of watchers may be sent back as it was read.
    const form = await world.ok(author, 'GET', `posts/manage/post-data-for-edit/${postId}`);
    const patch = { occToken: form.occToken, watcherUserIds: watchers(detail) };
    await world.ok(author, 'POST', `posts/manage/patch-post/${postId}`, patch);
    expect(watchers(await world.ok(reader, 'GET', `posts/data/post-detail-by-id/${postId}`))).toEqual(watchers(detail));
  },
);
