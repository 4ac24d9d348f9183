/** The random test's writes: each has a caller and the result that the model expects. */
import type { TestAnswer } from '../support/index.ts';
import type { TestRandom } from '../support/random.ts';
import { type Model, type ModelPost, type ModelTask, note } from './model.fixture.ts';
import type { Body, TestWorld } from './recipes.fixture.ts';

/** A write and its expected result. */
export interface Act {
  name: string;
  caller: number;
  method: string;
  path: string;
  body?: Body;
  /** Expected status. */
  status: number;
  /** The token that a 409 must name. */
  present?: number | undefined;
  /** Applies the change of a 200 to the model. */
  apply(answer: TestAnswer['body']): void;
}

export interface Play {
  world: TestWorld;
  model: Model;
  random: TestRandom;
  /** Fixed people with and without roles. */
  people: number[];
  screenFields: { Reason: string; Score: string };
  fields: { Text: string; Number: string; People: string };
}

const NEVER = 987_654_321;
const DUE = { datetime: '2031-12-31T18:00:00', timezone: 'Europe/Rome' };
const WORDS = ['amber', 'birch', 'cedar', 'dune', 'ember', 'fjord', 'Żółw', 'naïve', '<b>', '%_', '日本'];

const words = (play: Play) => Array.from({ length: 1 + play.random.below(4) }, () => play.random.pick(WORDS)).join(' ');
const anyPost = (play: Play) => {
  const posts = [...play.model.posts.values()];
  const present = posts.filter((post) => !post.deleted);
  if (play.random.chance(0.93) && present.length > 0) return play.random.pick(present);
  return posts.length > 0 ? play.random.pick(posts) : undefined;
};
/** The right token mostly, a stale or future one at times. */
const token = (play: Play, present: number) =>
  play.random.chance(0.85) ? present : Math.max(0, present + play.random.pick([-1, 1, 7]));

/** Returns the status of the first check that fails; 200 if none does. */
export const statusOf = (...checks: (readonly [fails: boolean | undefined, status: number])[]): number =>
  checks.find(([fails]) => fails)?.[1] ?? 200;

interface Text {
  wire: { description: string; descriptionFormat: number };
  text: string;
  mentions: number[];
}
function text(play: Play): Text {
  const plain = words(play);
  if (play.random.chance(0.6)) return { wire: { description: plain, descriptionFormat: 2 }, text: plain, mentions: [] };
  const mentions = play.random.subset(play.people, 0.25);
  const ops = [
    { insert: `${plain} ` },
    ...mentions.map((id) => ({ insert: { mention: { id, value: 'Somebody' } } })),
    { insert: '\n' },
  ];
  return { wire: { description: JSON.stringify(ops), descriptionFormat: 1 }, text: plain, mentions };
}

interface Data {
  wire: Body;
  data: ModelPost['data'];
}
function data(play: Play): Data {
  const { random, fields } = play;
  const found: ModelPost['data'] = {};
  const wire: Body = {};
  if (random.chance(0.6)) wire[fields.Text] = found.Text = words(play);
  else if (random.chance(0.5)) wire[fields.Text] = null;
  if (random.chance(0.5)) {
    found.Number = random.below(2000) - 1000;
    wire[fields.Number] = random.chance(0.5) ? found.Number : String(found.Number);
  }
  if (random.chance(0.4)) {
    const people = random.subset(play.people, 0.3);
    wire[fields.People] = people;
    if (people.length > 0) found.People = people;
  }
  return { wire, data: found };
}

/** Returns the status of opening a post for a write, before tokens. */
function gate(play: Play, caller: number, post: ModelPost | undefined, may: (post: ModelPost) => boolean): number {
  if (!post || !play.model.sees(caller, post)) return 404;
  return may(post) ? 200 : 403;
}

function createPost(play: Play, source?: ModelPost): Act {
  const { model, random, world } = play;
  const caller = random.pick(play.people);
  const [title, content, custom] = [words(play), text(play), data(play)];
  const visibility = random.pick([1, 2, 2] as const);
  const draft = random.chance(0.12);
  const watchers = random.subset(play.people, 0.2);
  const role = model.roles.get(caller);
  const given = source && token(play, source.token);
  const found = source
    ? gate(play, caller, source, () => model.writes(caller))
    : statusOf([role === undefined, 404], [role === 3, 403]);
  const status = statusOf([found !== 200, found], [given !== source?.token, 409]);
  return {
    name: source ? 'copy-post' : 'create-post',
    caller,
    method: source ? 'PUT' : 'POST',
    path: source ? `posts/manage/copy-post/${source.id}/${given}` : `posts/manage/create-post/${world.communityId}`,
    body: {
      announcement: false,
      title,
      ...content.wire,
      customData: custom.wire,
      visibility,
      ...(draft && { draft }),
      [source ? 'addWatcherUserIds' : 'watcherUserIds']: watchers,
    },
    status,
    present: source?.token,
    apply: (answer) => {
      const post: ModelPost = {
        id: answer.postId,
        token: answer.nextOccToken,
        screenToken: 1,
        customNo: ++model.lastCustomNo,
        creator: caller,
        title,
        text: content.text,
        mentions: content.mentions,
        data: custom.data,
        visibility,
        draft,
        deleted: false,
        state: 'Open',
        screen: {},
        watchers: new Set(watchers),
        comments: [],
        files: [],
        history: new Map(),
      };
      note(post, 1);
      if (!draft) note(post, 4, content.mentions.length);
      if (source) note(source, 14);
      model.posts.set(post.id, post);
    },
  };
}

