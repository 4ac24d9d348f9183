/** SQL of tasks and their child rows. */

import type {
  Hashtag,
  ReminderRange,
  ReminderType,
  SubTaskState,
  TaskPriority,
  TaskState,
  TaskType,
} from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { GrantSource, type Parameters, type WriteScope } from '../../../kernel/access/index.ts';
import { openTaskSql } from '../../../kernel/open-tasks.ts';
import { type PageRequest, readPage, type SortColumn, type SortKey } from '../../../kernel/paging/index.ts';
import { sqlColumns } from '../../columns.ts';
import { addGrants, removeGrants } from '../../records/index.ts';
import type { PostFacts } from '../policy/post-capabilities.ts';
import type { TaskContent } from './task-input.ts';

const a = sqlColumns('attachments', 'a');
const h = sqlColumns('hashtags', 'h');
const p = sqlColumns('posts', 'p');

/** A task with all that its detail shows. Times are epoch milliseconds; principals are user ids or negated group ids. */
export interface TaskRow {
  id: number;
  postId: number;
  version: number;
  type: TaskType;
  state: TaskState;
  priority: TaskPriority | null;
  title: string | null;
  descriptionDelta: string | null;
  descriptionText: string | null;
  expiresAt: number | null;
  expiresTimezone: string | null;
  assignee: number;
  creatorId: number;
  createdAt: number;
  modifierId: number;
  modifiedAt: number;
  firstReviewAt: number | null;
  lastReviewAt: number | null;
  lastReviewerId: number | null;
  closedAt: number | null;
  closedBy: number | null;
  surveyData: Record<string, never> | null;
  surveyComments: Record<string, never> | null;
  attachmentsCount: number;
  deleted: boolean;
  subTasks: { id: number; description: string | null; state: SubTaskState }[];
  reminders: { id: number; value: number; range: ReminderRange; types: ReminderType[] }[];
  watchers: number[];
  mentions: number[];
  hashtags: Hashtag[];
}

const COLUMNS = `t.id, t.post_id AS "postId", t.version, t.type, t.state, t.priority, t.title,
  t.description_delta AS "descriptionDelta", t.description_text AS "descriptionText", t.expires_at AS "expiresAt",
  t.expires_timezone AS "expiresTimezone", t.assignee, t.creator_id AS "creatorId", t.created_at AS "createdAt",
  t.modifier_id AS "modifierId", t.modified_at AS "modifiedAt", t.first_review_at AS "firstReviewAt",
  t.last_review_at AS "lastReviewAt", t.last_reviewer_id AS "lastReviewerId", t.closed_at AS "closedAt",
  t.closed_by AS "closedBy", t.survey_data AS "surveyData", t.survey_comments AS "surveyComments",
  t.attachments_count AS "attachmentsCount", t.deleted_at IS NOT NULL AS deleted,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'description', s.description, 'state', s.state)
            ORDER BY s.position, s.id), '[]')
     FROM sub_tasks s WHERE s.tenant_id = $1 AND s.task_id = t.id) AS "subTasks",
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'value', r.value, 'range', r.range, 'types', r.types)
            ORDER BY r.id), '[]')
     FROM task_reminders r WHERE r.tenant_id = $1 AND r.task_id = t.id) AS reminders,
  ARRAY(SELECT w.principal FROM task_watchers w WHERE w.tenant_id = $1 AND w.task_id = t.id ORDER BY w.principal) AS watchers,
  ARRAY(SELECT m.user_id FROM task_mentions m WHERE m.tenant_id = $1 AND m.task_id = t.id ORDER BY m.user_id) AS mentions,
  (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', ${h.id}, 'name', ${h.name},
              'externalId', ${h.external_id}, 'deleted', ${h.deleted})) ORDER BY ${h.id}), '[]')
     FROM task_hashtags th JOIN hashtags h ON h.tenant_id = th.tenant_id AND ${h.id} = th.hashtag_id
    WHERE th.tenant_id = $1 AND th.task_id = t.id) AS hashtags`;

