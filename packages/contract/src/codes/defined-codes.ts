/**
 * Codes that only Portico defines (ruling 29): nobody had published their meaning, so it is fixed here, once.
 * They are stable: values may be added, none changes its meaning.
 */
import type { CodeOf } from './codes.ts';
import { FieldType } from './codes.ts';

/** Where a task stands. A task is open while it is not CLOSED; whether it is overdue follows from its expiration. */
export const TaskState = {
  /** Waits for its assignee. */
  TO_DO: 1,
  /** The assignee is through; its creator has yet to accept. */
  IN_REVIEW: 2,
  /** Finished. */
  CLOSED: 3,
} as const;
export type TaskState = CodeOf<typeof TaskState>;

/** How urgent a task is; a task without priority counts as NORMAL. */
export const TaskPriority = { LOW: 1, NORMAL: 2, HIGH: 3, URGENT: 4 } as const;
export type TaskPriority = CodeOf<typeof TaskPriority>;

/** Kind of a task. Tasks made through the interface are STANDARD. */
export const TaskType = {
  /** Work to be done by its assignee. */
  STANDARD: 1,
  /** A request to confirm that the post was read. */
  ACKNOWLEDGE: 2,
  /** A questionnaire to be answered. */
  SURVEY: 3,
} as const;
export type TaskType = CodeOf<typeof TaskType>;

/** Where a step of a task stands. Never 0: a step without a state is refused. */
export const SubTaskState = { TO_DO: 1, DONE: 2 } as const;
export type SubTaskState = CodeOf<typeof SubTaskState>;

/** Unit of a reminder's `value`, counted back from the task's expiration. */
export const ReminderRange = { MINUTES: 1, HOURS: 2, DAYS: 3, WEEKS: 4 } as const;
export type ReminderRange = CodeOf<typeof ReminderRange>;

/** How a reminder reaches people. */
export const ReminderType = { NOTIFICATION: 1, EMAIL: 2 } as const;
export type ReminderType = CodeOf<typeof ReminderType>;

/** Taken for ACTIVE in the `statusFilter` of users and groups: clients of an older generation send it. */
export const ACTIVE_STATUS_TOO = 0;

/** State of a user in `statusFilter`. */
export const UserStatus = {
  /** Neither blocked nor deleted. */
  ACTIVE: 1,
  /** May not sign in. */
  BLOCKED: 2,
  /** Removed; content stays under the name. */
  DELETED: 3,
} as const;
export type UserStatus = CodeOf<typeof UserStatus>;

/** State of a group in `statusFilter`. */
export const GroupStatus = { ACTIVE: 1, DELETED: 2 } as const;
export type GroupStatus = CodeOf<typeof GroupStatus>;

/** Roles that a user or group can hold; the ids are those of `roleId` and `Role.id`. */
export const RoleId = {
  /** Community or workspace: administers it and sees every post in it, private ones included. */
  MANAGER: 1,
  /** Reads and writes posts. */
  CONTRIBUTOR: 2,
  /** Reads. */
  READER: 3,
  /** Administers a workspace (its form, its members) without thereby seeing private posts. */
  WORKSPACE_ADMINISTRATOR: 4,
} as const;
export type RoleId = CodeOf<typeof RoleId>;

/** Name and meaning of each role, as `Role` objects carry them. */
export const roles = [
  { id: RoleId.MANAGER, name: 'manager', description: 'Administers the community and sees all its posts' },
  { id: RoleId.CONTRIBUTOR, name: 'contributor', description: 'Reads the community and writes posts' },
  { id: RoleId.READER, name: 'reader', description: 'Reads the community' },
  {
    id: RoleId.WORKSPACE_ADMINISTRATOR,
    name: 'workspace administrator',
    description: 'Administers the workspace and its members',
  },
] as const;

/**
 * Rules that a value of a custom field must keep. 1 and 10 take no parameter and 5 takes a number on entity lists, as
 * existing definitions show; the rest is Portico's choice.
 */
export const ValidationType = {
  REQUIRED: 1,
  MIN_VALUE: 2,
  MAX_VALUE: 3,
  MIN_COUNT: 4,
  MAX_COUNT: 5,
  MIN_LENGTH: 6,
  MAX_LENGTH: 7,
  PATTERN: 8,
  DATE_MIN: 9,
  UNIQUE_ITEMS: 10,
  DATE_MAX: 11,
  MAX_DECIMALS: 12,
  NOT_IN_THE_PAST: 13,
  NOT_IN_THE_FUTURE: 14,
  EMAIL: 15,
  URL: 16,
} as const;
export type ValidationType = CodeOf<typeof ValidationType>;