function editPost(play: Play, post: ModelPost): Act {
  const { model, random } = play;
  const caller = random.chance(0.6) ? post.creator : random.pick(play.people);
  const [title, content, custom] = [words(play), text(play), data(play)];
  const visibility = random.pick([1, 2] as const);
  const given = token(play, post.token);
  const publish = post.draft && random.chance(0.5);
  const [add, remove] = [random.subset(play.people, 0.1), random.subset(play.people, 0.1)];
  const found = gate(play, caller, post, () => model.mayModify(caller, post));
  const forgetful = random.chance(0.05);
  return {
    name: 'edit-post',
    caller,
    method: 'PUT',
    path: `posts/manage/edit-post/${post.id}/${given}`,
    body: {
      ...(!forgetful && { title }),
      ...content.wire,
      customData: custom.wire,
      visibility,
      addWatcherUserIds: add,
      removeWatcherUserIds: remove,
      ...(publish && { draft: false }),
    },
    status: statusOf([found !== 200, found], [given !== post.token, 409], [forgetful, 400]),
    present: post.token,
    apply: (answer) => {
      const fresh = content.mentions.filter((id) => !post.mentions.includes(id));
      const published = publish ? content.mentions : [];
      const told = post.draft ? published : fresh;
      Object.assign(post, { title, text: content.text, mentions: content.mentions, data: custom.data, visibility });
      if (publish) post.draft = false;
      for (const id of add) post.watchers.add(id);
      for (const id of remove) post.watchers.delete(id);
      note(post, 2);
      note(post, 4, told.length);
      post.token = answer.nextOccToken;
    },
  };
}

function editData(play: Play, post: ModelPost): Act {
  const { model, random } = play;
  const caller = random.chance(0.6) ? post.creator : random.pick(play.people);
  const custom = data(play);
  const given = token(play, post.token);
  const wrong = random.chance(0.15);
  const found = gate(play, caller, post, () => model.mayModify(caller, post));
  return {
    name: 'edit-post-custom-data',
    caller,
    method: 'PUT',
    path: `posts/manage/edit-post-custom-data/${post.id}/${given}`,
    body: { customData: { ...custom.wire, ...(wrong && { [play.fields.Number]: 'many' }) } },
    status: statusOf([found !== 200, found], [given !== post.token, 409], [wrong, 400]),
    present: post.token,
    apply: (answer) => {
      post.data = custom.data;
      post.token = answer.nextOccToken;
      note(post, 2);
    },
  };
}

function editWatchers(play: Play, post: ModelPost): Act {
  const { model, random } = play;
  const caller = random.chance(0.6) ? post.creator : random.pick(play.people);
  const [add, remove] = [random.subset(play.people, 0.2), random.subset(play.people, 0.2)];
  const unknown = random.chance(0.1);
  const found = gate(play, caller, post, () => model.mayModify(caller, post));
  return {
    name: 'edit-post-watchers',
    caller,
    method: 'PUT',
    path: `posts/manage/edit-post-watchers/${post.id}`,
    body: { addWatcherUserIds: unknown ? [...add, NEVER] : add, removeWatcherUserIds: remove },
    status: found === 200 && unknown ? 400 : found,
    apply: () => {
      for (const id of add) if (!remove.includes(id)) post.watchers.add(id);
      for (const id of remove) post.watchers.delete(id);
    },
  };
}

function editFiles(play: Play, post: ModelPost): Act {
  const { model, random } = play;
  const caller = random.chance(0.6) ? post.creator : random.pick(play.people);
  const names = Array.from({ length: random.below(3) }, () => `${words(play)}.txt`);
  const remove = random.subset(post.files, 0.4);
  return {
    name: 'edit-post-attachments',
    caller,
    method: 'PUT',
    path: `posts/manage/edit-post-attachments/${post.id}`,
    body: {
      addAttachments: names.map((name) => ({ type: 2, name, drive: { driveId: `d-${name}`, mimeType: 'text/plain' } })),
      removeAttachmentIds: remove.map(({ id }) => id),
    },
    status: gate(play, caller, post, () => model.mayModify(caller, post)),
    apply: (answer) => {
      const added = (answer.addedAttachments ?? []) as { id: number; name: string }[];
      if (added.map(({ name }) => name).join('|') !== names.join('|'))
        throw new Error('other files came than were added');
      post.files = [
        ...post.files.filter((file) => !remove.includes(file)),
        ...added.map(({ id, name }) => ({ id, name })),
      ];
      note(post, 11, added.length);
      note(post, 12, remove.length);
      // A file that is added writes its own kind only.
      if (remove.length > 0) note(post, 2);
    },
  };
}

