/** Tasks on posts. */
import { SubTaskState, TaskPriority, TaskState } from '../../codes/defined-codes.ts';
import { bulkLimits } from '../../limits.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const tasksOperations = defineOperations('tasks', {
  listTasks: {
    method: 'POST',
    path: '/communication/tasks/data/tasks',
    body: 'ListTasksRequest',
    responses: { 200: 'ListTasksResponse', 404: null },
    permission: 'authenticated',
    paging: 'page',
    extension: true,
    summary: 'List tasks',
    description:
      'Returns tasks of posts that the caller sees: their own tasks, tasks of other people, of ' +
      'one post, or of one community. Without a `relation`, `postId`, `communityId` or ' +
      'assignees, returns the tasks that are assigned to the caller or to one of their groups. ' +
      'Filters combine by AND. Tasks without an expiration come last. An unknown or hidden ' +
      'post or community returns 404.',
    requestExamples: examples<'ListTasksRequest'>({
      mine: { summary: 'My open tasks, the most urgent first', value: { open: true, pageSize: 20 } },
      overdue: { summary: 'Overdue tasks of a community', value: { communityId: 12, overdue: true } },
      person: { summary: 'Open tasks of a person', value: { assigneeUserIds: [5], open: true } },
    }),
    clientMethod: 'list',
    command: {
      columns: ['id', 'title', 'state', 'priority', 'expiration.datetime', 'postId', 'postTitle'],
      examples: ['--open', '--community-id 12 --overdue --all --output csv'],
    },
  },
  getTaskDetailById: {
    method: 'GET',
    path: '/communication/tasks/data/task-detail-by-id/{taskId}',
    responses: { 200: 'GetTaskDetailResponse', 403: null, 404: null },
    permission: 'seeTask',
    summary: 'Read a task',
    description:
      'Returns one task in full, including its `occToken`. A task belongs to one post and is ' +
      'visible to everyone who sees that post.',
    clientMethod: 'get',
    command: { examples: ['88', '88 --output json --fields title,state,assigneeUser.lastName'] },
  },
  createTask: {
    method: 'POST',
    path: '/communication/tasks/manage/create-task/{postId}',
    body: 'CreateTaskRequest',
    responses: { 200: 'CreateTaskResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'createTask',
    summary: 'Create a task on a post',
    description: 'Requires an assignee (a user or a group) and an expiration. Each step requires a state other than 0.',
    requestExamples: examples<'CreateTaskRequest'>({
      task: {
        summary: 'A task with two steps',
        value: {
          title: 'Collect figures',
          descriptionPlainText: 'From all departments.',
          expiration: { datetime: '2026-12-15T12:00:00', timezone: 'Europe/Rome' },
          priority: TaskPriority.HIGH,
          assigneeUserId: 17,
          subTasks: [
            { description: 'Sales', state: SubTaskState.TO_DO },
            { description: 'Production', state: SubTaskState.DONE },
          ],
        },
      },
    }),
    clientMethod: 'create',
    command: {
      attachments: 'attachments',
      examples: [
        `4711 --title "Order a seal" --assignee-user-id 17 --expiration '{"datetime": "2026-12-31T18:00:00", "timezone": "Europe/Rome"}'`,
        '4711 --data @task.json --attach seal.pdf --dry-run',
      ],
    },
  },
  editTask: {
    method: 'PUT',
    path: '/communication/tasks/manage/edit-task/{taskId}/{occToken}',
    body: 'EditTaskRequest',
    responses: { 200: 'EditTaskResponse', 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null },
    permission: 'editTask',
    summary: 'Edit a task',
    description:
      'Replaces the task: omitted fields are emptied, assignee and expiration stay mandatory; ' +
      'steps are created again with new ids. Watchers and attachments change through their add ' +
      'and remove lists. A stale token returns 409.',
    clientMethod: 'replace',
    formerMethod: 'edit',
    command: {
      form: 'getTaskDetailById',
      needsValue: true,
      attachments: 'addAttachments',
      examples: ['88 --title "Order two seals"', '88 --assignee-user-id 18 --priority 3 --dry-run'],
    },
  },
  setTaskState: {
    method: 'POST',
    path: '/communication/tasks/manage/set-task-state/{taskId}',
    body: 'SetTaskStateRequest',
    responses: { 200: 'SetTaskStateResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'setTaskState',
    extension: true,
    summary: 'Change the state of a task or of its steps',
    description:
      'Submits a task for review, closes or reopens it, and marks steps as done or not. ' +
      'Omitted fields stay unchanged. Available to the assignee, members of the assigned ' +
      'group, the creator of the task and managers of the community. Requires no token: the ' +
      'last change of a state wins. A change of steps raises the token of the task, so that an ' +
      'earlier edit cannot undo it.',
    requestExamples: examples<'SetTaskStateRequest'>({
      close: { summary: 'Close the task', value: { state: TaskState.CLOSED } },
      step: { summary: 'Mark a step as done', value: { subTasks: [{ id: 901, state: SubTaskState.DONE }] } },
    }),
    clientMethod: 'setState',
    command: {
      needsValue: true,
      examples: ['88 --state 3', '88 --data \'{"subTasks": [{"id": 901, "state": 2}]}\' --dry-run'],
    },
  },
  reassignTasks: {
    method: 'POST',
    path: '/communication/tasks/manage/reassign-tasks',
    body: 'ReassignTasksRequest',
    requiresOneOf: ['assigneeUserId', 'assigneeGroupId'],
    bulk: true,
    responses: { 200: 'BulkTasksResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Reassign many tasks',
    description:
      `Assigns up to ${bulkLimits.posts} tasks to another user or group; their other fields ` +
      'stay unchanged. Each task is written separately, by the rules of `editTask`, with its ' +
      'own history; a rejected task does not affect the others. Requires no tokens and raises ' +
      `the tokens of the tasks. After ${bulkLimits.seconds} seconds no more tasks are begun: ` +
      'the rest is `NOT_RUN`. With an `Idempotency-Key` a repeat returns the same outcomes, ' +
      'and runs the tasks that were not run. The status is 200 in every case.',
    requestExamples: examples<'ReassignTasksRequest'>({
      some: { summary: 'Two tasks to a colleague', value: { taskIds: [88, 89], assigneeUserId: 17 } },
    }),
    clientMethod: 'reassignMany',
    command: {
      rows: 'items',
      columns: ['taskId', 'outcome', 'nextOccToken', 'error.message'],
      examples: [
        '--task-ids 88,89 --assignee-user-id 17 --dry-run',
        '--task-ids 88 --assignee-group-id 4 --output json',
      ],
    },
  },
  editTaskReminders: {
    method: 'PUT',
    path: '/communication/tasks/manage/reminders/{taskId}',
    body: 'EditTaskRemindersRequest',
    responses: { 200: 'EditTaskRemindersResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'editTaskReminders',
    extension: true,
    summary: 'Set the reminders of a task',
    description:
      'Sets the times at which the assignee, or each member of the group, is notified before ' +
      'the expiration while the task is open. Reminders follow the expiration. Requires no ' +
      'token and does not raise it.',
    requestExamples: examples<'EditTaskRemindersRequest'>({
      two: {
        summary: 'A day and an hour before',
        value: {
          reminders: [
            { value: 1, range: 3 },
            { value: 1, range: 2 },
          ],
        },
      },
      none: { summary: 'None', value: { reminders: [] } },
    }),
    clientMethod: 'setReminders',
    command: {
      object: 'taskData',
      needsValue: true,
      examples: [`91 --reminders '[{"value": 1, "range": 3}]'`, `91 --reminders '[]' --dry-run`],
    },
  },
  restoreTask: {
    method: 'POST',
    path: '/communication/tasks/manage/restore-task/{taskId}',
    responses: { 200: 'RestoreTaskResponse', 403: null, 404: null },
    permission: 'deleteTask',
    extension: true,
    summary: 'Restore a deleted task',
    description:
      'Restores a deleted task within 30 days. Available to the person who deleted it and to ' +
      'managers of the community. The task comes back with steps and attachments, and its ' +
      'assignee sees the post again. A task that is not deleted stays unchanged. `listTasks` ' +
      'with `deleted` lists the tasks that can be restored.',
    clientMethod: 'restore',
    command: { object: 'taskData', examples: ['91', '91 --dry-run'] },
  },
  deleteTask: {
    method: 'DELETE',
    path: '/communication/tasks/manage/delete-task/{taskId}',
    responses: { 200: 'DeleteTaskResponse', 403: null, 404: null },
    permission: 'deleteTask',
    summary: 'Delete a task',
    description: 'Removes the task from its post, which the answer names. Requires no token.',
    clientMethod: 'delete',
    command: { confirms: true, examples: ['88', '88 --yes'] },
  },
});
