/** For each write of the contract: a way to create its object, and further cases. */
import { type OperationId, TaskState } from '@portico/contract';
import { createCommunity, setCommunityRoles } from '../../src/modules/communities/index.ts';
import type { TestPortal } from '../support/index.ts';
import { createTestWorld, type TestWorld } from '../support/test-world.ts';
import { acknowledgementRecipes } from './acknowledgement-recipes.fixture.ts';
import { adminRecipes, entry } from './admin-recipes.fixture.ts';
import { bulkRecipes } from './bulk-recipes.fixture.ts';
import { communityRecipes } from './community-recipes.fixture.ts';
import { definitionRecipes } from './definition-recipes.fixture.ts';
import { postFields, verdictScreen } from './definitions.fixture.ts';
import { importRecipes } from './import-recipes.fixture.ts';
import { notificationRecipes } from './notification-recipes.fixture.ts';
import { ownAccountRecipes } from './own-account-recipes.fixture.ts';
import { passkeyRecipes } from './passkey-recipes.fixture.ts';
import { peopleRecipes } from './people-recipes.fixture.ts';
import type { Body, Call, Kind, Recipe } from './recipe-types.fixture.ts';
import { templateRecipes } from './template-recipes.fixture.ts';
import { view, viewRecipes } from './view-recipes.fixture.ts';
import { webhookRecipes } from './webhook-recipes.fixture.ts';

export type { Body, Call, Kind, Recipe, TestWorld };

export const EVENT = { startAt: { localDatetime: '2030-07-01T09:00:00' }, timezone: 'Europe/Rome', location: 'Hall' };
const DUE = { datetime: '2031-12-31T18:00:00', timezone: 'Europe/Rome' };
const TEXT = { title: 'A title', description: 'Some text', descriptionFormat: 2 };

/** A tenant with a community, a workflow whose open state has an editable screen, and fields. */
export function createRecipeWorld(portal: TestPortal): Promise<TestWorld> {
  return createTestWorld(portal, {
    hashtags: ['budget'],
    workflow: () => ({
      title: 'Review',
      states: [
        { name: 'Open', initial: true, screen: 'Verdict', edit: { roles: [1], byAuthor: true } },
        { name: 'Done', terminal: true },
      ],
      transitions: [{ name: 'Hand in', from: 'Open', to: 'Open', screen: 'Verdict', run: { byAuthor: true } }],
      ...verdictScreen,
    }),
    fields: postFields(),
  });
}

export const field = (world: TestWorld, label: string) => String(world.fieldIds.get(label));
const screenField = (world: TestWorld, label: string) => String(world.workflow!.fields.get(label)!.id);

async function postToken(world: TestWorld, postId: number): Promise<number> {
  return (await world.ok(world.people.author, 'GET', `posts/manage/post-data-for-edit/${postId}`)).occToken;
}
async function post(world: TestWorld): Promise<{ postId: number; occToken: number }> {
  const postId = await world.post(world.people.author);
  return { postId, occToken: await postToken(world, postId) };
}
async function event(world: TestWorld): Promise<{ postId: number; occToken: number }> {
  const made = await world.ok(world.people.author, 'POST', `posts/manage/create-event-post/${world.communityId}`, {
    ...TEXT,
    announcement: false,
    event: EVENT,
  });
  return { postId: made.postId, occToken: made.nextOccToken };
}
async function task(world: TestWorld): Promise<{ taskId: number; occToken: number }> {
  const { postId } = await post(world);
  const made = await world.ok(world.people.author, 'POST', `tasks/manage/create-task/${postId}`, {
    title: 'To do',
    assigneeUserId: world.people.contributor,
    expiration: DUE,
  });
  return { taskId: made.taskId, occToken: made.nextOccToken };
}
/** Another community in which people have the same roles. */
async function otherCommunity({ tenant, people, workspaceId }: TestWorld): Promise<number> {
  const admin = await tenant.scope(people.admin);
  const communityId = await createCommunity(admin, { workspaceId, name: 'Elsewhere' });
  await setCommunityRoles(admin, communityId, [
    { principal: people.manager, role: 1 },
    { principal: people.author, role: 2 },
    { principal: people.contributor, role: 2 },
    { principal: people.reader, role: 3 },
  ]);
  return communityId;
}

async function attachment(world: TestWorld, postId: number): Promise<number> {
  const made = await world.ok(world.people.author, 'PUT', `posts/manage/edit-post-attachments/${postId}`, {
    addAttachments: [{ name: 'a.txt', contentRef: await world.upload(world.people.author) }],
  });
  return made.addedAttachments[0].id;
}