function removePost(play: Play, post: ModelPost): Act {
  const { model, random } = play;
  const caller = random.chance(0.5) ? post.creator : random.pick(play.people);
  const erasable = random.chance(0.5);
  return {
    name: erasable ? 'mark-post-as-erasable' : 'delete-post',
    caller,
    method: erasable ? 'PUT' : 'DELETE',
    path: `posts/manage/${erasable ? 'mark-post-as-erasable' : 'delete-post'}/${post.id}`,
    status: gate(play, caller, post, () => model.mayModify(caller, post)),
    apply: (answer) => {
      if (answer.postId !== post.id) throw new Error('another post was deleted');
      post.deleted = true;
    },
  };
}

function comment(play: Play, post: ModelPost): Act {
  const { model, random } = play;
  const caller = random.pick(play.people);
  const said = words(play);
  const mentions = random.chance(0.3) ? random.subset(play.people, 0.3) : [];
  const parent = post.comments.length > 0 && random.chance(0.4) ? random.pick(post.comments) : undefined;
  const empty = random.chance(0.05);
  const found = gate(play, caller, post, () => !post.draft && model.writes(caller));
  const ops = [
    { insert: `${said} ` },
    ...mentions.map((id) => ({ insert: { mention: { id, value: 'X' } } })),
    { insert: '\n' },
  ];
  return {
    name: 'create-comment',
    caller,
    method: 'POST',
    path: `posts/manage/create-comment/${post.id}`,
    body: empty
      ? { comment: ' ', commentFormat: 2 }
      : { comment: JSON.stringify(ops), commentFormat: 1, ...(parent && { parentCommentId: parent.id }) },
    status: found === 200 && empty ? 400 : found,
    apply: (answer) => {
      post.comments.push({ id: answer.comment.id, author: caller, text: said, parent: parent?.id });
      note(post, 3);
      note(post, 5, mentions.length);
    },
  };
}

function screen(play: Play): { wire: Body; values: ModelPost['screen']; faulty: boolean } {
  const { random, screenFields } = play;
  if (random.chance(0.1)) return { wire: { [screenFields.Score]: 1 }, values: { Score: 1 }, faulty: true };
  const values: ModelPost['screen'] = { Reason: words(play), ...(random.chance(0.5) && { Score: random.below(50) }) };
  const wire: Body = { [screenFields.Reason]: values.Reason };
  if (values.Score !== undefined) wire[screenFields.Score] = values.Score;
  return { wire, values, faulty: false };
}

function execute(play: Play, post: ModelPost): Act {
  const { model, random } = play;
  const caller = random.chance(0.5) ? post.creator : random.pick(play.people);
  const open = model.permitted(caller, post);
  const transition = open.length > 0 && random.chance(0.7) ? random.pick(open) : random.pick(model.transitions);
  const filled = screen(play);
  const given = token(play, post.screenToken);
  const status = statusOf(
    [!model.sees(caller, post), 404],
    [!model.mayRun(caller, transition, post), 403],
    [given !== post.screenToken, 409],
    [!open.includes(transition), 403],
    [transition.screen && filled.faulty, 400],
  );
  return {
    name: 'execute-post-workflow-operation',
    caller,
    method: 'POST',
    path: `posts/manage/execute-post-workflow-operation/${post.id}/${transition.id}`,
    body: { screenOccToken: given, ...(transition.screen && { screenData: filled.wire }) },
    status,
    present: post.screenToken,
    apply: (answer) => {
      post.state = transition.to;
      if (transition.screen) post.screen = filled.values;
      post.screenToken += 1;
      note(post, 6);
      const next = answer.newCurrentWorkflowPermittedOperations.map((one: { name: string }) => one.name);
      const expected = model.permitted(caller, post).map(({ name }) => name);
      if (next.join() !== expected.join()) throw new Error(`next are ${next}, expected ${expected}`);
    },
  };
}

