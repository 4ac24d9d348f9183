/**
 * Presents tasks as responses (contract: GetTaskDetailResponse, TaskDetail, Task). Omits fields
 * without a value (docs/decisions/types.md).
 */
import {
  type GetTaskDetailResponse,
  type Group,
  type PostWorkflowDefinitionState,
  type Task,
  type TaskAttachmentData,
  type TaskDetail,
  type TaskListElement,
  TaskState,
  type User,
  type ZonedDatetime,
} from '@portico/contract';
import { formatZoned } from '@portico/platform/time';
import type { TaskCapabilities } from '../policy/task-capabilities.ts';
import type { ListedTaskRow, TaskRow, TaskSummaryRow } from './tasks.repository.ts';

/** People and groups that a task names. */
interface TaskPeople {
  users: ReadonlyMap<number, User>;
  groups: ReadonlyMap<number, Group>;
}

/** The users and groups (negated) that a task names. */
export function principalsOf(task: TaskRow): number[] {
  const people = [task.creatorId, task.modifierId, task.lastReviewerId, task.closedBy].filter((id) => id !== null);
  return [...people, ...task.mentions, task.assignee, ...task.watchers];
}

function expiration(task: { expiresAt: number | null; expiresTimezone: string | null }): ZonedDatetime | undefined {
  return task.expiresAt === null ? undefined : formatZoned(task.expiresAt, task.expiresTimezone ?? 'UTC');
}

function present<T>(value: T | null): T | undefined {
  return value === null ? undefined : value;
}

function known<V>(map: ReadonlyMap<number, V>, ids: readonly number[]): V[] {
  return ids.flatMap((id) => map.get(id) ?? []);
}

function userAt(people: TaskPeople, id: number | null): User | undefined {
  return id === null ? undefined : people.users.get(id);
}

/** Returns the fields that the detail and the responses of writes share. */
function common(task: TaskRow, people: TaskPeople) {
  return {
    id: task.id,
    postId: task.postId,
    title: present(task.title),
    expiration: expiration(task),
    priority: present(task.priority),
    state: task.state,
    assigneeUser: task.assignee > 0 ? people.users.get(task.assignee) : undefined,
    assigneeGroup: task.assignee < 0 ? people.groups.get(-task.assignee) : undefined,
    reminders: task.reminders,
    subTasks: task.subTasks.map((step) => ({ ...step, description: present(step.description) })),
    creatorUser: people.users.get(task.creatorId),
    creationTimestamp: task.createdAt,
    lastModifyUser: people.users.get(task.modifierId),
    lastModifyTimestamp: task.modifiedAt,
    lastReviewTimestamp: present(task.lastReviewAt),
    lastReviewUser: userAt(people, task.lastReviewerId),
    closingTimestamp: present(task.closedAt),
    closingUser: userAt(people, task.closedBy),
    mentions: known(people.users, task.mentions),
    watcherUsers: known(
      people.users,
      task.watchers.filter((id) => id > 0),
    ),
    watcherGroups: known(
      people.groups,
      task.watchers.filter((id) => id < 0).map((id) => -id),
    ),
    hashtags: task.hashtags,
    occToken: task.version,
    type: task.type,
    attachmentsCount: task.attachmentsCount,
  };
}

/** Returns the response of getTaskDetailById. @param state the workflow state of the post */
export function presentTaskDetail(
  task: TaskRow,
  people: TaskPeople,
  state: PostWorkflowDefinitionState | undefined,
  capabilities: TaskCapabilities,
): GetTaskDetailResponse {
  return {
    ...common(task, people),
    descriptionDelta: present(task.descriptionDelta),
    descriptionPlainText: present(task.descriptionText),
    currentWorkflowState: state,
    firstReviewTimestamp: present(task.firstReviewAt),
    timeToReview: task.firstReviewAt === null ? undefined : task.firstReviewAt - task.createdAt,
    timeToClosed: task.closedAt === null ? undefined : task.closedAt - task.createdAt,
    surveyData: present(task.surveyData),
    surveyDataCommentsInfo: present(task.surveyComments),
    capabilities,
  };
}

/**
 * Returns `taskData` of the responses of writes: one `description` (the delta) and the attachments.
 */
export function presentTaskData(task: TaskRow, people: TaskPeople, attachments: TaskAttachmentData[]): TaskDetail {
  return {
    ...common(task, people),
    description: present(task.descriptionDelta),
    attachments,
    deleted: task.deleted,
  };
}

/** Returns whether a task is past its expiration and not closed. @param now epoch milliseconds */
export function isOverdue(task: { expiresAt: number | null; state: TaskState }, now: number): boolean {
  return task.state !== TaskState.CLOSED && task.expiresAt !== null && task.expiresAt < now;
}

/** A task in a list. */
export function presentTaskInList(
  task: ListedTaskRow,
  people: TaskPeople,
  more: { communityName: string; overdue: boolean; capabilities: TaskCapabilities },
): TaskListElement {
  return {
    ...common(task, people),
    postTitle: present(task.post.title),
    postCustomId: String(task.post.customNo),
    communityId: task.post.communityId,
    ...more,
  };
}

/** A task as history names it. */
export function presentTaskSummary(task: TaskSummaryRow): Task {
  return {
    id: task.id,
    title: present(task.title),
    description: present(task.description),
    expiration: expiration(task),
    type: task.type,
    state: task.state,
    deleted: task.deleted,
  };
}
