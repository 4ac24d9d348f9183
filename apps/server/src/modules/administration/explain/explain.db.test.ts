/**
 * Explanations agree with the behaviour of operations, and name nothing that the reader may not
 * see.
 */
import { CapabilityScope, type Explanation, type ExplanationReason } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longForm } from '../../../../test/support/long-form.ts';
import { TestRandom } from '../../../../test/support/random.ts';
import {
  createTestPortal,
  createTestWorld,
  faults,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import type { CommunityRole, OpenToRole } from '../../../kernel/scope.ts';
import { setCommunityRoles } from '../../communities/index.ts';
import { reviewWorld } from './explain.fixture.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(() => portal?.close());

const of = (items: readonly Explanation[], capability: string, scope?: CapabilityScope) =>
  items.find((item) => item.capability === capability && (scope === undefined || item.scope === scope))!;
const words = (reason: ExplanationReason | undefined): string[] =>
  [reason?.name ?? '', reason?.text ?? '', ...(reason?.reasons ?? []).flatMap(words)].filter(Boolean);

/** Creates a community with random switches, roles and workflow. */
async function randomWorld(random: TestRandom): Promise<TestWorld> {
  const roles = () => random.subset([1, 2, 3] as OpenToRole[], 0.3);
  const world = await createTestWorld(portal, {
    community: {
      draft: random.chance(0.3),
      likeEnabled: random.chance(0.5),
      attachmentEnabled: random.chance(0.7),
      eventsEnabled: random.chance(0.5),
      commentsHiddenFromReaders: random.chance(0.5),
      acknowledgeTaskEnabled: random.chance(0.7),
      workspaceMemberRole: random.pick([null, 3, 2]),
    },
    workflow: ({ groupId }) => {
      const open = () => ({ roles: roles(), groupIds: random.subset([groupId]), byAuthor: random.chance(0.4) });
      return {
        title: 'Flow',
        states: [
          { name: 'New', initial: true, screen: 'Form', edit: open() },
          { name: 'Open', screen: 'Form', edit: open() },
          { name: 'Done', terminal: true },
        ],
        transitions: ['New Open', 'New Done', 'Open Done', 'Open New', 'Done New'].map((leads) => ({
          name: leads,
          from: leads.split(' ')[0]!,
          to: leads.split(' ')[1]!,
          run: open(),
        })),
        screens: [{ name: 'Form', fields: [] }],
      };
    },
  });
  const { people, groupId, tenant, communityId, workspaceId, db } = world;
  const choose = (principal: number) => ({
    principal,
    role: random.pick([1, 2, 3, 5, null] as (CommunityRole | null)[]),
  });
  await setCommunityRoles(await tenant.scope(people.admin), communityId, [
    ...[people.author, people.contributor, people.reader].map(choose),
    choose(-groupId),
  ]);
  await db.execute(`INSERT INTO workspace_members (tenant_id, workspace_id, principal) VALUES ($1, $2, $3)`, [
    db.tenantId,
    workspaceId,
    people.outsider,
  ]);
  await db.execute('UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1', [
    db.tenantId,
  ]);
  return world;
}

interface Subject {
  postId: number;
  commentId: number;
  taskId: number;
  viewId: number;
}

/**
 * Creates a post of the manager or of somebody else, in a random state, with a comment and a task.
 */
async function randomPost(world: TestWorld, random: TestRandom): Promise<Subject> {
  const { people, db, workflow, groupId } = world;
  const postId = await world.post(people.manager, { visibility: random.pick([1, 2]) });
  const { comment } = await world.ok(people.manager, 'POST', `posts/manage/create-comment/${postId}`, {
    comment: 'Hello',
    commentFormat: 2,
  });
  const { taskId } = await world.ok(people.manager, 'POST', `tasks/manage/create-task/${postId}`, {
    title: 'Do it',
    expiration: { datetime: '2031-12-31T18:00:00', timezone: 'UTC' },
    assigneeUserId: people.manager,
  });
  const somebody = () => random.pick(Object.values(people));
  await db.execute(
    `INSERT INTO tasks (tenant_id, post_id, type, assignee, creator_id, modifier_id, created_at, modified_at)
     SELECT $1, $2, 2, u, $3, $3, now(), now() FROM unnest($4::bigint[]) u`,
    [db.tenantId, postId, people.manager, random.subset(Object.values(people), 0.5)],
  );
  await db.execute(`UPDATE posts SET creator_id = $3, state_id = $4, draft = $5 WHERE tenant_id = $1 AND id = $2`, [
    db.tenantId,
    postId,
    somebody(),
    random.pick([...workflow!.states.values(), null]),
    random.chance(0.15),
  ]);
  await db.execute('UPDATE comments SET creator_id = $3 WHERE tenant_id = $1 AND id = $2', [
    db.tenantId,
    comment.id,
    somebody(),
  ]);
  await db.execute('UPDATE tasks SET creator_id = $3, assignee = $4 WHERE tenant_id = $1 AND id = $2', [
    db.tenantId,
    taskId,
    somebody(),
    random.pick([...Object.values(people), -groupId]),
  ]);
  if (random.chance(0.5))
    await db.execute(
      `INSERT INTO post_grants (tenant_id, post_id, principal, source, source_id) VALUES ($1, $2, $3, 2, 0) ON CONFLICT DO NOTHING`,
      [db.tenantId, postId, random.pick([people.reader, people.outsider, -groupId])],
    );
  const view = { name: 'All', shared: random.chance(0.7) };
  const { id: viewId } = await world.ok(people.manager, 'POST', `views/manage/create-view/${world.communityId}`, view);
  return { postId, commentId: comment.id, taskId, viewId };
}

/**
 * Returns attempts on a post: the object, its capability, and a request that the capability
 * permits.
 */
function attempts({ postId, commentId, taskId, viewId }: Subject, screenVersion: number) {
  const dry = '?dryRun=true';
  const comment = { comment: 'Hello', commentFormat: 2 };
  const posts = 'posts/manage';
  return [
    ['post', 'canViewDetail', 'GET', `posts/data/post-detail-by-id/${postId}`],
    ['post', 'canModify', 'PUT', `${posts}/edit-post/${postId}/0${dry}`, {}],
    ['post', 'canCopy', 'GET', `${posts}/post-data-for-copy/${postId}`],
    ['post', 'canDelete', 'DELETE', `${posts}/delete-post/${postId}${dry}`],
    ['post', 'canViewComment', 'POST', `posts/data/comments-list/${postId}`, {}],
    ['post', 'canAddComment', 'POST', `${posts}/create-comment/${postId}${dry}`, comment],
    ['post', 'canEditLike', 'PUT', `${posts}/like/${postId}${dry}`, { liked: true }],
    ['post', 'canEditFollow', 'PUT', `${posts}/following/${postId}${dry}`, { following: 1 }],
    ['post', 'canEditAttachments', 'PUT', `${posts}/edit-post-attachments/${postId}${dry}`, {}],
    ['post', 'canCreateTask', 'POST', `tasks/manage/create-task/${postId}${dry}`, {}],
    ['post', 'canPin', 'PUT', `${posts}/pin/${postId}${dry}`, {}],
    ['post', 'canAnnounce', 'PUT', `${posts}/announcement/${postId}${dry}`, {}],
    ['post', 'canRequestAcknowledgements', 'POST', `${posts}/request-acknowledgements/${postId}${dry}`, {}],
    ['post', 'canAcknowledge', 'POST', `${posts}/acknowledge/${postId}${dry}`],
    [
      'post',
      'canEditWorkflowScreenData',
      'PUT',
      `${posts}/edit-post-workflow-screen-data/${postId}/${screenVersion}${dry}`,
      {},
    ],
    ['comment', 'canEdit', 'GET', `comments/manage/comment/${commentId}`],
    ['comment', 'canDelete', 'DELETE', `comments/manage/comment/${commentId}${dry}`],
    ['comment', 'canEditLike', 'PUT', `comments/manage/like/${commentId}${dry}`, { liked: true }],
    [
      'comment',
      'canReply',
      'POST',
      `${posts}/create-comment/${postId}${dry}`,
      { ...comment, parentCommentId: commentId },
    ],
    ['task', 'canViewDetail', 'GET', `tasks/data/task-detail-by-id/${taskId}`],
    ['task', 'canModify', 'PUT', `tasks/manage/edit-task/${taskId}/0${dry}`, {}],
    ['task', 'canUpdateState', 'POST', `tasks/manage/set-task-state/${taskId}${dry}`, {}],
    ['task', 'canEditReminders', 'PUT', `tasks/manage/reminders/${taskId}${dry}`, {}],
    ['task', 'canDelete', 'DELETE', `tasks/manage/delete-task/${taskId}${dry}`],
    ['view', 'canView', 'GET', `views/data/view/${viewId}`],
    ['view', 'canEdit', 'DELETE', `views/manage/view/${viewId}${dry}`],
  ] as const;
}

async function permits(world: TestWorld, userId: number, method: string, path: string, body?: unknown) {
  const { status, body: answer, text } = await world.send(userId, method, path, body);
  expect(status, `${method} ${path}: ${text}`).toBeLessThan(500);
  return !(status === 403 || status === 404 || answer?.code === 'WORKFLOW_OPERATION_NOT_PERMITTED');
}

describe('the verdict', () => {
  test.each(longForm ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2, 3])(
    'is what the operation does, on random rights and states (seed %i)',
    async (seed) => {
      const random = new TestRandom(seed);
      const world = await randomWorld(random);
      const { people, communityId, workflow } = world;
      const subject = await randomPost(world, random);
      const [post] = await world.rows<{ version: number; draft: boolean }>(
        'SELECT screen_version AS version, draft FROM posts WHERE tenant_id = $1 AND id = $2',
        [subject.postId],
      );
      const paths = {
        post: `posts/data/explain/${subject.postId}`,
        comment: `comments/data/explain/${subject.commentId}`,
        task: `tasks/data/explain/${subject.taskId}`,
        view: `views/data/explain/${subject.viewId}`,
        community: `settings/communities/${communityId}/explain`,
      };
      const differences: string[] = [];
      const verdicts = { true: 0, false: 0 };
      for (const [who, userId] of Object.entries(people)) {
        const asked = new Map<string, Explanation[]>();
        for (const [object, path] of Object.entries(paths)) {
          const own = await world.send(userId, 'GET', path);
          // A person who sees nothing of a post gets no explanation of it, but a manager gets one for them.
          const told = own.status === 404 ? await world.send(people.manager, 'GET', `${path}?userId=${userId}`) : own;
          if (told.status === 200) asked.set(object, told.body.items);
          else
            expect([404, who === 'manager' || post!.draft || object === 'comment' || random], told.text).toContain(404);
          if (own.status === 200) {
            const other = await world.send(people.manager, 'GET', `${path}?userId=${userId}`);
            if (other.status === 200)
              expect(other.body.items.map((item: Explanation) => item.permitted)).toEqual(
                own.body.items.map((item: Explanation) => item.permitted),
              );
          }
        }
        const check = async (
          object: string,
          item: Explanation | undefined,
          method: string,
          path: string,
          body?: unknown,
        ) => {
          if (!item) return;
          expect(item.reason?.holds).toBe(item.permitted);
          const done = await permits(world, userId, method, path, body);
          verdicts[`${done}`] += 1;
          if (done !== item.permitted) differences.push(`${who}: ${object} ${method} ${path}: ${item.sentence}`);
        };
        for (const [object, capability, method, path, body] of attempts(subject, post!.version))
          await check(object, asked.has(object) ? of(asked.get(object)!, capability) : undefined, method, path, body);
        for (const transition of workflow!.transitionIds) {
          const item = asked.get('post')?.find(({ workflowOperationId }) => workflowOperationId === transition);
          const path = `posts/manage/execute-post-workflow-operation/${subject.postId}/${transition}?dryRun=true`;
          await check('post', item, 'POST', path, {});
        }
        const inCommunity = asked.get('community');
        if (!inCommunity) continue;
        await check('community', of(inCommunity, 'viewPost'), 'GET', `settings/communities/${communityId}/details`);
        const body = { title: 'New', description: 'Text', descriptionFormat: 2, announcement: false };
        await check(
          'community',
          of(inCommunity, 'createPost'),
          'POST',
          `posts/manage/create-post/${communityId}?dryRun=true`,
          body,
        );
        await check(
          'community',
          of(inCommunity, 'createEventPost'),
          'GET',
          `posts/manage/event-post-data-for-create/${communityId}`,
        );
        const form = await world.tenant.request(userId, 'GET', `/portal/api/admin/manage/communities/${communityId}`);
        expect(of(inCommunity, 'editCommunity').permitted).toBe(form.status === 200);
        for (const [capability, path] of [
          ['seeMembers', 'members'],
          ['importPosts', 'imports'],
        ] as const) {
          const { status } = await world.tenant.request(
            userId,
            'POST',
            `/portal/api/admin/data/communities/${communityId}/${path}`,
            {},
          );
          expect(of(inCommunity, capability).permitted, `${capability} of ${who}`).toBe(status === 200);
        }
      }
      expect(differences).toEqual([]);
      expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(0);
    },
  );
});