function editScreen(play: Play, post: ModelPost): Act {
  const { model, random } = play;
  const caller = random.chance(0.5) ? post.creator : random.pick(play.people);
  const filled = screen(play);
  const given = token(play, post.screenToken);
  const ever = ['Open', 'Review'].some((state) => model.mayEditScreen(caller, post, state));
  const status = statusOf(
    [!model.sees(caller, post), 404],
    [ever && given !== post.screenToken, 409],
    [!model.mayEditScreen(caller, post, post.state), 403],
    [filled.faulty && post.screen.Reason !== undefined, 400],
  );
  return {
    name: 'edit-post-workflow-screen-data',
    caller,
    method: 'PUT',
    path: `posts/manage/edit-post-workflow-screen-data/${post.id}/${given}`,
    body: { screenData: filled.wire },
    status,
    present: post.screenToken,
    apply: (answer) => {
      post.screen = filled.values;
      post.screenToken = answer.nextScreenOccToken;
      note(post, 17);
    },
  };
}

/** @param kept present assignee of the task: it may stay a group that the caller does not know */
function assignee(play: Play, caller: number, kept?: number): { wire: Body; principal: number; unknown: boolean } {
  const { random, model } = play;
  if (random.chance(0.06)) return { wire: {}, principal: 0, unknown: true };
  const groups = [...model.groups.values()].filter((group) => !group.deleted);
  if (groups.length > 0 && random.chance(0.35)) {
    const { id } = random.pick(groups);
    return { wire: { assigneeGroupId: id }, principal: -id, unknown: kept !== -id && !model.knowsGroup(caller, id) };
  }
  const id = random.pick(play.people);
  return { wire: { assigneeUserId: id }, principal: id, unknown: false };
}

function writeTask(play: Play, post: ModelPost, task?: ModelTask): Act {
  const { model, random } = play;
  const caller = task && random.chance(0.6) ? task.creator : random.pick(play.people);
  const title = words(play);
  const to = assignee(play, caller, task?.assignee);
  const steps = Array.from({ length: random.below(3) }, () => ({ description: words(play), state: 1 }));
  const priority = random.chance(0.5) ? random.pick([1, 3]) : undefined;
  const watchers = random.subset(play.people, 0.2);
  const given = task && token(play, task.token);
  const found = !task?.deleted
    ? gate(play, caller, post, () => !post.draft && (task ? model.mayEditTask(caller, task) : model.writes(caller)))
    : 404;
  return {
    name: task ? 'edit-task' : 'create-task',
    caller,
    method: task ? 'PUT' : 'POST',
    path: task ? `tasks/manage/edit-task/${task.id}/${given}` : `tasks/manage/create-task/${post.id}`,
    body: {
      title,
      ...to.wire,
      expiration: DUE,
      subTasks: steps,
      ...(priority !== undefined && { priority }),
      [task ? 'addWatcherUserIds' : 'watcherUserIds']: watchers,
    },
    status: statusOf([found !== 200, found], [given !== task?.token, 409], [to.unknown, 400]),
    present: task?.token,
    apply: (answer) => {
      if (!task || task.assignee !== to.principal) note(post, 21);
      // A new task without a priority is a normal one; an edit clears it.
      const written = {
        token: answer.nextOccToken,
        title,
        assignee: to.principal,
        steps,
        priority: priority ?? (task ? undefined : 2),
      };
      if (task) {
        Object.assign(task, written);
        for (const id of watchers) task.watchers.add(id);
        return;
      }
      model.tasks.set(answer.taskId, {
        ...written,
        id: answer.taskId,
        postId: post.id,
        creator: caller,
        watchers: new Set(watchers),
        deleted: false,
      });
    },
  };
}

function removeTask(play: Play, task: ModelTask): Act {
  const { model, random } = play;
  const post = model.posts.get(task.postId)!;
  const caller = random.chance(0.5) ? task.creator : random.pick(play.people);
  return {
    name: 'delete-task',
    caller,
    method: 'DELETE',
    path: `tasks/manage/delete-task/${task.id}`,
    status: task.deleted ? 404 : gate(play, caller, post, () => model.mayEditTask(caller, task)),
    apply: () => {
      task.deleted = true;
    },
  };
}

/** A write on a post or a task. */
export function contentAct(play: Play): Act {
  const { random, model } = play;
  const post = anyPost(play);
  const kind = random.below(100);
  if (!post || kind < 14) return createPost(play);
  if (kind < 18) return createPost(play, post);
  if (kind < 34) return editPost(play, post);
  if (kind < 41) return editData(play, post);
  if (kind < 46) return editWatchers(play, post);
  if (kind < 51) return editFiles(play, post);
  if (kind < 54) return removePost(play, post);
  if (kind < 66) return comment(play, post);
  if (kind < 76) return execute(play, post);
  if (kind < 82) return editScreen(play, post);
  const tasks = [...model.tasks.values()];
  if (kind < 90 || tasks.length === 0) return writeTask(play, post);
  const task = random.pick(tasks);
  if (kind < 97) return writeTask(play, model.posts.get(task.postId)!, task);
  return removeTask(play, task);
}