async function comment(world: TestWorld): Promise<number> {
  const { postId } = await post(world);
  const body = { comment: 'c', commentFormat: 2 };
  return (await world.ok(world.people.author, 'POST', `posts/manage/create-comment/${postId}`, body)).comment.id;
}

/** An existing object of each kind, for asking with another tenant's ids. */
export async function idsOf(world: TestWorld): Promise<Record<Kind, number>> {
  const { postId } = await post(world);
  const [workspace] = await world.rows<{ id: number }>('SELECT id FROM workspaces WHERE tenant_id = $1');
  const { catalogId, entryId } = await entry(world);
  return {
    postId,
    communityId: world.communityId,
    userId: world.people.contributor,
    groupId: world.groupId,
    catalogId,
    entryId,
    workspaceId: workspace!.id,
    taskId: (await task(world)).taskId,
    workflowOperationId: world.workflow!.transitionIds[0]!,
    attachmentId: await attachment(world, postId),
    commentId: await comment(world),
    viewId: await view(world),
  };
}

const POST_FAULTS: Recipe['refused'] = [
  { change: { title: 'x'.repeat(1001) }, faults: ['title TEXT_TOO_LONG'] },
  {
    change: {
      customData: { 999999: 'x' },
      scheduledPublication: { datetime: '2031-01-01T00:00:00', timezone: 'Nowhere' },
    },
    faults: ['customData.# UNKNOWN_FIELD', 'scheduledPublication.timezone INVALID_TIME_ZONE'],
  },
];
const watcher = (key: string): NonNullable<Recipe['references']>[number] => ({
  kind: 'userId',
  change: (id) => ({ [key]: [id] }),
});
const file = (key: string): NonNullable<Recipe['references']>[number] => ({
  kind: 'attachmentId',
  change: (attachmentId) => ({ [key]: [{ attachmentId }] }),
});

