/**
 * Reports of dry runs of writes with many changes: they match the changes of the same write, the
 * notified people with their reasons, and the step in the workflow. The matrix has the plain form
 * of every write.
 */
import type { OperationId } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../support/index.ts';
import { admin } from './admin-recipes.fixture.ts';
import { send } from './calls.fixture.ts';
import { dump, expectUnchanged, mark } from './dump.fixture.ts';
import { type Call, createRecipeWorld, EVENT, field, recipes, type TestWorld } from './recipes.fixture.ts';
import { sorted, tableChanges } from './table-changes.fixture.ts';

let portal: TestPortal;
let world: TestWorld;
beforeAll(async () => {
  portal = await createTestPortal();
  world = await createRecipeWorld(portal);
});
afterAll(() => portal?.close());

const mention = (id: number) =>
  JSON.stringify([
    { insert: 'See ' },
    { insert: { mention: { id: String(id), value: 'Somebody' } } },
    { insert: ' about #budget ' },
    { insert: { hashtag: { value: 'budget' } } },
    { insert: '\n' },
  ]);
const DUE = { datetime: '2031-12-31T18:00:00', timezone: 'Europe/Rome' };
const DELTA = { title: 'Much', announcement: false, descriptionFormat: 1 };

interface Case {
  id: OperationId;
  as?: 'admin';
  prepare(): Promise<Call>;
}

const file = async (name = 'f.txt') => ({ name, contentRef: await world.upload(world.people.author, name) });
const rich = (): object => ({
  ...DELTA,
  description: mention(world.people.manager),
  visibility: 1,
  customData: {
    [field(world, 'Text')]: 'text',
    [field(world, 'Number')]: 0,
    [field(world, 'People')]: [world.people.reader],
  },
});

/** A post with everything, and its token. */
async function fullPost(): Promise<{ postId: number; occToken: number; fileIds: number[] }> {
  const made = await world.ok(world.people.author, 'POST', `posts/manage/create-post/${world.communityId}`, {
    ...rich(),
    watcherUserIds: [world.people.contributor, world.people.manager],
    attachments: [await file(), await file('p.png')],
  });
  const list = await world.ok(
    world.people.author,
    'POST',
    `attachments/data/posts/${made.postId}/attachments-list`,
    {},
  );
  return {
    postId: made.postId,
    occToken: made.nextOccToken,
    fileIds: list.items.map(({ id }: { id: number }) => id),
  };
}

const taskBody = async () => ({
  title: 'To do',
  descriptionDelta: mention(world.people.manager),
  assigneeUserId: world.people.contributor,
  expiration: DUE,
  priority: 1,
  subTasks: [
    { description: 'one', state: 1 },
    { description: 'two', state: 1 },
  ],
  watcherUserIds: [world.people.reader],
  watcherGroupIds: [world.groupId],
  attachments: [await file()],
});

