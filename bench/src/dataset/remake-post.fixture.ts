/** Makes a built post once more through the interface, and reads the rows of a post in a form that can be compared. */
import type pg from 'pg';
import type { Dataset } from './dataset.ts';

const MANAGE = '/portal/api/external/v2/communication/posts/manage';
const TASKS = '/portal/api/external/v2/communication/tasks/manage';

/** Sends a request as a user and gives the body of its answer. */
// biome-ignore lint/suspicious/noExplicitAny: bodies are read as they come
type Send = (userId: number, method: string, path: string, body: unknown) => Promise<any>;

interface Past {
  type_id: number;
  author_id: number;
  details: { titleAfter?: string };
  transition_id: number | null;
  comment_id: number | null;
  task_ids: number[] | null;
}

// biome-ignore lint/suspicious/noExplicitAny: rows as the database has them
const all = async (owner: pg.Client, sql: string, values: unknown[]): Promise<any[]> =>
  (await owner.query<{ row: unknown }>(`SELECT to_jsonb(x) AS row FROM (${sql}) x`, values)).rows.map(({ row }) => row);

/**
 * Does everything again that the history of a post tells, in its order.
 * @returns the id of the new post; undefined for a post whose past the interface of version 2 cannot bring about
 */
export async function remakePost(
  owner: pg.Client,
  dataset: Dataset,
  postId: number,
  as: Send,
): Promise<number | undefined> {
  const ids = [dataset.tenant.id, postId];
  const [post] = await all(owner, 'SELECT * FROM posts WHERE tenant_id = $1 AND id = $2', ids);
  const tasks = await all(owner, 'SELECT * FROM tasks WHERE tenant_id = $1 AND post_id = $2', ids);
  const comments = await all(owner, 'SELECT * FROM comments WHERE tenant_id = $1 AND post_id = $2 ORDER BY id', ids);
  const past: Past[] = await all(
    owner,
    'SELECT * FROM history_events WHERE tenant_id = $1 AND post_id = $2 ORDER BY at, id',
    ids,
  );
  const rejected = dataset.community.operations.find((operation) => operation.roles.every((role) => role === 1));
  // Tasks that were closed or only ask to be read, and a step that managers alone may run.
  if (tasks.some((task) => task.closed_at !== null || task.type !== 1)) return undefined;
  if (past.some((event) => event.transition_id !== null && event.transition_id === rejected?.id)) return undefined;
  const created = past.find((event) => event.type_id === 1)!;
  const content = {
    ...(post.description_delta !== null && { description: post.description_delta }),
    visibility: post.visibility,
  };
  const title = created.details.titleAfter;
  const communityId = dataset.community.id;
  const watchers = await all(owner, 'SELECT principal FROM post_watchers WHERE tenant_id = $1 AND post_id = $2', ids);
  const invited = await all(
    owner,
    'SELECT principal FROM event_invitations WHERE tenant_id = $1 AND post_id = $2',
    ids,
  );
  const event = {
    startAt: { localDatetime: localTime(post.event_start_at) },
    endAt: { localDatetime: localTime(post.event_end_at) },
    timezone: post.event_timezone,
    location: post.event_location,
    invitations: { users: invited.map(({ principal }) => ({ id: principal, typeId: 0 })) },
  };
  const { announcement, draft } = post;
  const watcherUserIds = watchers.map(({ principal }) => principal);
  const body = { ...content, title, announcement, draft, watcherUserIds };
  const answer =
    post.type === 2
      ? await as(post.creator_id, 'POST', `${MANAGE}/create-event-post/${communityId}`, { ...body, event })
      : await as(post.creator_id, 'POST', `${MANAGE}/create-post/${communityId}`, {
          ...body,
          customData: post.custom_data,
        });
  const remade: number = answer.postId;
  let version = 1;
  const commentIds = new Map<number, number>();
  for (const { type_id, author_id, details, transition_id, comment_id, task_ids } of past) {
    if (type_id === 2) {
      const rest = post.type === 2 ? { event } : { customData: post.custom_data };
      const edit = { ...content, title: details.titleAfter, draft, ...rest };
      const verb = post.type === 2 ? 'edit-event-post' : 'edit-post';
      await as(author_id, 'PUT', `${MANAGE}/${verb}/${remade}/${version++}`, edit);
    } else if (type_id === 3) {
      const comment = comments.find((one) => one.id === comment_id)!;
      const parentCommentId = commentIds.get(comment.parent_id);
      const sent = { comment: comment.delta, ...(parentCommentId !== undefined && { parentCommentId }) };
      commentIds.set(comment.id, (await as(author_id, 'POST', `${MANAGE}/create-comment/${remade}`, sent)).comment.id);
    } else if (type_id === 6) {
      await as(author_id, 'POST', `${MANAGE}/execute-post-workflow-operation/${remade}/${transition_id}`, {});
    } else if (type_id === 21) {
      const {
        title: name,
        priority,
        assignee,
        expires_local,
        expires_timezone,
      } = tasks.find((task) => task_ids!.includes(task.id))!;
      const whom = assignee > 0 ? { assigneeUserId: assignee } : { assigneeGroupId: -assignee };
      const expiration = { datetime: expires_local, timezone: expires_timezone };
      await as(author_id, 'POST', `${TASKS}/create-task/${remade}`, { title: name, priority, expiration, ...whom });
    }
  }
  return remade;
}

