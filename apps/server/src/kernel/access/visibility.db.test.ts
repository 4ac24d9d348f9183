/**
 * Checks that every read follows the rule of visibility. On random tenants, for every caller, the
 * reads agree with a plain statement of the rule: details, lists, totals, views, exports, the
 * stream, live changes, checks, comments, history, versions, explanations, capabilities,
 * attachments, tasks, acknowledgements, calendars, notifications and the results of writes of many
 * posts.
 */
import { Following } from '@portico/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../test/support/index.ts';
import { connectLive } from '../../../test/support/live-connection.ts';
import { longForm } from '../../../test/support/long-form.ts';
import { deliverNotifications } from '../../modules/notifications/index.ts';
import { indexNext } from '../../modules/search/index.ts';
import { API, type Built, build, groupSees, roleOf, sees, type World, world } from './visibility.fixture.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(() => portal.close());

type Ask = (method: string, path: string, body?: unknown) => ReturnType<Built['tenant']['request']>;

/** Found posts, comments and tasks belong to visible posts; so do the counts. */
async function checkSearch(ask: Ask, model: World, built: Built, who: number, published: number[]): Promise<void> {
  const discussed = published.filter((id) => {
    const { community } = model.posts[built.posts.indexOf(id)]!;
    return !(isReader(roleOf(model, who, community)) && model.communities[community]!.commentsHidden);
  });
  const withTask = published.filter((id) => built.tasks[built.posts.indexOf(id)] !== null);
  for (const [kind, text, expected] of [
    ['post', 'post', published],
    ['comment', 'hello', discussed],
    ['task', 'tasks', withTask],
  ] as const) {
    const { body } = await ask('POST', '/search/data/search', { text, kinds: [kind], pageSize: 100 });
    const items = body.items as { kind: string; postId: number }[];
    expect(items.map(({ postId }) => postId).sort((a, b) => a - b)).toEqual([...expected].sort((a, b) => a - b));
    expect([body.counts.total, body.corrected, body.indexing]).toEqual([expected.length, undefined, false]);
  }
}

async function check(model: World): Promise<void> {
  const built = await build(portal, model);
  const { tenant, people, communities, posts, tasks, views } = built;
  await checkPeople(model, built);
  await deliverNotifications(portal.services.databases.for(tenant.tenant.id), Date.now());
  const indexer = await tenant.scope(tenant.systemUserId);
  while (await indexNext(indexer));
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
      expect(item.canViewComments).toBe(
        !(isReader(roleOf(model, who, place)) && model.communities[place]!.commentsHidden),
      );
    }
    expect(ids(withComments.body.posts)).toEqual(visible);
    await checkSearch(ask, model, built, who, published);

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
      const partial = await ask('POST', `/posts/data/list/community/${communityId}?fields=title`, { pageSize: 500 });
      expect(ids(partial.body.items)).toEqual(ids(list.body.items));
      const exported = await ask(
        'POST',
        `/posts/data/list/community/${communityId}/export?format=ndjson&columns=id`,
        {},
      );
      expect(columnOf(exported.text)).toEqual(ids(list.body.items));
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
    await checkLive(built, who, published);
    await checkMany(model, built, who, visible);
    for (const [index, postId] of posts.entries()) {
      const expected = visible.includes(postId) ? 200 : 404;
      const place = model.posts[index]!.community;
      const comments =
        expected === 200 && isReader(roleOf(model, who, place)) && model.communities[place]!.commentsHidden
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
      // For each person and post two of the others: one that they see and may not change is a 403.
      const operations = operationsOn(postId, model.posts[index]!, tasks[index] ?? null);
      for (const [method, path, body] of nth(operations, index + who, 2)) {
        const { status } = await ask(method, path, body);
        expect(expected === 404 ? [404] : [200, 403], `${path} for ${who}`).toContain(status);
      }
      const taskId = tasks[index];
      if (taskId) expect((await ask('GET', `/tasks/data/task-detail-by-id/${taskId}`)).status).toBe(expected);
    }
  }
}

const isReader = (role: ReturnType<typeof roleOf>): boolean => role !== null && !role.has('comment');

type Asked = readonly [method: string, path: string, body?: object];