/** Recipes by operation id. */
export const recipes: Partial<Record<OperationId, Recipe>> = {
  ...adminRecipes,
  ...peopleRecipes,
  ...communityRecipes,
  ...definitionRecipes,
  ...passkeyRecipes,
  ...ownAccountRecipes,
  ...bulkRecipes,
  ...acknowledgementRecipes,
  ...notificationRecipes,
  ...webhookRecipes,
  ...viewRecipes,
  ...importRecipes,
  ...templateRecipes,
  createCustomPost: {
    by: 'author',
    prepare: async (world) => ({
      params: { communityId: world.communityId },
      body: { ...TEXT, announcement: false, customData: { [field(world, 'Text')]: 'value' } },
    }),
    other: { title: 'Another' },
    refused: POST_FAULTS,
    references: [watcher('watcherUserIds'), file('attachments')],
  },
  editCustomPost: {
    by: 'author',
    token: 'occToken',
    prepare: async (world) => ({ params: await post(world), body: { ...TEXT, title: 'Edited' } }),
    other: { title: 'Another' },
    refused: [
      ...POST_FAULTS,
      {
        change: { title: undefined, description: undefined },
        faults: ['description REQUIRED_FIELD', 'title REQUIRED_FIELD'],
      },
    ],
    references: [watcher('addWatcherUserIds'), file('addAttachments')],
  },
  patchPost: {
    by: 'author',
    token: 'body.occToken',
    prepare: async (world) => {
      const { postId, occToken } = await post(world);
      return { params: { postId }, body: { title: 'Edited', customData: { [field(world, 'Text')]: 'new' }, occToken } };
    },
    other: { title: 'Another' },
    refused: [
      ...POST_FAULTS,
      { change: { visibility: null, draft: null }, faults: ['draft INVALID_VALUE', 'visibility INVALID_VALUE'] },
    ],
    references: [
      watcher('watcherUserIds'),
      { kind: 'groupId', change: (id) => ({ watcherGroupIds: [id] }) },
      file('addAttachments'),
    ],
  },
  movePost: {
    by: 'author',
    token: 'body.occToken',
    prepare: async (world) => {
      const path = `posts/manage/create-post/${await otherCommunity(world)}`;
      const made = await world.ok(world.people.author, 'POST', path, { ...TEXT, announcement: false });
      return { params: { postId: made.postId }, body: { communityId: world.communityId, occToken: made.nextOccToken } };
    },
    other: { fieldMapping: [] },
    refused: [
      { change: { communityId: undefined }, faults: ['communityId REQUIRED_FIELD'] },
      { change: { fieldMapping: [{ fromId: 999_999 }] }, faults: ['fieldMapping[0].fromId UNKNOWN_REFERENCE'] },
      { change: { stateId: 999_999 }, faults: ['stateId INVALID_VALUE'] },
    ],
    references: [{ kind: 'communityId', change: (communityId) => ({ communityId }) }],
  },
  restorePostVersion: {
    by: 'author',
    token: 'body.occToken',
    prepare: async (world) => {
      const { postId, occToken } = await post(world);
      const body = { title: 'Edited', customData: { [field(world, 'Text')]: 'new' }, occToken };
      const { nextOccToken } = await world.ok(world.people.author, 'POST', `posts/manage/patch-post/${postId}`, body);
      const { items } = await world.ok(world.people.author, 'POST', `posts/data/versions/${postId}`, {});
      return { params: { postId }, body: { versionNumber: items.at(-1).versionNumber, occToken: nextOccToken } };
    },
    other: { versionNumber: 0 },
    refused: [{ change: { versionNumber: undefined }, faults: ['versionNumber REQUIRED_FIELD'] }],
  },
  editPostCustomData: {
    by: 'author',
    token: 'occToken',
    prepare: async (world) => ({ params: await post(world), body: { customData: { [field(world, 'Text')]: 'new' } } }),
    other: { customData: {} },
    refused: [{ change: { tables: [{ id: 1 }] }, faults: ['tables INVALID_VALUE'] }],
  },
  copyCustomPost: {
    by: 'author',
    token: 'occToken',
    keepsToken: true,
    prepare: async (world) => ({ params: await post(world), body: { ...TEXT, announcement: false } }),
    other: { title: 'Another' },
    refused: POST_FAULTS,
    references: [watcher('addWatcherUserIds'), file('addAttachments')],
  },
  createEventPost: {
    by: 'author',
    prepare: async (world) => ({
      params: { communityId: world.communityId },
      body: { ...TEXT, announcement: false, event: EVENT },
    }),
    other: { title: 'Another' },
    refused: [{ change: { event: {} }, faults: ['event.startAt REQUIRED_FIELD'] }],
    references: [
      watcher('watcherUserIds'),
      { kind: 'groupId', change: (id) => ({ watcherGroupIds: [id] }) },
      { kind: 'userId', change: (id) => ({ event: { ...EVENT, invitations: { users: [{ id, typeId: 0 }] } } }) },
    ],
  },
  editEventPost: {
    by: 'author',
    token: 'occToken',
    prepare: async (world) => ({ params: await event(world), body: { ...TEXT, title: 'Edited', event: EVENT } }),
    other: { title: 'Another' },
    refused: [{ change: { event: {} }, faults: ['event.startAt REQUIRED_FIELD'] }],
    references: [watcher('addWatcherUserIds')],
  },
  copyEventPost: {
    by: 'author',
    token: 'occToken',
    keepsToken: true,
    prepare: async (world) => ({ params: await event(world), body: { ...TEXT, announcement: false, event: EVENT } }),
    other: { title: 'Another' },
    refused: [{ change: { event: {} }, faults: ['event.startAt REQUIRED_FIELD'] }],
  },
  uploadNewFile: { by: 'author', open: 'anyone', prepare: async () => ({ params: {} }) },
  editPostEventPartecipate: {
    by: 'author',
    open: 'seen',
    prepare: async (world) => ({ params: { postId: (await event(world)).postId }, body: { typeId: 1 } }),
    other: { typeId: 2 },
    refused: [{ change: { typeId: 9 }, faults: ['typeId INVALID_VALUE'] }],
  },
  editPostWatchers: {
    by: 'author',
    prepare: async (world) => ({
      params: { postId: (await post(world)).postId },
      body: { addWatcherUserIds: [world.people.contributor] },
    }),
    other: { addWatcherUserIds: [] },
    refused: [{ change: { addWatcherUserIds: [999999] }, faults: ['addWatcherUserIds[0] UNKNOWN_REFERENCE'] }],
    references: [watcher('addWatcherUserIds')],
  },
  editPostAttachments: {
    by: 'author',
    prepare: async (world) => ({
      params: { postId: (await post(world)).postId },
      body: { addAttachments: [{ name: 'f.txt', contentRef: await world.upload(world.people.author) }] },
    }),
    other: { addAttachments: [] },
    refused: [
      {
        change: { addAttachments: [{ name: 'f', contentRef: 'f'.repeat(64) }], restoreAttachmentIds: [999999] },
        faults: ['addAttachments[0].contentRef CONTENT_REF_INVALID', 'restoreAttachmentIds[0] UNKNOWN_REFERENCE'],
      },
    ],
    references: [file('addAttachments')],
  },
  markPostAsErasable: { by: 'author', prepare: async (world) => ({ params: { postId: (await post(world)).postId } }) },
  restorePost: {
    by: 'author',
    hidden: true,
    prepare: async (world) => {
      const { postId } = await post(world);
      await world.ok(world.people.author, 'DELETE', `posts/manage/delete-post/${postId}`);
      return { params: { postId } };
    },
  },
  restorePostComment: {
    by: 'author',
    prepare: async (world) => {
      const commentId = await comment(world);
      await world.ok(world.people.author, 'DELETE', `comments/manage/comment/${commentId}`);
      return { params: { commentId } };
    },
  },
  editTaskReminders: {
    by: 'author',
    prepare: async (world) => ({
      params: { taskId: (await task(world)).taskId },
      body: { reminders: [{ value: 1, range: 3 }] },
    }),
    other: { reminders: [{ value: 2, range: 3 }] },
    refused: [
      { change: { reminders: undefined }, faults: ['reminders REQUIRED_FIELD'] },
      { change: { reminders: [{ value: -1, range: 3 }] }, faults: ['reminders[0].value INVALID_VALUE'] },
    ],
  },
  restoreTask: {
    by: 'author',
    prepare: async (world) => {
      const { taskId } = await task(world);
      await world.ok(world.people.author, 'DELETE', `tasks/manage/delete-task/${taskId}`);
      return { params: { taskId } };
    },
  },
  editPostPin: {
    by: 'manager',
    prepare: async (world) => ({ params: { postId: (await post(world)).postId }, body: { pinned: true } }),
    other: { pinned: false },
    refused: [{ change: { pinned: 'no' }, faults: ['pinned INVALID_TYPE'] }],
  },
  editPostAnnouncement: {
    by: 'manager',
    prepare: async (world) => ({ params: { postId: (await post(world)).postId }, body: { announcement: true } }),
    other: { announcement: false },
    refused: [{ change: { announcement: 'no' }, faults: ['announcement INVALID_TYPE'] }],
  },
  editPostRead: {
    by: 'author',
    open: 'seen',
    quiet: true,
    prepare: async (world) => ({ params: { postId: (await post(world)).postId }, body: { read: false } }),
    other: { read: true },
    refused: [{ change: { read: 'no' }, faults: ['read INVALID_TYPE'] }],
  },
  deletePost: { by: 'author', prepare: async (world) => ({ params: { postId: (await post(world)).postId } }) },
  createPostComment: {
    by: 'author',
    prepare: async (world) => ({
      params: { postId: (await post(world)).postId },
      body: { comment: 'Well', commentFormat: 2 },
    }),
    other: { comment: 'Hm' },
    refused: [
      {
        change: { comment: undefined, clientUid: 'x'.repeat(256) },
        faults: ['clientUid TEXT_TOO_LONG', 'comment REQUIRED_FIELD'],
      },
    ],
    references: [{ kind: 'commentId', change: (parentCommentId) => ({ parentCommentId }) }],
  },
  editPostComment: {
    by: 'author',
    token: 'body.occToken',
    prepare: async (world) => ({
      params: { commentId: await comment(world) },
      body: { comment: 'Better', commentFormat: 2, occToken: 1 },
    }),
    other: { comment: 'Worse' },
    refused: [
      {
        change: { comment: undefined, removeAttachmentIds: [999999] },
        faults: ['comment REQUIRED_FIELD', 'removeAttachmentIds[0] UNKNOWN_REFERENCE'],
      },
    ],
    references: [file('addAttachments')],
  },
  editPostLike: {
    by: 'author',
    open: 'seen',
    prepare: async (world) => ({ params: { postId: (await post(world)).postId }, body: { liked: true } }),
    other: { liked: false },
    refused: [{ change: { liked: 'no' }, faults: ['liked INVALID_TYPE'] }],
  },
  editPostCommentLike: {
    by: 'author',
    open: 'seen',
    prepare: async (world) => ({ params: { commentId: await comment(world) }, body: { liked: true } }),
    other: { liked: false },
    refused: [{ change: { liked: 'no' }, faults: ['liked INVALID_TYPE'] }],
  },
  deletePostComment: { by: 'author', prepare: async (world) => ({ params: { commentId: await comment(world) } }) },
  executePostWorkflowOperation: {
    by: 'author',
    token: 'body.screenOccToken',
    prepare: async (world) => ({
      params: { postId: (await post(world)).postId, workflowOperationId: world.workflow!.transitionIds[0]! },
      body: { screenData: { [screenField(world, 'Reason')]: 'since' }, screenOccToken: 1 },
    }),
    other: { deltaAreaFormat: 2 },
    refused: [{ change: { screenData: {} }, faults: ['screenData.# REQUIRED_FIELD'] }],
  },
  editPostWorkflowScreenData: {
    by: 'author',
    token: 'screenOccToken',
    prepare: async (world) => {
      const { postId } = await post(world);
      const path = `posts/manage/edit-post-workflow-screen-data/${postId}/1`;
      await world.ok(world.people.author, 'PUT', path, { screenData: { [screenField(world, 'Reason')]: 'first' } });
      return {
        params: { postId, screenOccToken: 2 },
        body: { screenData: { [screenField(world, 'Reason')]: 'since' } },
      };
    },
    other: { deltaAreaFormat: 2 },
    refused: [{ change: { screenData: {} }, faults: ['screenData.# REQUIRED_FIELD'] }],
  },
  createTask: {
    by: 'author',
    prepare: async (world) => ({
      params: { postId: (await post(world)).postId },
      body: { title: 'Do it', assigneeUserId: world.people.contributor, expiration: DUE },
    }),
    other: { title: 'Do that' },
    refused: [
      {
        change: { assigneeUserId: undefined, expiration: undefined, clientUid: 'x'.repeat(256) },
        faults: ['assignee INVALID_VALUE', 'clientUid TEXT_TOO_LONG', 'expiration REQUIRED_FIELD'],
      },
    ],
    references: [
      { kind: 'userId', change: (assigneeUserId) => ({ assigneeUserId }) },
      { kind: 'groupId', change: (assigneeGroupId) => ({ assigneeUserId: undefined, assigneeGroupId }) },
      watcher('watcherUserIds'),
      { kind: 'groupId', change: (id) => ({ watcherGroupIds: [id] }) },
    ],
  },
  editTask: {
    by: 'author',
    token: 'occToken',
    prepare: async (world) => ({
      params: await task(world),
      body: { title: 'Changed', assigneeUserId: world.people.contributor, expiration: DUE },
    }),
    other: { title: 'Do that' },
    refused: [
      {
        change: { assigneeUserId: undefined, expiration: undefined },
        faults: ['assignee INVALID_VALUE', 'expiration REQUIRED_FIELD'],
      },
    ],
    references: [
      { kind: 'userId', change: (assigneeUserId) => ({ assigneeUserId }) },
      { kind: 'groupId', change: (assigneeGroupId) => ({ assigneeUserId: undefined, assigneeGroupId }) },
      watcher('addWatcherUserIds'),
    ],
  },
  setTaskState: {
    by: 'author',
    prepare: async (world) => ({ params: { taskId: (await task(world)).taskId }, body: { state: TaskState.CLOSED } }),
    refused: [
      { change: { state: undefined }, faults: ['state REQUIRED_FIELD'] },
      { change: { subTasks: [{ id: 1, state: 2 }] }, faults: ['subTasks[0].id UNKNOWN_REFERENCE'] },
    ],
  },
  reassignTasks: {
    by: 'author',
    open: 'anyone',
    prepare: async (world) => ({
      params: {},
      body: { taskIds: [(await task(world)).taskId], assigneeUserId: world.people.manager },
    }),
    refused: [
      { change: { taskIds: undefined }, faults: ['taskIds REQUIRED_FIELD'] },
      { change: { taskIds: [7, 7] }, faults: ['taskIds[1] DUPLICATE_VALUE'] },
      { change: { assigneeUserId: undefined }, faults: ['assignee INVALID_VALUE'] },
    ],
    references: [
      { kind: 'taskId', change: (id) => ({ taskIds: [id] }) },
      { kind: 'userId', change: (assigneeUserId) => ({ assigneeUserId }) },
      { kind: 'groupId', change: (assigneeGroupId) => ({ assigneeUserId: undefined, assigneeGroupId }) },
    ],
  },
  deleteTask: { by: 'author', prepare: async (world) => ({ params: { taskId: (await task(world)).taskId } }) },
};