function localTime(at: string | null): string | undefined {
  if (at === null) return undefined;
  const text = new Date(at).toLocaleString('sv', { timeZone: 'Europe/Rome' });
  return text.replace(' ', 'T');
}

const TABLES: Readonly<Record<string, string>> = {
  posts: 'id',
  post_search: 'post_id',
  post_values: 'field_id, ord',
  post_texts: 'field_id',
  post_grants: 'source, principal, source_id',
  post_watchers: 'principal',
  post_hashtags: 'hashtag_id',
  post_mentions: 'comment_id, user_id',
  post_user_state: 'user_id',
  comments: 'id',
  tasks: 'id',
  history_events: 'at, id',
  changes: 'seq, id',
  event_invitations: 'principal',
};

/**
 * Columns that differ from post to post by their nature; only events of today await notification,
 * and webhooks send nothing from before they were created.
 */
const OWN = new Set(['id', 'custom_no', 'post_id', 'xid', 'seq', 'awaits_notification', 'history_types']);
const isMoment = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value);
const KEPT_MOMENTS = new Set(['event_start_at', 'event_end_at', 'expires_at', 'expires_local']);

/** All rows of a post, with ids of comments and tasks by their place and moments only as there or not. */
export async function rowsOf(owner: pg.Client, tenantId: number, postId: number): Promise<Record<string, unknown[]>> {
  const read: Record<string, Record<string, unknown>[]> = {};
  for (const [table, order] of Object.entries(TABLES)) {
    const key = table === 'posts' ? 'id' : 'post_id';
    read[table] = await all(owner, `SELECT * FROM ${table} WHERE tenant_id = $1 AND ${key} = $2 ORDER BY ${order}`, [
      tenantId,
      postId,
    ]);
  }
  const place = (table: string) => new Map(read[table]!.map((row, index) => [row['id'], `${table} ${index}`]));
  const [comments, tasks] = [place('comments'), place('tasks')];
  const shown = (row: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([column]) => !OWN.has(column))
        .map(([column, value]) => {
          if (column === 'comment_id' || column === 'parent_id') return [column, comments.get(value) ?? value];
          if (column === 'task_ids') return [column, (value as number[] | null)?.map((id) => tasks.get(id)) ?? null];
          if (column === 'source_id') return [column, row['source'] === 3 ? tasks.get(value) : value];
          return [column, isMoment(value) && !KEPT_MOMENTS.has(column) ? 'then' : value];
        }),
    );
  return Object.fromEntries(Object.entries(read).map(([table, rows]) => [table, rows.map(shown)]));
}