const cases: Record<string, Case> = {
  'a post with mentions, hashtags, values, watchers and files': {
    id: 'createCustomPost',
    prepare: async () => ({
      params: { communityId: world.communityId },
      body: {
        ...rich(),
        watcherUserIds: [world.people.contributor],
        attachments: [await file(), await file('p.png')],
        clientUid: `rich-${Math.random()}`,
      },
    }),
  },
  'a scheduled post': {
    id: 'createCustomPost',
    prepare: async () => ({
      params: { communityId: world.communityId },
      body: { ...rich(), draft: true, scheduledPublication: DUE },
    }),
  },
  'an edit that empties and takes away': {
    id: 'editCustomPost',
    prepare: async () => {
      const { postId, occToken, fileIds } = await fullPost();
      return {
        params: { postId, occToken },
        body: {
          title: 'Less',
          description: 'plain',
          descriptionFormat: 2,
          visibility: 2,
          customData: {},
          removeWatcherUserIds: [world.people.manager],
          addWatcherUserIds: [world.people.reader],
          removeAttachmentIds: [fileIds[0]],
          updateAttachments: [{ attachmentId: fileIds[1], ...(await file('new.txt')) }],
          addAttachments: [await file('third.txt')],
        },
      };
    },
  },
  'a patch that empties, and takes a watcher away': {
    id: 'patchPost',
    prepare: async () => {
      const { postId, occToken } = await fullPost();
      return { params: { postId }, body: { occToken, customData: null, watcherUserIds: null } };
    },
  },
  'an edit of custom data alone': {
    id: 'editPostCustomData',
    prepare: async () => {
      const { postId, occToken } = await fullPost();
      return { params: { postId, occToken }, body: { customData: { [field(world, 'Number')]: 7 } } };
    },
  },
  'a copy that takes a file along': {
    id: 'copyCustomPost',
    prepare: async () => {
      const { postId, occToken, fileIds } = await fullPost();
      return {
        params: { postId, occToken },
        body: { ...rich(), addAttachments: [{ attachmentId: fileIds[0] }], addWatcherUserIds: [world.people.reader] },
      };
    },
  },
  'an event with invitations': {
    id: 'createEventPost',
    prepare: async () => ({
      params: { communityId: world.communityId },
      body: {
        ...DELTA,
        description: mention(world.people.manager),
        watcherGroupIds: [world.groupId],
        event: {
          ...EVENT,
          endAt: { localDatetime: '2030-07-01T10:00:00' },
          invitations: { users: [{ id: world.people.reader, typeId: 2 }], groups: [{ id: world.groupId }] },
        },
      },
    }),
  },
  'an event whose invitations change': {
    id: 'editEventPost',
    prepare: async () => {
      const call = await recipes.editEventPost!.prepare(world);
      const invitations = { users: [{ id: world.people.reader, typeId: 0 }], sendEditPostNotifications: true };
      return { ...call, body: { ...call.body, event: { ...EVENT, location: 'Garden', invitations } } };
    },
  },
  'files put on, replaced and taken off': {
    id: 'editPostAttachments',
    prepare: async () => {
      const { postId, fileIds } = await fullPost();
      return {
        params: { postId },
        body: {
          removeAttachmentIds: [fileIds[0]],
          updateAttachments: [{ attachmentId: fileIds[1], ...(await file('new.png')) }],
          addAttachments: [await file('third.txt')],
        },
      };
    },
  },
  'a comment with a mention and a file': {
    id: 'createPostComment',
    prepare: async () => ({
      params: { postId: (await fullPost()).postId },
      body: { comment: mention(world.people.manager), attachments: [await file()] },
    }),
  },
  'a task with everything': {
    id: 'createTask',
    prepare: async () => ({ params: { postId: (await fullPost()).postId }, body: await taskBody() }),
  },
  'a task given to a group instead, with new lines and fewer people': {
    id: 'editTask',
    prepare: async () => {
      const { postId } = await fullPost();
      const made = await world.ok(world.people.author, 'POST', `tasks/manage/create-task/${postId}`, await taskBody());
      return {
        params: { taskId: made.taskId, occToken: made.nextOccToken },
        body: {
          title: 'To do',
          assigneeGroupId: world.groupId,
          expiration: DUE,
          subTasks: [{ description: 'one', state: 2 }],
          removeWatcherUserIds: [world.people.reader],
          addAttachments: [await file()],
        },
      };
    },
  },
  'the deletion of a post with all that belongs to it': {
    id: 'deletePost',
    prepare: async () => ({ params: { postId: (await fullPost()).postId } }),
  },
  'a user with all blocks': {
    id: 'createUser',
    as: 'admin',
    prepare: async () => ({
      params: {},
      body: {
        firstname: 'Una',
        lastname: 'Nuova',
        userPreferences: { defaultLanguageId: 'it', defaultTimezoneId: 1, emailNotificationsEnabled: false },
        userSettings: { reducedProfile: true, visibleInPeopleSection: false },
        userCredentialsConfiguration: {
          google: { googleAccountId: `g${Math.random()}@x.test`, enabled: true },
          custom: { username: `u${Math.random()}`, active: true },
        },
        resetUserCustomCredentialsCommand: { generatePassword: true, forceCredentialsExpiration: true },
      },
    }),
  },
  'the deletion of a user who is in groups': {
    id: 'deleteUser',
    as: 'admin',
    prepare: async () => {
      const { userId } = await admin(world, 'POST', 'users', { firstname: 'In', lastname: 'Groups' });
      await admin(world, 'POST', 'groups', { name: 'One', visible: true, memberIds: [userId] });
      await admin(world, 'POST', 'groups', { name: 'Two', visible: true, memberIds: [userId, world.people.reader] });
      return { params: { userId } };
    },
  },
  'a group whose members are replaced': {
    id: 'editGroup',
    as: 'admin',
    prepare: async () => {
      const body = { name: 'Some', visible: true, memberIds: [world.people.reader] };
      const made = await admin(world, 'POST', 'groups', body);
      return {
        params: { groupId: made.groupId },
        body: { ...body, memberIds: [world.people.author], occToken: made.nextOccToken },
      };
    },
  },
  'a workspace that people come to and leave': {
    id: 'editWorkspace',
    as: 'admin',
    prepare: async () => {
      const call = await recipes.editWorkspace!.prepare(world);
      return {
        ...call,
        body: {
          name: `Office ${Math.random()}`,
          description: { en: 'Here' },
          addUserIds: [world.people.outsider],
          addGroupIds: [world.groupId],
          addUserRoleAssociations: [{ userId: world.people.outsider, roleId: 2 }],
        },
      };
    },
  },
};

describe.each(Object.entries(cases))('%s', (_name, { id, as, prepare }) => {
  test('is told as it is then done, and leaves every row as it was', async () => {
    const call = await prepare();
    const userId = as === 'admin' ? world.people.admin : world.people.author;
    const [before, marked] = [await dump(world), await mark(world)];
    const dry = await send(world, userId, id, call, { dryRun: true });
    expect(dry.status, dry.text).toBe(200);
    await expectUnchanged(world, marked);
    const real = await send(world, userId, id, call);
    expect(real.status, real.text).toBe(200);
    const done = tableChanges(before, await dump(world));
    expect(sorted(dry.body.dryRun.changes)).toEqual(done);
    expect(done.length).toBeGreaterThan(0);
  });
});

