/** Lists of tasks, and changes of their state. */
import { ReminderRange, SubTaskState, TaskPriority, TaskState, TaskType } from '../../codes/defined-codes.ts';
import { taskOrders, taskRelations } from '../../filters.ts';
import { bulkLimits, listLimits, longestReminder } from '../../limits.ts';
import * as t from '../fields.ts';
import { taskFields, taskWriteResult } from './comments-tasks.ts';

export const taskListTypes = {
  ListTasksRequest: t.type('Filters, order and paging for the list of tasks.', {
    ...t.pageInputs,
    relation: t.word(
      taskRelations,
      'Relation of the tasks to the caller: `assigned` to them or to one of their groups, ' +
        '`created` by them, `watched` by them or by one of their groups, or `any`. Default: ' +
        '`any` with `postId`, `communityId`, `assigneeUserIds` or `assigneeGroupIds`, otherwise ' +
        '`assigned`.',
    ),
    postId: t.int64('Only tasks of this post.'),
    communityId: t.int64('Only tasks of posts of this community.'),
    assigneeUserIds: t.filterIds(
      'Only tasks that are assigned to one of these users, or to one of `assigneeGroupIds`.',
    ),
    assigneeGroupIds: t.filterIds(
      'Only tasks that are assigned to one of these groups, or to one of `assigneeUserIds`.',
    ),
    states: t.codeList(TaskState, 'Only tasks in one of these states.'),
    priorities: t.codeList(TaskPriority, 'Only tasks of one of these priorities.'),
    types: t.codeList(TaskType, 'Only tasks of these kinds.'),
    open: t.flag('True: only tasks that are not closed; false: only closed tasks.'),
    overdue: t.flag('True: only tasks that are past their expiration and not closed.'),
    deleted: t.flag('True: only deleted tasks that the caller can restore; otherwise only existing tasks.'),
    expirationFrom: t.time('Only tasks that are due at this time or later.'),
    expirationTo: t.time('Only tasks that are due before this time.'),
    orderBy: t.word(taskOrders, 'The order of the tasks.', { default: 'expiration' }),
    orderDesc: t.orderDesc(false),
  }),
  ListTasksResponse: t.page('TaskListElement', 'A page of tasks.'),
  TaskListElement: t.type('A task in a list.', {
    ...taskFields,
    postTitle: t.text('Title of its post.'),
    postCustomId: t.text('Number of its post within the community, as text.'),
    communityId: t.int64('Community of its post.'),
    communityName: t.text('Name of that community.'),
    overdue: t.flag('Whether it is past its expiration and not closed.'),
    capabilities: t.ref('TaskCapabilities', 'Capabilities of the caller.'),
  }),
  SetTaskStateRequest: t.type('New states; omitted fields stay unchanged.', {
    state: t.code(TaskState, 'State of the task.'),
    subTasks: t.list('SetSubTaskState', 'New states of steps.', { maxItems: listLimits.taskItems }),
  }),
  RestoreTaskResponse: t.type('The task that is there again.', taskWriteResult),
  EditTaskRemindersRequest: t.type('Reminders of a task for its assignee.', {
    reminders: t.required(
      t.list('InputTaskReminder', 'All reminders; they replace the earlier reminders.', {
        maxItems: listLimits.reminders,
      }),
    ),
  }),
  InputTaskReminder: t.type('A reminder before the expiration of a task.', {
    value: t.requiredByRule(
      t.checked(t.int32(`Duration before the expiration, in the unit of \`range\`: 0 to ${longestReminder}.`), {
        minimum: 0,
        maximum: longestReminder,
      }),
    ),
    range: t.requiredByRule(t.code(ReminderRange, 'Unit of `value`.')),
  }),
  EditTaskRemindersResponse: t.type('The task after the change.', taskWriteResult),
  ReassignTasksRequest: t.type('Tasks and the person or group that takes them over.', {
    taskIds: t.requiredByRule(
      t.ids(`Ids of the tasks, at most ${bulkLimits.posts}, each named once.`, { maxItems: bulkLimits.posts }),
    ),
    assigneeUserId: t.int64('The user that takes them over. Either this or `assigneeGroupId`.'),
    assigneeGroupId: t.int64('The group that takes them over. Either this or `assigneeUserId`.'),
  }),
  BulkTasksResponse: t.type('Outcome of each task, in the order of the request.', {
    items: t.list('BulkTaskOutcome', 'An outcome for each task.'),
    okCount: t.count('Tasks that were reassigned.'),
    unchangedCount: t.count('Tasks that were assigned so already.'),
    errorCount: t.count('Tasks that were refused.'),
    notRunCount: t.count('Tasks that were not begun as the time was over. Send them again.'),
  }),
  BulkTaskOutcome: t.type('Outcome of a task.', {
    taskId: t.int64('Id of the task.'),
    outcome: t.word(
      ['OK', 'UNCHANGED', 'ERROR', 'NOT_RUN'],
      'OK: reassigned. UNCHANGED: it was assigned so already, nothing was written. ERROR: refused, see `error`. NOT_RUN: not begun, the time was over.',
    ),
    nextOccToken: t.token('Token for the next edit of the task. Absent for a task that was not written.'),
    error: t.ref('BulkPostError', 'Reason of the rejection, like the error of a write of this task alone.'),
  }),
  SetSubTaskState: t.type('The new state of a step.', {
    id: t.requiredByRule(t.int64('Id of the step.')),
    state: t.requiredByRule(t.code(SubTaskState, 'State of the step; never 0.')),
  }),
  SetTaskStateResponse: t.type('The task after the change.', taskWriteResult),
};
