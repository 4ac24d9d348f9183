/**
 * One rule of visibility behind every read: on random tenants, for every caller, detail, lists, totals,
 * the stream, checks, comments, history, capabilities, attachments and tasks agree with a plain statement of the rule.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../test/support/index.ts';
import { addField, createCommunity, setCommunityRole } from '../../modules/communities/index.ts';
import { deliverNotifications } from '../../modules/notifications/index.ts';
import { createGroupRecord } from '../../modules/people/index.ts';
import { createWorkspace, setWorkspaceMembers } from '../../modules/workspaces/index.ts';
import { writeTransaction } from './index.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(() => portal.close());

const API = '/portal/api/communication';
const PEOPLE = 6;

type Role = 1 | 2 | 3 | null;

/** A tenant as data: what the rule is stated over. People and groups are indexes. */
interface World {
  groups: number[][];
  communities: {
    /** Given directly, by person. */
    people: Role[];
    group: Role;
    /** What plain membership of the workspace gives. */
    memberRole: Role;
    commentsHidden: boolean;
  }[];
  /** Plain members of the workspace. */
  members: boolean[];
  posts: {
    community: number;
    author: number;
    isPrivate: boolean;
    draft: boolean;
    deleted: boolean;
    watcher: number | null;
    watchingGroup: boolean;
    assignee: number | null;
    assignedGroup: boolean;
    named: number | null;
    invited: number | null;
  }[];
}

const role = fc.constantFrom<Role>(1, 2, 3, null);
const person = fc.integer({ min: 0, max: PEOPLE - 1 });
const someone = fc.option(person, { nil: null, freq: 2 });
const world: fc.Arbitrary<World> = fc.record({
  groups: fc.array(fc.uniqueArray(person, { maxLength: 3 }), { minLength: 1, maxLength: 1 }),
  communities: fc.array(
    fc.record({
      people: fc.array(role, { minLength: PEOPLE, maxLength: PEOPLE }),
      group: role,
      memberRole: fc.constantFrom<Role>(null, 3, 2),
      commentsHidden: fc.boolean(),
    }),
    { minLength: 2, maxLength: 2 },
  ),
  members: fc.array(fc.boolean(), { minLength: PEOPLE, maxLength: PEOPLE }),
  posts: fc.array(
    fc.record({
      community: fc.integer({ min: 0, max: 1 }),
      author: person,
      isPrivate: fc.boolean(),
      draft: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      deleted: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
      watcher: someone,
      watchingGroup: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
      assignee: someone,
      assignedGroup: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
      named: someone,
      invited: someone,
    }),
    { minLength: 14, maxLength: 14 },
  ),
});

/** The strongest role that a person has in a community, and the same for groups they are in. */
function roleOf(model: World, who: number, community: number): Role {
  const place = model.communities[community]!;
  const given = [
    place.people[who]!,
    model.groups[0]!.includes(who) ? place.group : null,
    model.members[who] ? place.memberRole : null,
  ].filter((one): one is 1 | 2 | 3 => one !== null);
  return given.length === 0 ? null : (Math.min(...given) as Role);
}

/** The rule, in plain words of docs/decisions/people.md. */
function sees(model: World, who: number, post: World['posts'][number]): boolean {
  const mine = roleOf(model, who, post.community);
  if (mine === null || post.deleted) return false;
  if (post.draft) return post.author === who;
  if (!post.isPrivate || mine === 1) return true;
  const inGroup = model.groups[0]!.includes(who);
  return (
    post.author === who ||
    post.watcher === who ||
    (post.watchingGroup && inGroup) ||
    post.assignee === who ||
    (post.assignedGroup && inGroup) ||
    post.named === who ||
    post.invited === who
  );
}

/** The same of a group: its members can read the post by their membership alone. */
function groupSees(model: World, post: World['posts'][number]): boolean {
  const role = model.communities[post.community]!.group;
  if (role === null || post.deleted) return false;
  return !post.isPrivate || role === 1 || post.watchingGroup || post.assignedGroup;
}

interface Built {
  tenant: TestTenant;
  groupId: number;
  people: number[];
  communities: number[];
  posts: number[];
  tasks: (number | null)[];
  /** A view of each community, which filters nothing. */
  views: number[];
}