const dryRunOf = async (userId: number, id: OperationId, call: Call) => {
  const answer = await send(world, userId, id, call, { dryRun: true });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

test('new objects have the ids by which the answer calls them; fields are named as the contract names them', async () => {
  const { postId, postData, dryRun } = await dryRunOf(world.people.author, 'createCustomPost', {
    params: { communityId: world.communityId },
    body: { ...rich(), watcherUserIds: [world.people.contributor], attachments: [await file()] },
  });
  const [post, attachment] = dryRun.changes;
  expect(post).toMatchObject({ entity: 'post', id: postId, action: 'created' });
  expect(attachment).toMatchObject({ entity: 'attachment', id: postData.attachments[0].id, action: 'created' });
  for (const name of [
    ...['title', 'description', 'visibility', 'watcherUsers', 'mentions', 'hashtags', 'attachmentsCount', 'occToken'],
    ...['Text', 'Number', 'People'].map((label) => `customData.${field(world, label)}`),
  ]) {
    expect(post.fields).toContain(name);
  }
  expect(post.fields).not.toContain('commentsCount');
});

test('an upload that would begin is told by its reference', async () => {
  const answer = await world.tenant.request(
    world.people.author,
    'POST',
    '/portal/api/external/v2/core/storage/upload-new-attachment?dryRun=true',
  );
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.dryRun.changes).toEqual([{ entity: 'file', action: 'created', fields: ['contentRef'] }]);
});

describe('notifications', () => {
  const told = (dryRun: { notifications: { userId: number; description: string }[] }) =>
    dryRun.notifications.map(({ userId, description }) => [userId, description]);

  test('go to whom an event names and to who watches, each with the reason', async () => {
    const { author, contributor, manager, reader } = world.people;
    const { postId } = await fullPost();
    const body = { comment: mention(reader) };
    // The post is private; the reader sees it, being held in a field only if that extends visibility, which it does not.
    const comment = await dryRunOf(author, 'createPostComment', { params: { postId }, body });
    expect(told(comment.dryRun)).toEqual([
      [manager, 'Comment added: “Much”. Told because the user watches the post.'],
      [contributor, 'Comment added: “Much”. Told because the user watches the post.'],
    ]);
    await world.ok(author, 'PUT', `posts/manage/edit-post-watchers/${postId}`, { addWatcherUserIds: [reader] });
    const again = await dryRunOf(author, 'createPostComment', { params: { postId }, body });
    expect(told(again.dryRun)).toContainEqual([
      reader,
      'Mentioned in a comment: “Much”. Told because the user is mentioned in the comment.',
    ]);
  });

  test('tell nobody of drafts', async () => {
    const { dryRun } = await dryRunOf(world.people.author, 'createCustomPost', {
      params: { communityId: world.communityId },
      body: { ...rich(), draft: true, watcherUserIds: [world.people.contributor] },
    });
    expect(dryRun.notifications).toEqual([]);
  });
});

describe('the workflow', () => {
  test('a step names the transition and both states, a new post the state it begins in', async () => {
    const run = await dryRunOf(
      world.people.author,
      'executePostWorkflowOperation',
      await recipes.executePostWorkflowOperation!.prepare(world),
    );
    expect(run.dryRun.workflow).toMatchObject({
      fromState: { name: 'Open', initState: true, terminal: false },
      toState: { name: 'Open' },
      operation: { id: world.workflow!.transitionIds[0], name: 'Hand in' },
    });
    const made = await dryRunOf(
      world.people.author,
      'createCustomPost',
      await recipes.createCustomPost!.prepare(world),
    );
    expect(made.dryRun.workflow).toMatchObject({ toState: { name: 'Open' } });
    expect(made.dryRun.workflow.fromState).toBeUndefined();
    expect(made.dryRun.workflow.operation).toBeUndefined();
    const edited = await dryRunOf(world.people.author, 'editCustomPost', await recipes.editCustomPost!.prepare(world));
    expect(edited.dryRun.workflow).toBeUndefined();
  });
});

test('fifty at once on one post, each tells of itself alone, and nothing is left', async () => {
  const { postId } = await fullPost();
  const before = await mark(world);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      send(
        world,
        at % 2 ? world.people.author : world.people.manager,
        'createPostComment',
        { params: { postId }, body: { comment: `c${at}`, commentFormat: 2 } },
        { dryRun: true },
      ),
    ),
  );
  for (const { status, body, text } of answers) {
    expect(status, text).toBe(200);
    expect(body.dryRun.changes.map(({ entity, action }: Record<string, string>) => `${entity} ${action}`)).toEqual([
      'post modified',
      'comment created',
    ]);
  }
  await expectUnchanged(world, before);
});
