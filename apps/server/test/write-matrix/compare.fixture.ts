/** Compares the server's responses with the contents of the model, read by read. */
import { expect } from 'vitest';
import type { TestAnswer } from '../support/index.ts';
import type { Play } from './actions.fixture.ts';
import type { ModelGroup, ModelPost, ModelTask } from './model.fixture.ts';

const ADMIN = '/portal/api/external/v2/admin/manage';
interface Named {
  id: number;
}
const ids = (list: readonly Named[] | undefined) => (list ?? []).map(({ id }) => id).sort((a, b) => a - b);
const sorted = (list: Iterable<number>) => [...list].sort((a, b) => a - b);

/** An answer that must be 404 where the model says that nothing is seen, or 403 where it may not. @returns the body */
function read(answer: TestAnswer, status: number, what: string): TestAnswer['body'] | undefined {
  expect(answer.status, `${what}: ${answer.text.slice(0, 300)}`).toBe(status);
  return status === 200 ? answer.body : undefined;
}

/** Detail, capabilities, form, screen, comments, history and tasks of a post, as somebody reads them. */
export async function comparePost(play: Play, user: number, post: ModelPost): Promise<void> {
  const { world, model, fields, screenFields } = play;
  const seen = model.sees(user, post);
  const ask = (method: string, path: string, body?: object) => world.send(user, method, path, body);
  const who = `user ${user}, post ${post.id}`;

  const detail = read(await ask('GET', `posts/data/post-detail-by-id/${post.id}`), seen ? 200 : 404, `detail, ${who}`);
  if (detail) {
    expect(detail.descriptionPlainText.trim().startsWith(post.text), `text, ${who}`).toBe(true);
    expect({
      title: detail.title,
      customId: detail.customId,
      visibility: detail.visibility,
      creator: detail.creatorUser.id,
      data: {
        Text: detail.customData?.[fields.Text] ?? undefined,
        Number: detail.customData?.[fields.Number] ?? undefined,
        People: ids(detail.customData?.[fields.People] ?? []),
      },
      watchers: ids(detail.watcherUsers),
      mentions: ids(detail.mentions),
      comments: detail.commentsCount,
      files: detail.attachmentsCount,
      tasks: detail.tasksCount,
      state: post.draft ? 'draft' : detail.currentWorkflowState.name,
      screen: {
        Reason: detail.currentWorkflowScreenData?.[screenFields.Reason] ?? undefined,
        Score: detail.currentWorkflowScreenData?.[screenFields.Score] ?? undefined,
      },
    }).toEqual({
      title: post.title,
      customId: String(post.customNo),
      visibility: post.visibility,
      creator: post.creator,
      data: { Text: post.data.Text, Number: post.data.Number, People: sorted(post.data.People ?? []) },
      watchers: sorted(post.watchers),
      mentions: sorted(post.mentions),
      comments: post.comments.length,
      files: post.files.length,
      tasks: model.tasksOf(post).length,
      state: post.draft ? 'draft' : post.state,
      // Where the present state has no screen, its data is not part of the detail.
      screen: detail.currentWorkflowScreenData ? { Reason: post.screen.Reason, Score: post.screen.Score } : {},
    });
  }

  const capabilities = read(
    await ask('GET', `posts/data/post-capabilities/${post.id}`),
    seen ? 200 : 404,
    `capabilities, ${who}`,
  );
  if (capabilities) {
    const operations = capabilities.workflowPermittedOperations.map((one: { name: string }) => one.name);
    expect({ ...capabilities, workflowPermittedOperations: operations }).toEqual(model.capabilities(user, post));
  }

  const refused = seen ? 403 : 404;
  const may = seen && model.mayModify(user, post);
  const form = read(
    await ask('GET', `posts/manage/post-data-for-edit/${post.id}`),
    may ? 200 : refused,
    `form, ${who}`,
  );
  if (form) {
    expect([form.occToken, form.contentData.title, ids(form.contentData.attachments), form.contentData.draft]).toEqual([
      post.token,
      post.title,
      sorted(post.files.map(({ id }) => id)),
      post.draft,
    ]);
  }

  const open = seen && model.mayEditScreen(user, post, post.state);
  const screen = read(
    await ask('GET', `posts/manage/post-workflow-screen-data-for-edit/${post.id}`),
    open ? 200 : refused,
    `screen, ${who}`,
  );
  if (screen) {
    expect([screen.screenOccToken, screen.screenData[screenFields.Reason] ?? undefined]).toEqual([
      post.screenToken,
      post.screen.Reason,
    ]);
  }

  const comments = read(
    await ask('POST', `posts/data/comments-list/${post.id}`, { pageSize: 500 }),
    seen ? 200 : 404,
    `comments, ${who}`,
  );
  if (comments) {
    interface Comment extends Named {
      creatorUser: Named;
      parentComment?: Named;
      commentPlainText: string;
    }
    expect(
      comments.items
        .map((one: Comment) => [one.id, one.creatorUser.id, one.parentComment?.id])
        .sort((a: number[], b: number[]) => a[0]! - b[0]!),
    ).toEqual(post.comments.map((one) => [one.id, one.author, one.parent]));
    for (const one of comments.items as Comment[]) {
      expect(one.commentPlainText.startsWith(post.comments.find(({ id }) => id === one.id)!.text)).toBe(true);
    }
  }

  const history = read(
    await ask('POST', `posts/data/history-list/${post.id}`, { pageSize: 500 }),
    seen ? 200 : 404,
    `history, ${who}`,
  );
  if (history) {
    const counts = new Map<number, number>();
    for (const { typeId } of history.items) counts.set(typeId, (counts.get(typeId) ?? 0) + 1);
    expect(
      [...counts].sort(([a], [b]) => a - b),
      `history, ${who}`,
    ).toEqual([...post.history].sort(([a], [b]) => a - b));
  }

  for (const task of model.tasks.values()) if (task.postId === post.id) await compareTask(play, user, post, task);
}

