/** Lists of tasks, and changes of their state. */
import { ReminderRange, SubTaskState, TaskPriority, TaskState, TaskType } from '../codes/defined-codes.ts';
import { taskOrders, taskRelations } from '../filters.ts';
import { listLimits, longestReminder } from '../limits.ts';
import { taskFields, taskWriteResult } from './comments-tasks.ts';
import {
  checked,
  code,
  codeList,
  flag,
  ids,
  int32,
  int64,
  list,
  orderDesc,
  page,
  pageInputs,
  ref,
  required,
  text,
  time,
  type,
  word,
} from './fields.ts';

export const taskListTypes = {
  ListTasksRequest: type('Which tasks to list, their order, and paging.', {
    ...pageInputs,
    relation: word(
      taskRelations,
      'What the tasks are to the caller: `assigned` to them or to a group of theirs, `created` by them, `watched` by them or by a group of theirs, or `any`. Left out, `any` with `postId` or `communityId`, else `assigned`. `any` needs one of these two.',
    ),
    postId: int64('Only tasks of this post.'),
    communityId: int64('Only tasks of posts of this community.'),
    assigneeUserIds: ids('Only tasks that are assigned to one of these users, or to one of `assigneeGroupIds`.'),
    assigneeGroupIds: ids('Only tasks that are assigned to one of these groups, or to one of `assigneeUserIds`.'),
    states: codeList(TaskState, 'Only tasks in one of these states.'),
    priorities: codeList(TaskPriority, 'Only tasks of one of these priorities.'),
    types: codeList(TaskType, 'Only tasks of these kinds.'),
    open: flag('With true only tasks that are not closed, with false only closed ones.'),
    overdue: flag('With true only tasks that are past their expiration and not closed.'),
    deleted: flag('With true only deleted tasks that the caller can restore; else only tasks that are there.'),
    expirationFrom: time('Only tasks that are due at this time or later.'),
    expirationTo: time('Only tasks that are due before this time.'),
    orderBy: word(taskOrders, 'The order of the tasks.', { default: 'expiration' }),
    orderDesc: orderDesc(false),
  }),
  ListTasksResponse: page('TaskListElement', 'A page of tasks.'),
  TaskListElement: type('A task in a list.', {
    ...taskFields,
    postTitle: text('Title of its post.'),
    postCustomId: text('Number of its post within the community, as text.'),
    communityId: int64('Community of its post.'),
    communityName: text('Name of that community.'),
    overdue: flag('Whether it is past its expiration and not closed.'),
    capabilities: ref('TaskCapabilities', 'What the caller may do with it.'),
  }),
  SetTaskStateRequest: type('New states; what is left out stays.', {
    state: code(TaskState, 'State of the task.'),
    subTasks: list('SetSubTaskState', 'New states of steps.', { maxItems: listLimits.taskItems }),
  }),
  RestoreTaskResponse: type('The task that is there again.', taskWriteResult),
  EditTaskRemindersRequest: type('When the assignee of a task is to be reminded of it.', {
    reminders: required(
      list('InputTaskReminder', 'All reminders; those before are replaced.', { maxItems: listLimits.reminders }),
    ),
  }),
  InputTaskReminder: type('A reminder before the expiration of a task.', {
    value: required(
      checked(int32(`How long before the expiration, in the unit of \`range\`: 0 to ${longestReminder}.`), {
        minimum: 0,
        maximum: longestReminder,
      }),
    ),
    range: required(code(ReminderRange, 'Unit of `value`.')),
  }),
  EditTaskRemindersResponse: type('The task after the change.', taskWriteResult),
  SetSubTaskState: type('The new state of a step.', {
    id: required(int64('Id of the step.')),
    state: required(code(SubTaskState, 'State of the step; never 0.')),
  }),
  SetTaskStateResponse: type('The task after the change.', taskWriteResult),
};