/** SQL of the bytes of the texts of a task `t`. */
export const TASK_BYTES = `coalesce(octet_length(t.description_delta), 0) + coalesce(octet_length(t.description_text), 0)
  + coalesce((SELECT sum(octet_length(s.description)) FROM sub_tasks s WHERE s.tenant_id = $1 AND s.task_id = t.id), 0)`;

/** A task that is not deleted, in one statement. */
export async function findTask(db: TenantExecutor, taskId: number): Promise<TaskRow | undefined> {
  const rows = await db.query<TaskRow>(
    `SELECT ${COLUMNS} FROM tasks t WHERE t.tenant_id = $1 AND t.id = $2 AND t.deleted_at IS NULL`,
    [db.tenantId, taskId],
  );
  return rows[0];
}

/** A task in a list, with the properties of its post that are shown or decide capabilities. */
export interface ListedTaskRow extends TaskRow {
  post: Omit<PostFacts, 'customData' | 'screenData'> & { title: string | null; customNo: number };
}

/** A page of tasks. @param where conditions on `t` and `p` */
export async function pageOfTasks(
  db: TenantExecutor,
  parameters: Parameters,
  where: readonly string[],
  order: readonly SortColumn[],
  page: PageRequest<SortKey>,
) {
  return readPage<ListedTaskRow>(
    db,
    page,
    {
      select: `${COLUMNS},
            jsonb_build_object('communityId', p.community_id, 'creatorId', p.creator_id, 'visibility', p.visibility,
              'draft', p.draft, 'deleted', p.deleted_at IS NOT NULL, 'stateId', p.state_id, 'type', p.type,
              'title', p.title, 'customNo', p.custom_no) AS post`,
      from: `tasks t JOIN posts p ON p.tenant_id = t.tenant_id AND ${p.id} = t.post_id`,
      where: ['t.tenant_id = $1', 'p.tenant_id = $1', ...where],
      order,
      bytes: TASK_BYTES,
    },
    parameters,
  );
}