async function compareTask(play: Play, user: number, post: ModelPost, task: ModelTask): Promise<void> {
  const { model, world } = play;
  const seen = !task.deleted && model.sees(user, post);
  const answer = await world.send(user, 'GET', `tasks/data/task-detail-by-id/${task.id}`);
  const detail = read(answer, seen ? 200 : 404, `task ${task.id} of post ${post.id}, user ${user}`);
  if (!detail) return;
  interface Step {
    description: string;
    state: number;
  }
  expect({
    title: detail.title,
    token: detail.occToken,
    assignee: detail.assigneeUser?.id ?? -detail.assigneeGroup?.id,
    steps: detail.subTasks.map(({ description, state }: Step) => ({ description, state })),
    priority: detail.priority ?? undefined,
    watchers: ids(detail.watcherUsers),
    creator: detail.creatorUser.id,
    canModify: detail.capabilities.canModify,
    canUpdateState: detail.capabilities.canUpdateState,
  }).toEqual({
    title: task.title,
    token: task.token,
    assignee: task.assignee,
    steps: task.steps,
    priority: task.priority,
    watchers: sorted(task.watchers),
    creator: task.creator,
    canModify: model.mayEditTask(user, task),
    canUpdateState: model.mayEditTask(user, task) || model.is(user, task.assignee),
  });
}

/** The community's list and one's own drafts, in the order of their numbers, with all pages. */
export async function compareLists(play: Play, user: number): Promise<void> {
  const { model, world } = play;
  for (const draft of [false, true]) {
    const expected = [...model.posts.values()].filter((post) => post.draft === draft && model.sees(user, post));
    const found: { id: number; title: string; commentsCount: number; watchersCount: number; tasksCount: number }[] = [];
    let pageToken: string | undefined;
    do {
      const answer = await world.send(
        user,
        'POST',
        `posts/data/list/community/${world.communityId}?loadPostDetails=true`,
        {
          orderBy: 'postCustomId',
          orderDesc: false,
          pageSize: 50,
          ...(draft && { draft }),
          ...(pageToken && { pageToken }),
          calculateTotalItemsCount: true,
        },
      );
      if (model.roles.get(user) === undefined) {
        expect(answer.status).toBe(404);
        return;
      }
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.totalItemsCount).toBe(expected.length);
      found.push(...answer.body.items);
      pageToken = answer.body.nextPageToken;
    } while (pageToken);
    expect(found.map((item) => [item.id, item.title, item.commentsCount, item.watchersCount, item.tasksCount])).toEqual(
      expected.map((post) => [
        post.id,
        post.title,
        post.comments.length,
        post.watchers.size,
        model.tasksOf(post).length,
      ]),
    );
  }
}

/**
 * The forms of administration.
 * @param most how many of each kind are compared, at random
 */
export async function compareAdministration(
  play: Play,
  workspaceId: number,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { model, world, random } = play;
  const few = <T>(all: Map<number, T>) => random.subset([...all.values()], Math.min(1, most / all.size));
  const form = async (path: string, status: number) =>
    read(await world.tenant.request(world.people.admin, 'GET', `${ADMIN}/${path}`), status, path);
  for (const user of few(model.users)) {
    const answer = await world.tenant.request(world.people.admin, 'GET', `${ADMIN}/users/${user.id}/edit`);
    expect(answer.status).toBe(user.deleted ? 204 : 200);
    if (!user.deleted) {
      expect([answer.body.occToken, answer.body.firstname, answer.body.contactEmail ?? undefined]).toEqual([
        user.token,
        user.firstname,
        user.contactEmail,
      ]);
    }
    // A user who was deleted has no access from the next request on.
    const own = await world.tenant.request(user.id, 'GET', '/portal/api/core/auth/current-user-data');
    expect(own.status).toBe(user.deleted ? 401 : 200);
  }
  for (const group of few(model.groups)) await compareGroup(play, group);
  for (const catalog of few(model.catalogs)) {
    const found = await form(`catalogs/${catalog.id}/edit`, 200);
    expect([found.occToken, found.contentData.name.en, found.contentData.deleted]).toEqual([
      catalog.token,
      catalog.name,
      catalog.deleted,
    ]);
    for (const [entryId, entry] of catalog.entries) {
      const one = await form(`catalogs/${catalog.id}/entries/${entryId}/edit`, 200);
      expect([one.occToken, one.label.en, one.deleted]).toEqual([entry.token, entry.label, entry.deleted]);
    }
  }
  const workspace = await form(`workspaces/${workspaceId}/edit`, 200);
  expect([workspace.occToken, workspace.contentData.name]).toEqual([model.workspace.token, model.workspace.name]);
}

async function compareGroup(play: Play, group: ModelGroup): Promise<void> {
  const { admin } = play.world.people;
  const answer = await play.world.tenant.request(admin, 'GET', `${ADMIN}/groups/${group.id}/edit`);
  const form = read(answer, group.deleted ? 404 : 200, `group ${group.id}`);
  if (!form) return;
  expect([form.occToken, form.name, form.visible, form.membersCount, ids(form.members)]).toEqual([
    group.token,
    group.name,
    group.visible,
    group.members.size,
    sorted(group.members),
  ]);
}
