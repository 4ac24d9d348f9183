/** Parses and validates the body of a task; reports all errors together. */

import {
  type CreateTaskRequest,
  type EditTaskRequest,
  listLimits,
  longestReminder,
  ReminderRange,
  ReminderType,
  SubTaskState,
  TaskPriority,
} from '@portico/contract';
import type { RichText } from '@portico/platform/richtext';
import { isLongerThan, storableText } from '@portico/platform/text';
import { type ResolvedZoned, resolveZoned } from '@portico/platform/time';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { type FieldError, FieldErrors } from '../../../kernel/errors.ts';
import type { Context } from '../../../kernel/scope.ts';
import { timeError } from '../../../kernel/time-errors.ts';
import { findPrincipals } from '../common/references.ts';
import { readText } from '../common/text-input.ts';

/** Maximum length of the title of a task, in code points. */
const MAX_TASK_TITLE_LENGTH = 1_000;
/** Maximum length of the text of a step, in code points. */
const MAX_STEP_LENGTH = 4_000;
/** Maximum number of steps of a task, and of watchers named in one body. */
const MAX_TASK_ITEMS = listLimits.taskItems;

/** The fields of a task that clients write, in a new task and in an edit. */
type TaskBody = Pick<
  CreateTaskRequest & EditTaskRequest,
  | 'title'
  | 'descriptionDelta'
  | 'descriptionPlainText'
  | 'expiration'
  | 'priority'
  | 'subTasks'
  | 'assigneeUserId'
  | 'assigneeGroupId'
>;

/** A reminder of a new task: written by the demo generator and later operations, not by version 2 of the interface. */
export interface ReminderInput {
  value: number;
  range: ReminderRange;
  types: readonly ReminderType[];
}

/** The content of a task after its errors were found. */
export interface TaskContent {
  title: string | null;
  description: RichText | null;
  expiration: ResolvedZoned;
  priority: TaskPriority | null;
  subTasks: { description: string | null; state: SubTaskState }[];
  /** Principal: user id, or negated group id. */
  assignee: number;
}

/** The content that could be read, and the errors found. */
interface ReadTask {
  content: Omit<TaskContent, 'expiration' | 'assignee'> & { expiration?: ResolvedZoned; assignee?: number };
  errors: FieldErrors;
}

function storable(field: string, value: string, maxLength: number, errors: FieldErrors): void {
  if (isLongerThan(value, maxLength)) {
    errors.add(field, 'TEXT_TOO_LONG', `Send at most ${maxLength} characters (code points).`, [maxLength]);
  } else if (storableText(value) !== value) {
    errors.add(field, 'INVALID_TEXT');
  }
}

function readTitle(body: TaskBody, errors: FieldErrors): string | null {
  const title = body.title?.trim() ?? '';
  if (title === '') return null;
  storable('title', title, MAX_TASK_TITLE_LENGTH, errors);
  return title;
}

function readDescription(body: TaskBody, errors: FieldErrors): RichText | null {
  const delta = body.descriptionDelta;
  const given = delta ?? body.descriptionPlainText;
  if (given === undefined || given.trim() === '') return null;
  const read =
    delta === undefined
      ? readText('descriptionPlainText', given, 2)
      : readText('descriptionDelta', given, 1, 'descriptionPlainText');
  if (read.error) {
    errors.push(read.error);
    return null;
  }
  return read.text;
}

/** Reads the due time of a body, which is required. @param errors found errors are added to it */
export function readExpiration(body: Pick<TaskBody, 'expiration'>, errors: FieldErrors): ResolvedZoned | undefined {
  const { datetime, timezone } = body.expiration ?? {};
  if (datetime === undefined || datetime.trim() === '') {
    errors.add(
      'expiration',
      'REQUIRED_FIELD',
      'It needs an expiration: send expiration.datetime and expiration.timezone.',
    );
    return undefined;
  }
  try {
    return resolveZoned({ datetime, timezone });
  } catch (error) {
    errors.push(timeError(error, { datetime: 'expiration.datetime', timezone: 'expiration.timezone' }));
    return undefined;
  }
}

function readSubTasks(body: TaskBody, errors: FieldErrors): TaskContent['subTasks'] {
  const given = body.subTasks ?? [];
  if (given.length > MAX_TASK_ITEMS) {
    errors.add('subTasks', 'TOO_MANY_ITEMS', `Send at most ${MAX_TASK_ITEMS} steps.`);
    return [];
  }
  return given.map((step, index) => {
    const { state } = step;
    if (state === undefined || !Object.values(SubTaskState).includes(state)) {
      errors.add(
        `subTasks[${index}].state`,
        state === undefined ? 'REQUIRED_FIELD' : 'INVALID_VALUE',
        `Each step needs a state: ${codesText(SubTaskState)}.`,
        Object.values(SubTaskState),
      );
    }
    const description = step.description?.trim() ? step.description : null;
    if (description !== null) storable(`subTasks[${index}].description`, description, MAX_STEP_LENGTH, errors);
    return { description, state: state ?? SubTaskState.TO_DO };
  });
}

function codesText(codes: Readonly<Record<string, number>>): string {
  return Object.entries(codes)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ');
}

/**
 * Reads the assignee. When a body contains a user and a group, and one of them is the present
 * assignee, the other is the new assignee: clients send the form of the task back with the new
 * assignee in it.
 * @param present principal of the present assignee; undefined for a new task
 */