/** The post of a task that is not deleted. */
export async function findPostOfTask(db: TenantExecutor, taskId: number): Promise<number | undefined> {
  const [row] = await db.query<{ postId: number }>(
    `SELECT post_id AS "postId" FROM tasks WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [db.tenantId, taskId],
  );
  return row?.postId;
}

/** Returns the task with a client's identifier, deleted ones included. */
export async function findTaskByClientUid(
  db: TenantExecutor,
  clientUid: string,
): Promise<{ id: number; postId: number; creatorId: number; deleted: boolean } | undefined> {
  const [row] = await db.query<{ id: number; postId: number; creatorId: number; deleted: boolean }>(
    `SELECT id, post_id AS "postId", creator_id AS "creatorId", deleted_at IS NOT NULL AS deleted
       FROM tasks WHERE tenant_id = $1 AND client_uid = $2`,
    [db.tenantId, clientUid],
  );
  return row;
}

/** A task to be inserted. */
interface NewTask {
  postId: number;
  type: TaskType;
  clientUid: string | null;
  content: TaskContent;
}

/** Parameters of a statement that writes the content of a task: its columns in order, then who writes it and when. */
function contentParameters(write: WriteScope, content: TaskContent): unknown[] {
  const { priority, title, description, expiration, assignee } = content;
  return [
    priority,
    title,
    description?.delta ?? null,
    description?.plain ?? null,
    new Date(expiration.epochMs),
    expiration.local,
    expiration.timezone,
    assignee,
    write.actor.userId,
    new Date(write.now),
  ];
}

/** @returns the new task's id, or undefined when its client uid is taken */
export async function insertTask(write: WriteScope, task: NewTask): Promise<number | undefined> {
  const [row] = await write.tx.create<{ id: number }>(
    'tasks',
    `INSERT INTO tasks (tenant_id, post_id, client_uid, type, priority, title, description_delta, description_text,
        expires_at, expires_local, expires_timezone, assignee, creator_id, created_at, modifier_id, modified_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $13, $14)
      ON CONFLICT (tenant_id, client_uid) WHERE client_uid IS NOT NULL DO NOTHING RETURNING id`,
    [write.tx.tenantId, task.postId, task.clientUid, task.type, ...contentParameters(write, task.content)],
  );
  return row?.id;
}

/** Replaces the content of a task and raises its token, if the token is still the expected one. @returns whether it was */
export async function updateTask(
  write: WriteScope,
  taskId: number,
  version: number,
  content: TaskContent,
): Promise<boolean> {
  const rows = await write.tx.change(
    'tasks',
    [taskId],
    `UPDATE tasks SET version = version + 1, priority = $4, title = $5, description_delta = $6, description_text = $7,
            expires_at = $8, expires_local = $9, expires_timezone = $10, assignee = $11, modifier_id = $12, modified_at = $13
      WHERE tenant_id = $1 AND id = $2 AND version = $3 AND deleted_at IS NULL`,
    [write.tx.tenantId, taskId, version, ...contentParameters(write, content)],
  );
  return rows === 1;
}

/** Gives a task that the write has locked another assignee and raises its token. */
export async function updateAssignee(write: WriteScope, taskId: number, assignee: number): Promise<void> {
  await write.tx.sendChange(
    'tasks',
    [taskId],
    `UPDATE tasks SET version = version + 1, assignee = $3, modifier_id = $4, modified_at = $5
      WHERE tenant_id = $1 AND id = $2`,
    [write.tx.tenantId, taskId, assignee, write.actor.userId, new Date(write.now)],
  );
}

/** Sorts task ids by their posts, the order in which writes lock; ids without a task come first. */
export async function inOrderOfPosts(db: TenantExecutor, taskIds: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `SELECT w.id FROM unnest($2::bigint[]) AS w (id) LEFT JOIN tasks t ON t.tenant_id = $1 AND t.id = w.id
      ORDER BY t.post_id NULLS FIRST, w.id`,
    [db.tenantId, taskIds],
  );
  return rows.map(({ id }) => id);
}

/** Ids of the open tasks of a person on a post, without requests to acknowledge it. */
export async function openTasksOf(db: TenantExecutor, postId: number, assignee: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `SELECT t.id FROM tasks t WHERE t.tenant_id = $1 AND t.post_id = $2 AND ${openTaskSql('$3::bigint')} ORDER BY t.id`,
    [db.tenantId, postId, assignee],
  );
  return rows.map(({ id }) => id);
}

/** Replaces the steps of a task: each gets a new id. */
export async function replaceSubTasks(
  write: WriteScope,
  taskId: number,
  steps: TaskContent['subTasks'],
): Promise<void> {
  await write.tx.sendChange('tasks', [taskId], `DELETE FROM sub_tasks WHERE tenant_id = $1 AND task_id = $2`, [
    write.tx.tenantId,
    taskId,
  ]);
  if (steps.length === 0) return;
  await write.tx.sendChange(
    'tasks',
    [taskId],
    `INSERT INTO sub_tasks (tenant_id, id, task_id, position, description, state)
      SELECT a.tenant_id, s.id, $2, s.position - 1, s.description, s.state
        FROM tenant_versions a, unnest($3::bigint[], $4::text[], $5::smallint[]) WITH ORDINALITY AS s (id, description, state, position)
       WHERE a.tenant_id = $1`,
    [
      write.tx.tenantId,
      taskId,
      await takeIds(write.tx, 'sub_tasks', steps.length),
      steps.map((step) => step.description),
      steps.map((step) => step.state),
    ],
  );
}

export async function addWatchers(write: WriteScope, taskId: number, principals: readonly number[]): Promise<void> {
  if (principals.length === 0) return;
  await write.tx.sendChange(
    'tasks',
    [taskId],
    `INSERT INTO task_watchers (tenant_id, task_id, principal) SELECT a.tenant_id, $2, p
       FROM tenant_versions a, unnest($3::bigint[]) AS p WHERE a.tenant_id = $1 ON CONFLICT DO NOTHING`,
    [write.tx.tenantId, taskId, principals],
  );
}

export async function removeWatchers(write: WriteScope, taskId: number, principals: readonly number[]): Promise<void> {
  if (principals.length === 0) return;
  await write.tx.sendChange(
    'tasks',
    [taskId],
    `DELETE FROM task_watchers WHERE tenant_id = $1 AND task_id = $2 AND principal = ANY ($3::bigint[])`,
    [write.tx.tenantId, taskId, principals],
  );
}

/**
 * Replaces the mentions and hashtags of a task. @returns the users who were not mentioned before
 */
export async function replaceMarks(
  write: WriteScope,
  taskId: number,
  marks: { mentions: readonly number[]; hashtags: readonly number[] },
): Promise<number[]> {
  await write.tx.sendChange(
    'tasks',
    [taskId],
    `DELETE FROM task_mentions WHERE tenant_id = $1 AND task_id = $2 AND user_id <> ALL ($3::bigint[])`,
    [write.tx.tenantId, taskId, marks.mentions],
  );
  const added = await write.tx.changeRows<{ userId: number }>(
    'tasks',
    [taskId],
    `INSERT INTO task_mentions AS x (tenant_id, task_id, user_id) SELECT a.tenant_id, $2, u
       FROM tenant_versions a, unnest($3::bigint[]) AS u WHERE a.tenant_id = $1
      ON CONFLICT DO NOTHING RETURNING x.user_id AS "userId"`,
    [write.tx.tenantId, taskId, marks.mentions],
  );
  await write.tx.sendChange(
    'tasks',
    [taskId],
    `DELETE FROM task_hashtags WHERE tenant_id = $1 AND task_id = $2 AND hashtag_id <> ALL ($3::bigint[])`,
    [write.tx.tenantId, taskId, marks.hashtags],
  );
  await write.tx.sendChange(
    'tasks',
    [taskId],
    `INSERT INTO task_hashtags (tenant_id, task_id, hashtag_id) SELECT a.tenant_id, $2, h
       FROM tenant_versions a, unnest($3::bigint[]) AS h WHERE a.tenant_id = $1 ON CONFLICT DO NOTHING`,
    [write.tx.tenantId, taskId, marks.hashtags],
  );
  return added.map((row) => row.userId);
}

/** Lets the assignee of a task see its post (docs/decisions/people.md), and removes other grants that this task made. */
export async function grantAssignee(
  write: WriteScope,
  postId: number,
  taskId: number,
  assignee: number | null,
): Promise<void> {
  await removeGrants(write, GrantSource.ASSIGNEE, postId, { sourceIds: [taskId], except: assignee });
  if (assignee === null) return;
  await addGrants(write, GrantSource.ASSIGNEE, [{ postId, principal: assignee, sourceId: taskId }]);
}

/** Counts the attachments of a task. */
export async function countTaskAttachments(write: WriteScope, taskId: number): Promise<void> {
  await write.tx.sendChange(
    'tasks',
    [taskId],
    `UPDATE tasks SET attachments_count = (SELECT count(*) FROM attachments a
              WHERE a.tenant_id = $1 AND ${a.task_id} = $2 AND ${a.deleted_at} IS NULL)
      WHERE tenant_id = $1 AND id = $2`,
    [write.tx.tenantId, taskId],
  );
}

/** Stores the answers to the questionnaire of a task, keyed by question, and the comments on them. */
export async function storeSurveyAnswers(
  tx: TenantTx,
  taskId: number,
  survey: { data: object; comments: object },
): Promise<void> {
  await tx.sendChange(
    'tasks',
    [taskId],
    'UPDATE tasks SET survey_data = $3, survey_comments = $4 WHERE tenant_id = $1 AND id = $2',
    [tx.tenantId, taskId, JSON.stringify(survey.data), JSON.stringify(survey.comments)],
  );
}

/** Marks a task as deleted; the caller deletes its files. */
export async function markTaskDeleted(write: WriteScope, taskId: number): Promise<void> {
  await write.tx.sendChange(
    'tasks',
    [taskId],
    `UPDATE tasks SET deleted_at = $3, version = version + 1, modifier_id = $4, modified_at = $3, attachments_count = 0
      WHERE tenant_id = $1 AND id = $2`,
    [write.tx.tenantId, taskId, new Date(write.now), write.actor.userId],
  );
}

/** A task that was deleted. Times are epoch milliseconds. */
interface DeletedTask {
  postId: number;
  type: TaskType;
  creatorId: number;
  assignee: number;
  deletedBy: number;
  deletedAt: number;
}

export async function findDeletedTask(db: TenantExecutor, taskId: number): Promise<DeletedTask | undefined> {
  const [row] = await db.query<DeletedTask>(
    `SELECT post_id AS "postId", type, creator_id AS "creatorId", assignee, modifier_id AS "deletedBy",
            deleted_at AS "deletedAt"
       FROM tasks WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NOT NULL`,
    [db.tenantId, taskId],
  );
  return row;
}

/** Restores a deleted task; the caller restores its files. */
export async function unmarkTaskDeleted(write: WriteScope, taskId: number): Promise<void> {
  await write.tx.sendChange(
    'tasks',
    [taskId],
    `UPDATE tasks SET deleted_at = NULL, version = version + 1, modifier_id = $4, modified_at = $3
      WHERE tenant_id = $1 AND id = $2`,
    [write.tx.tenantId, taskId, new Date(write.now), write.actor.userId],
  );
}

/** Sets the state of a task, and when and by whom it was submitted and closed. Null clears. */
export async function updateTaskState(
  write: WriteScope,
  taskId: number,
  state: TaskState,
  moment: { reviewed: boolean; closed: boolean },
): Promise<void> {
  await write.tx.sendChange(
    'tasks',
    [taskId],
    `UPDATE tasks SET state = $3,
            first_review_at = CASE WHEN $4 THEN coalesce(first_review_at, $6) ELSE first_review_at END,
            last_review_at = CASE WHEN $4 THEN $6 ELSE last_review_at END,
            last_reviewer_id = CASE WHEN $4 THEN $7 ELSE last_reviewer_id END,
            closed_at = CASE WHEN $5 THEN $6::timestamptz END, closed_by = CASE WHEN $5 THEN $7::bigint END
      WHERE tenant_id = $1 AND id = $2`,
    [write.tx.tenantId, taskId, state, moment.reviewed, moment.closed, new Date(write.now), write.actor.userId],
  );
}

/** Sets the states of steps of a task and raises its token. @returns the number of steps */
export async function updateSubTaskStates(
  write: WriteScope,
  taskId: number,
  steps: readonly { id: number; state: SubTaskState }[],
): Promise<void> {
  await write.tx.sendChange(
    'tasks',
    [taskId],
    `UPDATE tasks SET version = version + 1, modifier_id = $3, modified_at = $4 WHERE tenant_id = $1 AND id = $2`,
    [write.tx.tenantId, taskId, write.actor.userId, new Date(write.now)],
  );
  await write.tx.sendChange(
    'tasks',
    [taskId],
    `UPDATE sub_tasks s SET state = given.state
       FROM unnest($3::bigint[], $4::smallint[]) AS given (id, state)
      WHERE s.tenant_id = $1 AND s.task_id = $2 AND s.id = given.id`,
    [write.tx.tenantId, taskId, steps.map((step) => step.id), steps.map((step) => step.state)],
  );
}

/** A task as history names it. */
export interface TaskSummaryRow {
  id: number;
  title: string | null;
  description: string | null;
  expiresAt: number | null;
  expiresTimezone: string | null;
  type: TaskType;
  state: TaskState;
  deleted: boolean;
}

/** Tasks of one post by id, deleted ones included, in one statement. */
export async function findTaskSummaries(
  db: TenantExecutor,
  postId: number,
  taskIds: readonly number[],
): Promise<TaskSummaryRow[]> {
  if (taskIds.length === 0) return [];
  return db.query<TaskSummaryRow>(
    `SELECT id, title, description_text AS description, expires_at AS "expiresAt", expires_timezone AS "expiresTimezone",
            type, state, deleted_at IS NOT NULL AS deleted
       FROM tasks WHERE tenant_id = $1 AND post_id = $2 AND id = ANY ($3::bigint[])`,
    [db.tenantId, postId, [...new Set(taskIds)]],
  );
}