/** Operations on a post. */
function operationsOn(postId: number, post: World['posts'][number], taskId: number | null): Asked[] {
  return [
    ['GET', `/posts/data/explain/${postId}`],
    ['GET', `/posts/data/post-detail-by-id/${postId}?fields=title`],
    ['POST', `/posts/data/versions/${postId}`, {}],
    ['POST', `/posts/data/version/${postId}`, { versionNumber: 0 }],
    ['POST', `/posts/data/compare-versions/${postId}`, { fromVersion: 0 }],
    ['POST', `/posts/data/acknowledgements/${postId}`, {}],
    ['POST', `/posts/data/likes/${postId}`, {}],
    ['PUT', `/posts/manage/read/${postId}?dryRun=true`, { read: true }],
    ['PUT', `/posts/manage/following/${postId}?dryRun=true`, { following: Following.MUTED }],
    ...(taskId === null ? [] : ([['GET', `/tasks/data/explain/${taskId}`]] as const)),
    ...(post.invited === null ? [] : ([['POST', `/posts/data/post-event/${postId}/guests`, {}]] as const)),
  ];
}

/** Returns `count` elements, others for each turn. */
const nth = <T>(all: readonly T[], turn: number, count: number): T[] =>
  Array.from({ length: count }, (_, index) => all[(turn * count + index) % all.length]!);

/** The ids in lines of an export. */
const columnOf = (text: string): number[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => Number(Object.values(JSON.parse(line))[0]))
    .toSorted((a, b) => a - b);

/** A client that continues from before all posts receives the posts that it sees now. */
async function checkLive({ tenant, people, beginning }: Built, who: number, published: number[]): Promise<void> {
  const { events, close } = await connectLive(portal, tenant, people[who]!, { lastEventId: beginning });
  close();
  const sent = events.flatMap(({ data }) => (data.postId && data.status !== 'DELETED' ? [data.postId] : []));
  expect([...new Set(sent)].toSorted((a, b) => a - b)).toEqual(published);
}

/** Outcomes of a write of all posts, what can be restored, and the calendar. @param visible drafts of their own included */
async function checkMany(model: World, built: Built, who: number, visible: number[]): Promise<void> {
  const { tenant, people, posts, communities } = built;
  const ask = (method: string, path: string, body?: unknown) => tenant.request(people[who]!, method, path, body);
  const bulk = await ask('POST', `${API}/posts/manage/delete-posts?dryRun=true`, { postIds: posts });
  expect(bulk.status, bulk.text).toBe(200);
  const unseen = bulk.body.items.flatMap((item: { postId: number; error?: { code: string } }) =>
    item.error?.code === 'NOT_FOUND' ? [item.postId] : [],
  );
  expect(unseen).toEqual(posts.filter((id) => !visible.includes(id)));
  const deleted = await ask('POST', `${API}/posts/data/deleted`, { pageSize: 500 });
  const restorable = posts.filter((_, index) => {
    const post = model.posts[index]!;
    const role = roleOf(model, who, post.community);
    if (!post.deleted || role === null) return false;
    return post.author === who
      ? role.has('createPosts')
      : role.has('editPosts') && !post.draft && sees(model, who, { ...post, deleted: false });
  });
  const listed = deleted.body.items.map(({ postId }: { postId: number }) => postId);
  expect(listed.toSorted((a: number, b: number) => a - b)).toEqual(restorable);
  const place = who % communities.length;
  const feed = await ask('POST', '/portal/api/core/auth/manage/calendar-feeds', { communityId: communities[place] });
  if (roleOf(model, who, place) === null) {
    expect(feed.status).toBe(400);
    return;
  }
  const calendar = await tenant.request(null, 'GET', new URL(feed.body.uri).pathname);
  const events = posts.filter((id, index) => {
    const post = model.posts[index]!;
    return post.community === place && post.invited !== null && !post.draft && visible.includes(id);
  });
  expect([...calendar.text.matchAll(/^SUMMARY:Post (\d+)/gm)].map(([, name]) => posts[Number(name)]).sort()).toEqual(
    events.sort(),
  );
}

/**
 * Compares lists across communities: tasks, waiting posts, notifications, read posts, drafts.
 * @param published posts that the person sees
 */
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
    const listed = await list('/tasks/data/tasks', { communityId, types: [1] });
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
  const waiting = (await list('/posts/data/waiting', {})) as unknown as { kind: number; postId: number }[];
  const toAcknowledge = waiting.filter(({ kind }) => kind === 2).map(({ postId }) => postId);
  expect(toAcknowledge.toSorted((a, b) => a - b)).toEqual(published);
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

/**
 * Compares lists of people and groups: people who share a community with the caller, have a role,
 * or can read a post.
 */
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
      numRuns: longForm ? 25 : 2,
      endOnFailure: true,
    });
  }, 600_000);
});