/** Makes the tenant of a model. Everything is written by its manager in the name of the authors, through the interface. */
async function build(model: World): Promise<Built> {
  const tenant = await portal.createTenant();
  const system = () => tenant.scope(tenant.systemUserId);
  const people: number[] = [];
  for (let index = 0; index < PEOPLE; index++) people.push(await tenant.createUser());
  const groupId = await writeTransaction(await system(), 'access', (write) =>
    createGroupRecord(write, { name: 'Group', memberIds: model.groups[0]!.map((who) => people[who]!) }),
  );
  const workspaceId = await createWorkspace(await system(), { name: 'Workspace' });
  const communities: number[] = [];
  const fields: number[] = [];
  for (const place of model.communities) {
    const id = await createCommunity(await system(), {
      workspaceId,
      name: `C${communities.length}`,
      workspaceMemberRole: place.memberRole,
      commentsHiddenFromReaders: place.commentsHidden,
      descriptionEnabled: 1,
    });
    communities.push(id);
    const field = await addField(
      await system(),
      { communityId: id },
      {
        type: 15,
        label: 'Also for',
        metadata: { generic_entity_list_config_id: 'core.user', extends_post_visibility: 'true' },
      },
    );
    fields.push(field.id);
    // While posts are written everybody is a manager: who may write is another test's matter.
    await setCommunityRole(await system(), id, people, 1);
  }
  const posts: number[] = [];
  const tasks: (number | null)[] = [];
  const send = async (who: number, method: string, path: string, body?: unknown) => {
    const answer = await tenant.request(people[who]!, method, `${API}${path}`, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const views: number[] = [];
  for (const communityId of communities) {
    const body = { name: 'All', shared: true };
    views.push((await send(0, 'POST', `/views/manage/create-view/${communityId}`, body)).id);
  }
  for (const post of model.posts) {
    const communityId = communities[post.community]!;
    const isEvent = post.invited !== null;
    const common = {
      announcement: false,
      title: `Post ${posts.length}`,
      visibility: post.isPrivate ? 1 : 2,
      draft: post.draft,
      watcherUserIds: post.watcher === null ? [] : [people[post.watcher]],
    };
    const { postId } = isEvent
      ? await send(post.author, 'POST', `/posts/manage/create-event-post/${communityId}`, {
          ...common,
          watcherGroupIds: post.watchingGroup ? [groupId] : [],
          event: {
            startAt: { localDatetime: '2026-12-01T10:00:00' },
            timezone: 'UTC',
            invitations: { users: [{ id: people[post.invited!], typeId: 0 }], groups: [] },
          },
        })
      : await send(post.author, 'POST', `/posts/manage/create-post/${communityId}`, {
          ...common,
          ...(post.named !== null && { customData: { [String(fields[post.community])]: [people[post.named]] } }),
        });
    if (isEvent) post.named = null;
    else post.watchingGroup = false;
    let taskId: number | null = null;
    if (!post.draft && (post.assignee !== null || post.assignedGroup)) {
      // A task has one assignee: the person before the group.
      if (post.assignee !== null) post.assignedGroup = false;
      const assignee =
        post.assignee !== null ? { assigneeUserId: people[post.assignee] } : { assigneeGroupId: groupId };
      ({ taskId } = await send(post.author, 'POST', `/tasks/manage/create-task/${postId}`, {
        title: 'Task',
        expiration: { datetime: '2027-01-01T00:00:00', timezone: 'UTC' },
        ...assignee,
      }));
    } else {
      post.assignee = null;
      post.assignedGroup = false;
    }
    if (!post.draft)
      await send(post.author, 'POST', `/posts/manage/create-comment/${postId}`, { comment: 'Hello', commentFormat: 2 });
    if (post.deleted) await send(post.author, 'DELETE', `/posts/manage/delete-post/${postId}`);
    posts.push(postId);
    tasks.push(taskId);
  }
  await setWorkspaceMembers(
    await system(),
    workspaceId,
    people.flatMap((principal, who) => (model.members[who] ? [{ principal, roleId: null }] : [])),
  );
  for (const [index, place] of model.communities.entries()) {
    for (const [who, given] of place.people.entries())
      await setCommunityRole(await system(), communities[index]!, [people[who]!], given);
    await setCommunityRole(await system(), communities[index]!, [-groupId], place.group);
  }
  return { tenant, groupId, people, communities, posts, tasks, views };
}

async function check(model: World): Promise<void> {
  const built = await build(model);
  const { tenant, people, communities, posts, tasks, views } = built;
  await checkPeople(model, built);
  await deliverNotifications(portal.services.databases.for(tenant.tenant.id), Date.now());
  const stranger = 999_999_999;
  for (const [who, userId] of people.entries()) {
    const ask = (method: string, path: string, body?: unknown) => tenant.request(userId, method, `${API}${path}`, body);
    const visible = posts.filter((_, index) => sees(model, who, model.posts[index]!));
    const published = visible.filter((id) => !model.posts[posts.indexOf(id)]!.draft);

    const checked = await ask('POST', '/posts/data/check-visibility', { ids: [...posts, stranger] });
    expect(ids(checked.body.posts)).toEqual(visible);
    const withComments = await ask('POST', '/posts/data/check-visibility-with-comments', { ids: [...posts, stranger] });
    for (const item of withComments.body.posts) {
      const place = model.posts[posts.indexOf(item.id)]!.community;
      expect(item.canViewComments).toBe(!(roleOf(model, who, place) === 3 && model.communities[place]!.commentsHidden));
    }
    expect(ids(withComments.body.posts)).toEqual(visible);

    const listed: number[] = [];
    for (const [place, communityId] of communities.entries()) {
      const list = await ask('POST', `/posts/data/list/community/${communityId}`, {
        pageSize: 500,
        calculateTotalItemsCount: true,
      });
      expect(list.status).toBe(roleOf(model, who, place) === null ? 404 : 200);
      const run = await ask('POST', `/views/data/run/${views[place]}`, { pageSize: 500 });
      const saved = await ask('GET', `/views/data/community/${communityId}`);
      expect([run.status, saved.status]).toEqual([list.status, list.status]);
      if (list.status !== 200) continue;
      expect(ids(run.body.items)).toEqual(ids(list.body.items));
      expect(ids(saved.body.views)).toEqual([views[place]]);
      expect(list.body.totalItemsCount).toBe(list.body.items.length);
      listed.push(...list.body.items.map((item: { id: number }) => item.id));
    }
    expect(listed.toSorted((a, b) => a - b)).toEqual(published);

    // The stream tells a change when no older transaction is open, whosever it is.
    await tenant.settleStream();
    const stream = await ask('POST', '/posts/data/global-stream', {});
    expect(ids(stream.body.items)).toEqual(published);

    await checkOwnLists(model, built, who, published);
    for (const [index, postId] of posts.entries()) {
      const expected = visible.includes(postId) ? 200 : 404;
      const place = model.posts[index]!.community;
      const comments =
        expected === 200 && roleOf(model, who, place) === 3 && model.communities[place]!.commentsHidden
          ? 403
          : expected;
      const answers = await Promise.all([
        ask('GET', `/posts/data/post-detail-by-id/${postId}`),
        ask('GET', `/posts/data/post-capabilities/${postId}`),
        ask('POST', `/posts/data/history-list/${postId}`, {}),
        ask('POST', `/attachments/data/posts/${postId}/attachments-list`, {}),
        ask('POST', `/posts/data/comments-list/${postId}`, {}),
      ]);
      expect(
        answers.map((answer) => answer.status),
        `post ${index} for ${who}`,
      ).toEqual([expected, expected, expected, expected, comments]);
      const taskId = tasks[index];
      if (taskId) expect((await ask('GET', `/tasks/data/task-detail-by-id/${taskId}`)).status).toBe(expected);
    }
  }
}

/** Lists across communities: tasks, what waits, notifications, what was read, drafts. @param published posts that the person sees */
async function checkOwnLists(model: World, built: Built, who: number, published: number[]): Promise<void> {
  const { tenant, people, communities, posts, tasks } = built;
  const list = async (path: string, body: object) => {
    const answer = await tenant.request(people[who]!, 'POST', `${API}${path}`, {
      pageSize: 500,
      calculateTotalItemsCount: true,
      ...body,
    });
    if (answer.status !== 200) return answer.status;
    expect(answer.body.totalItemsCount, path).toBe(answer.body.items.length);
    return answer.body.items as { id: number; postId: number }[];
  };
  for (const [place, communityId] of communities.entries()) {
    const inRole = roleOf(model, who, place) !== null;
    const there = posts.flatMap((postId, index) =>
      tasks[index] && model.posts[index]!.community === place && published.includes(postId) ? [tasks[index]] : [],
    );
    const listed = await list('/tasks/data/tasks', { communityId });
    expect(typeof listed === 'number' ? listed : ids(listed)).toEqual(inRole ? there : 404);
  }
  for (const path of [
    '/tasks/data/tasks',
    '/posts/data/waiting',
    '/notifications/data/notifications',
    '/posts/data/recent',
  ]) {
    const items = await list(path, {});
    if (typeof items === 'number') throw new Error(`${path}: ${items}`);
    expect(
      items.map(({ postId }) => postId).filter((postId) => !published.includes(postId)),
      path,
    ).toEqual([]);
  }
  const counted = await tenant.request(people[who]!, 'GET', `${API}/posts/data/waiting-count`);
  const waiting = (await list('/posts/data/waiting', {})) as unknown as { kind: number }[];
  const ofKind = (kind: number) => waiting.filter((item) => item.kind === kind).length;
  expect(counted.body).toMatchObject({
    tasks: ofKind(1),
    acknowledgements: ofKind(2),
    mentions: ofKind(3),
    steps: ofKind(4),
  });
  const tree = await tenant.request(people[who]!, 'GET', `${API}/communities/data/tree`);
  const shown = tree.body.workspaces.flatMap((workspace: { communities: object[] }) => workspace.communities);
  expect(shown.map((place: { communityId: number }) => place.communityId)).toEqual(
    communities.filter((_, place) => roleOf(model, who, place) !== null),
  );
  for (const { communityId, newPosts } of shown) {
    const there = posts.filter(
      (postId, index) => published.includes(postId) && communities[model.posts[index]!.community] === communityId,
    );
    const ofOthers = there.filter((postId) => model.posts[posts.indexOf(postId)]!.author !== who);
    expect(newPosts).toBeGreaterThanOrEqual(ofOthers.length);
    expect(newPosts).toBeLessThanOrEqual(there.length);
  }
  const drafts = posts.filter((_, index) => {
    const post = model.posts[index]!;
    return post.draft && sees(model, who, post);
  });
  const found = await list('/posts/data/my-drafts', {});
  expect(typeof found === 'number' ? found : found.map(({ postId }) => postId).toSorted((a, b) => a - b)).toEqual(
    drafts,
  );
}

/** Lists of people and groups: those who share a community with the caller, those with a role, those who can read a post. */
async function checkPeople(model: World, { tenant, groupId, people, communities, posts }: Built): Promise<void> {
  const everyone = [...people.keys()];
  const inRole = (who: number) => model.communities.flatMap((_, place) => (roleOf(model, who, place) ? [place] : []));
  const list = async (who: number, kind: 'users' | 'groups', body: object) => {
    const answer = await tenant.request(people[who]!, 'POST', `${API}/people/data/${kind}`, body);
    return answer.status === 200 ? ids(answer.body.items) : answer.status;
  };
  const named = (indexes: number[]) => indexes.map((who) => people[who]!).toSorted((a, b) => a - b);
  for (const who of everyone) {
    const mine = inRole(who);
    expect(await list(who, 'users', {})).toEqual(
      named(everyone.filter((other) => inRole(other).some((place) => mine.includes(place)))),
    );
    expect(await list(who, 'groups', {})).toEqual(
      mine.some((place) => model.communities[place]!.group !== null) ? [groupId] : [],
    );
    for (const [place, communityId] of communities.entries()) {
      const members = named(everyone.filter((other) => roleOf(model, other, place) !== null));
      expect(await list(who, 'users', { communityId })).toEqual(mine.includes(place) ? members : 404);
    }
  }
  for (const [index, postId] of posts.entries()) {
    const post = model.posts[index]!;
    const readers = named(everyone.filter((who) => sees(model, who, { ...post, draft: false })));
    for (const who of everyone) {
      const seen = sees(model, who, post);
      expect(await list(who, 'users', { postId }), `readers of post ${index} for ${who}`).toEqual(seen ? readers : 404);
      const groups = groupSees(model, post) ? [groupId] : [];
      expect(await list(who, 'groups', { postId }), `groups of post ${index}`).toEqual(seen ? groups : 404);
    }
  }
}

const ids = (items: { id: number }[]): number[] => items.map((item) => item.id).toSorted((a, b) => a - b);

describe('one rule of visibility', () => {
  it('answers alike in every read, for every caller, on random tenants', async () => {
    await fc.assert(fc.asyncProperty(world, check), {
      numRuns: process.env.PORTICO_TEST_FULL ? 25 : 3,
      endOnFailure: true,
    });
  }, 600_000);
});