export function readAssignee(
  body: Pick<TaskBody, 'assigneeUserId' | 'assigneeGroupId'>,
  present: number | undefined,
  errors: FieldErrors,
): number | undefined {
  const { assigneeUserId: user, assigneeGroupId: group } = body;
  if (user !== undefined && group !== undefined && user > 0 && group > 0) {
    if (present === user) return -group;
    if (present === -group) return user;
  }
  if (user === undefined && group === undefined) {
    errors.add('assignee', 'INVALID_VALUE', 'A task needs an assignee: send assigneeUserId or assigneeGroupId.');
    return undefined;
  }
  if (user !== undefined && group !== undefined) {
    errors.add(
      'assignee',
      'INVALID_VALUE',
      'A task has one assignee: send assigneeUserId or assigneeGroupId, not both.',
    );
    return undefined;
  }
  // A principal is signed (migration 0002): an id below 1 would refer to the other kind.
  if ((user ?? group ?? 0) < 1) {
    errors.add(user === undefined ? 'assigneeGroupId' : 'assigneeUserId', 'UNKNOWN_REFERENCE');
    return undefined;
  }
  return user ?? -(group as number);
}

/**
 * Reads the content of a task. {@link principalErrors} checks whether the people in it exist.
 * @param assigneeBefore principal of the assignee of the edited task; absent for a new task. An edit without
 *   a title clears it
 */
export function readTask({ missing }: Context, body: TaskBody, assigneeBefore?: number): ReadTask {
  const errors = new FieldErrors(missing);
  const title = readTitle(body, errors);
  const description = readDescription(body, errors);
  const expiration = readExpiration(body, errors);
  const priority = body.priority ?? null;
  if (priority !== null && !Object.values(TaskPriority).includes(priority)) {
    errors.add(
      'priority',
      'INVALID_VALUE',
      `The priority is one of ${codesText(TaskPriority)}.`,
      Object.values(TaskPriority),
    );
  }
  const subTasks = readSubTasks(body, errors);
  const assignee = readAssignee(body, assigneeBefore, errors);
  return {
    content: {
      title,
      description,
      priority,
      subTasks,
      expiration,
      assignee,
    },
    errors,
  };
}

/** Errors of the reminders of a new task. */
export function reminderErrors(reminders: readonly ReminderInput[]): FieldError[] {
  return reminders.flatMap((reminder, index): readonly FieldError[] => {
    const field = `reminders[${index}]`;
    const errors = new FieldErrors();
    if (!Number.isInteger(reminder.value) || reminder.value < 0 || reminder.value > longestReminder)
      errors.add(`${field}.value`, 'INVALID_VALUE', undefined, [0, longestReminder]);
    if (!Object.values(ReminderRange).includes(reminder.range)) {
      errors.add(`${field}.range`, 'INVALID_VALUE', undefined, Object.values(ReminderRange));
    }
    if (reminder.types.some((type) => !Object.values(ReminderType).includes(type))) {
      errors.add(`${field}.types`, 'INVALID_VALUE', undefined, Object.values(ReminderType));
    }
    return errors.list;
  });
}

/** People and groups named by a body. */
interface NamedPrincipals {
  /** Principal; undefined when the body contains no readable assignee. */
  assignee: number | undefined;
  /** Principal that needs no check because the task has it already: clients resend whole forms. */
  assigneeBefore?: number;
  /** List of the body → ids in it. */
  users: Readonly<Record<string, readonly number[]>>;
  groups: Readonly<Record<string, readonly number[]>>;
  /** Groups that the task names already. */
  keptGroups?: readonly number[];
}

/** Returns errors of the people and groups that a body names, with one statement. */
export async function principalErrors(write: WriteScope, named: NamedPrincipals): Promise<readonly FieldError[]> {
  const assignee = named.assignee === named.assigneeBefore ? undefined : named.assignee;
  const errors = new FieldErrors();
  for (const [field, ids] of [...Object.entries(named.users), ...Object.entries(named.groups)]) {
    if (ids.length > MAX_TASK_ITEMS) {
      errors.add(field, 'TOO_MANY_ITEMS', `Send at most ${MAX_TASK_ITEMS} ids.`);
    }
  }
  if (errors.length > 0) return errors.list;
  const users = Object.values(named.users).flat();
  const groups = Object.values(named.groups).flat();
  if (assignee !== undefined) (assignee > 0 ? users : groups).push(Math.abs(assignee));
  const existing = await findPrincipals(write, users, groups, named.keptGroups);
  const unknown = (field: string): void => {
    errors.add(field, 'UNKNOWN_REFERENCE');
  };
  if (assignee !== undefined) {
    if (assignee > 0 && !existing.users.has(assignee)) unknown('assigneeUserId');
    if (assignee <= 0 && !existing.groups.has(-assignee)) unknown('assigneeGroupId');
  }
  const check = (lists: NamedPrincipals['users'], known: ReadonlySet<number>): void => {
    for (const [field, ids] of Object.entries(lists)) {
      for (const [index, id] of ids.entries()) if (!known.has(id)) unknown(`${field}[${index}]`);
    }
  };
  check(named.users, existing.users);
  check(named.groups, existing.groups);
  return errors.list;
}