describe('an explanation', () => {
  test('tells each clause once', async () => {
    const world = await reviewWorld(portal);
    const { author, manager } = world.people;
    const postId = await world.post(author, { visibility: 1 });
    const task = { title: 'Task', expiration: { datetime: '2031-06-01T12:00:00', timezone: 'UTC' } };
    const made = { ...task, assigneeUserId: author };
    const { taskId } = await world.ok(author, 'POST', `tasks/manage/create-task/${postId}`, made);
    const clause = 'you have the role manager in the community';
    const repeated: string[] = [];
    for (const path of [`posts/data/explain/${postId}`, `tasks/data/explain/${taskId}`]) {
      const { items } = await world.ok(manager, 'GET', path);
      expect(items.some(({ sentence }: { sentence: string }) => sentence.includes(clause))).toBe(true);
      for (const { sentence } of items) if (sentence.split(clause).length > 2) repeated.push(sentence);
    }
    expect(repeated).toEqual([]);
  });

  test('names the roles, groups and states that decide, in a sentence', async () => {
    const world = await reviewWorld(portal);
    const { people, groupId, tenant, communityId } = world;
    await setCommunityRoles(await tenant.scope(people.admin), communityId, [
      { principal: people.contributor, role: null },
      { principal: -groupId, role: 2 },
    ]);
    const postId = await world.post(people.author);
    const path = `posts/data/explain/${postId}`;
    const own = await world.ok(people.contributor, 'GET', path);
    expect(own).toMatchObject({ userId: people.contributor });
    expect(of(own.items, 'canModify')).toMatchObject({
      permitted: false,
      sentence:
        'You may not edit the post, because you have the role contributor in the community, not manager (contributor is given to the group “Editors” in the community) and you did not write the post.',
      reason: {
        kind: 'ANY_OF',
        holds: false,
        reasons: [
          { kind: 'ROLE', id: 2, name: 'contributor', reasons: [{ kind: 'GROUP', id: groupId, name: 'Editors' }] },
          { kind: 'AUTHOR', holds: false },
        ],
      },
    });
    expect(of(own.items, 'canModify').operationIds).toContain('editCustomPost');
    expect(of(own.items, 'canEditComment', CapabilityScope.OWN).permitted).toBe(true);
    expect(of(own.items, 'canEditComment', CapabilityScope.ALL).permitted).toBe(false);
    const other = await world.ok(
      people.manager,
      'GET',
      `${path}?userId=${people.reader}&operationId=executePostWorkflowOperation`,
    );
    expect(other.items.map(({ sentence }: Explanation) => sentence)).toEqual([
      expect.stringMatching(
        /^Rita \S+ may not run the transition “Check”, because Rita \S+ is not in the group “Editors”\.$/,
      ),
      expect.stringContaining('not in the state “Checked”'),
    ]);
    const [, close] = world.workflow!.transitionIds;
    const one = await world.ok(people.manager, 'GET', `${path}?workflowOperationId=${close}`);
    expect(one.items).toMatchObject([
      { workflowOperationId: close, permitted: false, reason: { kind: 'STATE', name: 'Checked' } },
    ]);
    const { postId: eventId } = await world.ok(people.author, 'POST', `posts/manage/create-event-post/${communityId}`, {
      title: 'Fair',
      description: 'Text',
      descriptionFormat: 2,
      event: { startAt: { localDatetime: '2031-05-02T09:00:00' }, timezone: 'Europe/Rome' },
    });
    const answering = 'operationId=editPostEventPartecipate';
    const answer = await world.ok(people.reader, 'GET', `posts/data/explain/${eventId}?${answering}`);
    expect(answer.items).toMatchObject([{ capability: 'answerEvent', permitted: true }]);
    expect((await world.send(people.reader, 'GET', `${path}?${answering}`)).status).toBe(400);
    const hidden = await world.post(people.manager, { visibility: 1 });
    const sight = await world.ok(
      people.manager,
      'GET',
      `posts/data/explain/${hidden}?userId=${people.reader}&capability=canViewDetail`,
    );
    expect(sight.items[0].sentence).toMatch(/the post is private/);
    expect((await world.send(people.reader, 'GET', `posts/data/explain/${hidden}`)).status).toBe(404);
  });

  test('is found by every operation that asks for the capability, those of many posts included', async () => {
    const world = await reviewWorld(portal);
    const { people } = world;
    const postId = await world.post(people.author);
    for (const [operationId, capability] of [
      ['getPostDetailById', 'canViewDetail'],
      ['listEventGuests', 'canViewDetail'],
      ['getAttachmentDetailById', 'canViewDetail'],
      ['deletePost', 'canDelete'],
      ['restorePost', 'canDelete'],
      ['deletePosts', 'canDelete'],
      ['patchPosts', 'canModify'],
      ['transitionPosts', 'workflowOperation'],
    ]) {
      const path = `posts/data/explain/${postId}?operationId=${operationId}`;
      const { items } = await world.ok(people.reader, 'GET', path);
      expect([...new Set(items.map((item: Explanation) => item.capability))], operationId).toEqual([capability]);
    }
  });

  test('does not name groups that the reader may not see', async () => {
    const world = await reviewWorld(portal);
    const { people, groupId, db } = world;
    const postId = await world.post(people.author);
    const path = `posts/data/explain/${postId}?capability=workflowOperation`;
    const said = async (userId: number) => {
      const { items } = await world.ok(userId, 'GET', path);
      return items.flatMap((item: Explanation) => [item.sentence, ...words(item.reason)]).join(' ');
    };
    // The author is not in the group, and it has no role in a community of theirs.
    expect(await said(people.author)).toMatch(/not in a group that you cannot see/);
    expect(await said(people.author)).not.toContain('Editors');
    expect(JSON.stringify(await world.ok(people.author, 'GET', path))).not.toContain(`"id":${groupId},`);
    expect(await said(people.contributor)).toContain('the group “Editors”');
    await db.execute('UPDATE groups SET visible = false WHERE tenant_id = $1 AND id = $2', [db.tenantId, groupId]);
    expect(await said(people.contributor)).not.toContain('Editors');
  });

  test('about others is for managers of the community and holders of rights; bad input names the field', async () => {
    const world = await reviewWorld(portal);
    const { people, tenant, communityId, db } = world;
    const postId = await world.post(people.author);
    const path = `posts/data/explain/${postId}`;
    expect((await world.send(people.author, 'GET', `${path}?userId=${people.reader}`)).status).toBe(403);
    expect((await world.send(people.author, 'GET', `${path}?userId=${people.author}`)).status).toBe(200);
    expect((await world.send(people.outsider, 'GET', `${path}?userId=${people.reader}`)).status).toBe(404);
    // The right alone does not let anybody see posts.
    expect((await world.send(people.admin, 'GET', path)).status).toBe(404);
    expect(
      (await world.send(people.admin, 'GET', `settings/communities/${communityId}/explain?userId=${people.reader}`))
        .status,
    ).toBe(200);
    const bad = async (query: string) => faults(await world.send(people.manager, 'GET', `${path}?${query}`));
    expect(await bad('userId=999999999')).toEqual(['userId: UNKNOWN_REFERENCE']);
    expect(await bad('capability=canFly')).toEqual(['capability: INVALID_VALUE']);
    expect(await bad('operationId=createUser')).toEqual(['operationId: INVALID_VALUE']);
    expect(await bad('workflowOperationId=999999999')).toEqual(['workflowOperationId: UNKNOWN_REFERENCE']);
    const rights = '/portal/api/admin/data/explain-rights';
    const held = await tenant.request(people.admin, 'GET', rights);
    expect(held.body.items).toMatchObject([
      { capability: 'manageUsers', permitted: true, reason: { kind: 'RIGHT', reasons: [{ kind: 'ACCOUNT' }] } },
      { capability: 'manageDigitalWorplace', permitted: true },
      { capability: 'everyAdministrativeRight', permitted: true },
    ]);
    expect((await tenant.request(people.reader, 'GET', `${rights}?userId=${people.admin}`)).status).toBe(403);
    expect((await tenant.request(people.reader, 'GET', rights)).body.items[0].permitted).toBe(false);
    await db.execute('UPDATE users SET blocked = true WHERE tenant_id = $1 AND id = $2', [db.tenantId, people.reader]);
    const blocked = await world.ok(people.manager, 'GET', `${path}?userId=${people.reader}&capability=canViewDetail`);
    expect(blocked.items[0]).toMatchObject({ permitted: false, reason: { kind: 'ACCOUNT', holds: false } });
  });
});