/** What one {@link ValidationType} means and takes. */
export interface ValidationRule {
  /** Code on the wire (`validationTypeId`). */
  readonly id: ValidationType;
  /** Published name. A broken rule is told as `CUSTOM_VALIDATION` with this rule's id, a missing value as `REQUIRED_FIELD`. */
  readonly name: keyof typeof ValidationType;
  /** Format of `parameter`, or null when the rule takes none. */
  readonly parameter: string | null;
  /** Types of field the rule may stand on. */
  readonly fieldTypes: readonly FieldType[];
  /** What a value must satisfy. An empty value satisfies every rule but REQUIRED and MIN_COUNT. */
  readonly meaning: string;
}

const numbers = [FieldType.INT, FieldType.BIGINT, FieldType.DECIMAL, FieldType.FEEDBACK] as const;
const dates = [FieldType.DATE, FieldType.DATETIME] as const;
const texts = [FieldType.STRING, FieldType.TEXT_AREA, FieldType.DELTA_AREA] as const;
const lists = [FieldType.ENUM_LIST, FieldType.GENERIC_ENTITY_LIST] as const;
const dateParameter =
  'ISO date, ISO date-time or epoch milliseconds as text, or `now` with an optional offset in days such as `now+7`';

/** The published table of validation rules, in the order of their codes. */
export const validationRules: readonly ValidationRule[] = [
  {
    id: 1,
    name: 'REQUIRED',
    parameter: null,
    fieldTypes: Object.values(FieldType),
    meaning: 'A value must be present; text must hold more than white space.',
  },
  {
    id: 2,
    name: 'MIN_VALUE',
    parameter: 'decimal number as text',
    fieldTypes: numbers,
    meaning: 'The number is not below the parameter.',
  },
  {
    id: 3,
    name: 'MAX_VALUE',
    parameter: 'decimal number as text',
    fieldTypes: numbers,
    meaning: 'The number is not above the parameter.',
  },
  {
    id: 4,
    name: 'MIN_COUNT',
    parameter: 'whole number as text',
    fieldTypes: lists,
    meaning: 'The list holds at least that many items.',
  },
  {
    id: 5,
    name: 'MAX_COUNT',
    parameter: 'whole number as text',
    fieldTypes: lists,
    meaning: 'The list holds at most that many items.',
  },
  {
    id: 6,
    name: 'MIN_LENGTH',
    parameter: 'whole number as text',
    fieldTypes: texts,
    meaning: 'The text has at least that many characters; of rich text the plain text counts.',
  },
  {
    id: 7,
    name: 'MAX_LENGTH',
    parameter: 'whole number as text',
    fieldTypes: texts,
    meaning: 'The text has at most that many characters; of rich text the plain text counts.',
  },
  {
    id: 8,
    name: 'PATTERN',
    parameter: 'regular expression in RE2 syntax',
    fieldTypes: texts,
    meaning: 'The whole text matches the expression.',
  },
  {
    id: 9,
    name: 'DATE_MIN',
    parameter: dateParameter,
    fieldTypes: dates,
    meaning: 'The date is not before the parameter.',
  },
  { id: 10, name: 'UNIQUE_ITEMS', parameter: null, fieldTypes: lists, meaning: 'No item occurs twice in the list.' },
  {
    id: 11,
    name: 'DATE_MAX',
    parameter: dateParameter,
    fieldTypes: dates,
    meaning: 'The date is not after the parameter.',
  },
  {
    id: 12,
    name: 'MAX_DECIMALS',
    parameter: 'whole number as text',
    fieldTypes: [FieldType.DECIMAL],
    meaning: 'The number has at most that many digits after the point.',
  },
  {
    id: 13,
    name: 'NOT_IN_THE_PAST',
    parameter: null,
    fieldTypes: dates,
    meaning: 'The date is today (for DATE, in UTC) or later, the instant not before the moment of writing.',
  },
  {
    id: 14,
    name: 'NOT_IN_THE_FUTURE',
    parameter: null,
    fieldTypes: dates,
    meaning: 'The date is today (for DATE, in UTC) or earlier, the instant not after the moment of writing.',
  },
  {
    id: 15,
    name: 'EMAIL',
    parameter: null,
    fieldTypes: [FieldType.STRING],
    meaning: 'The text is one e-mail address.',
  },
  {
    id: 16,
    name: 'URL',
    parameter: null,
    fieldTypes: [FieldType.STRING, FieldType.LINK],
    meaning: 'The text is an absolute http or https address.',
  },
];
