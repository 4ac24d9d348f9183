/**
 * Codes that only Portico defines: their meaning was never published, so it is fixed here, once.
 * They are stable: values may be added, existing ones never change their meaning.
 */
import type { CodeOf } from './codes.ts';
import { FieldType, fieldTypesWhere, type RuleGroup } from './field-types.ts';

/** State of a task. A task is open while it is not CLOSED; whether it is overdue follows from its expiration. */
export const TaskState = {
  /** Waits for the assignee. */
  TO_DO: 1,
  /** Done by the assignee; the creator has yet to accept it. */
  IN_REVIEW: 2,
  /** Finished. */
  CLOSED: 3,
} as const;
export type TaskState = CodeOf<typeof TaskState>;

/** Urgency of a task; a task without priority counts as NORMAL. */
export const TaskPriority = { LOW: 1, NORMAL: 2, HIGH: 3, URGENT: 4 } as const;
export type TaskPriority = CodeOf<typeof TaskPriority>;

/** Kind of a task. Tasks created through the interface are STANDARD. */
export const TaskType = {
  /** Work for its assignee. */
  STANDARD: 1,
  /** A request to confirm that the post was read. */
  ACKNOWLEDGE: 2,
  /** A questionnaire to answer. */
  SURVEY: 3,
} as const;
export type TaskType = CodeOf<typeof TaskType>;

/** State of a step of a task. Never 0: a step without a state is refused. */
export const SubTaskState = { TO_DO: 1, DONE: 2 } as const;
export type SubTaskState = CodeOf<typeof SubTaskState>;

/** Unit of a reminder's `value`, counted back from the task's expiration. */
export const ReminderRange = { MINUTES: 1, HOURS: 2, DAYS: 3, WEEKS: 4 } as const;
export type ReminderRange = CodeOf<typeof ReminderRange>;

/** Channel of a reminder. */
export const ReminderType = { NOTIFICATION: 1, EMAIL: 2 } as const;
export type ReminderType = CodeOf<typeof ReminderType>;

/** Accepted as ACTIVE in the `statusFilter` of users and groups: older clients send it. */
export const ACTIVE_STATUS_TOO = 0;

/** State of a user in `statusFilter`. */
export const UserStatus = {
  /** Neither blocked nor deleted. */
  ACTIVE: 1,
  /** Cannot sign in. */
  BLOCKED: 2,
  /** Removed; content stays under the name. */
  DELETED: 3,
} as const;
export type UserStatus = CodeOf<typeof UserStatus>;

/** State of a group in `statusFilter`. */
export const GroupStatus = { ACTIVE: 1, DELETED: 2 } as const;
export type GroupStatus = CodeOf<typeof GroupStatus>;

/** Roles of users and groups, by their `roleId` and `Role.id`. */
export const RoleId = {
  /** Community or workspace: administers it and sees every post in it, private ones included. */
  MANAGER: 1,
  /** Reads and writes posts. */
  CONTRIBUTOR: 2,
  /** Reads. */
  READER: 3,
  /** Administers a workspace (its form, its members) without the right to see private posts. */
  WORKSPACE_ADMINISTRATOR: 4,
  /** Sees posts that name them, whether private or public, and no others. */
  GUEST: 5,
} as const;
export type RoleId = CodeOf<typeof RoleId>;

/** Roles that membership of a workspace can give in a community. */
export const WorkspaceMemberRole = {
  NONE: 0,
  MANAGER: RoleId.MANAGER,
  CONTRIBUTOR: RoleId.CONTRIBUTOR,
  READER: RoleId.READER,
  GUEST: RoleId.GUEST,
} as const;

/** Name and meaning of each role, as in `Role` objects. */
export const roles = [
  { id: RoleId.MANAGER, name: 'manager', description: 'Administers the community and sees all its posts' },
  { id: RoleId.CONTRIBUTOR, name: 'contributor', description: 'Reads the community and writes posts' },
  { id: RoleId.READER, name: 'reader', description: 'Reads the community' },
  {
    id: RoleId.WORKSPACE_ADMINISTRATOR,
    name: 'workspace administrator',
    description: 'Administers the workspace and its members',
  },
  { id: RoleId.GUEST, name: 'guest', description: 'Reads the posts of the community that name them' },
] as const;

/**
 * Validation rules for the values of a custom field. 1, 5 and 10 have their meaning from existing
 * definitions; the rules that only Portico has begin at 1000.
 */
export const ValidationType = {
  REQUIRED: 1,
  MAX_COUNT: 5,
  CONDITIONAL: 10,
  MIN_VALUE: 1002,
  MAX_VALUE: 1003,
  MIN_COUNT: 1004,
  MIN_LENGTH: 1006,
  MAX_LENGTH: 1007,
  PATTERN: 1008,
  DATE_MIN: 1009,
  UNIQUE_ITEMS: 1010,
  DATE_MAX: 1011,
  MAX_DECIMALS: 1012,
  NOT_IN_THE_PAST: 1013,
  NOT_IN_THE_FUTURE: 1014,
  EMAIL: 1015,
  URL: 1016,
} as const;
export type ValidationType = CodeOf<typeof ValidationType>;

/** Meaning and parameter of a {@link ValidationType}. */
export interface ValidationRule {
  /** Code on the wire (`validationTypeId`). */
  readonly id: ValidationType;
  /**
   * Published name. A broken rule is reported as `CUSTOM_VALIDATION` with this rule's id, a missing
   * value as `REQUIRED_FIELD`.
   */
  readonly name: keyof typeof ValidationType;
  /** Format of `parameter`, or null when the rule takes none. */
  readonly parameter: string | null;
  /** Types of field that the rule applies to. */
  readonly fieldTypes: readonly FieldType[];
  /**
   * Condition that a value must satisfy. An empty value satisfies every rule but REQUIRED and
   * MIN_COUNT.
   */
  readonly meaning: string;
}

const types = (group: RuleGroup) => fieldTypesWhere(({ rules }) => rules.includes(group));
const numbers = types('bounds');
const dates = types('dates');
const texts = types('length');
const lists = types('count');
const dateParameter =
  'ISO date, ISO date-time or epoch milliseconds as text, or `now` with an optional offset in days such as `now+7`';

type RuleFacts = Readonly<
  Record<ValidationRule['name'], Omit<ValidationRule, 'id' | 'name' | 'parameter'> & { readonly parameter?: string }>
>;

const ruleFacts: RuleFacts = {
  REQUIRED: {
    fieldTypes: Object.values(FieldType),
    meaning:
      'A value must be present; text must hold more than white space. Beside CONDITIONAL: only where the field is shown.',
  },
  MAX_COUNT: {
    parameter: 'whole number as text',
    fieldTypes: lists,
    meaning: 'The list holds at most that many items.',
  },
  CONDITIONAL: {
    fieldTypes: Object.values(FieldType),
    meaning:
      'The field is shown only under a condition on other fields, which the client evaluates; a value is then never demanded by the server.',
  },
  MIN_VALUE: {
    parameter: 'decimal number as text',
    fieldTypes: numbers,
    meaning: 'The number is not below the parameter.',
  },
  MAX_VALUE: {
    parameter: 'decimal number as text',
    fieldTypes: numbers,
    meaning: 'The number is not above the parameter.',
  },
  MIN_COUNT: {
    parameter: 'whole number as text',
    fieldTypes: lists,
    meaning: 'The list holds at least that many items.',
  },
  MIN_LENGTH: {
    parameter: 'whole number as text',
    fieldTypes: texts,
    meaning: 'The text has at least that many code points; of rich text the plain text counts.',
  },
  MAX_LENGTH: {
    parameter: 'whole number as text',
    fieldTypes: texts,
    meaning: 'The text has at most that many code points; of rich text the plain text counts.',
  },
  PATTERN: {
    parameter: 'regular expression in RE2 syntax',
    fieldTypes: texts,
    meaning: 'The whole text matches the expression.',
  },
  DATE_MIN: {
    parameter: dateParameter,
    fieldTypes: dates,
    meaning: 'The date is not before the parameter.',
  },
  UNIQUE_ITEMS: {
    fieldTypes: lists,
    meaning: 'No item occurs twice in the list.',
  },
  DATE_MAX: {
    parameter: dateParameter,
    fieldTypes: dates,
    meaning: 'The date is not after the parameter.',
  },
  MAX_DECIMALS: {
    parameter: 'whole number as text',
    fieldTypes: types('decimals'),
    meaning: 'The number has at most that many digits after the point.',
  },
  NOT_IN_THE_PAST: {
    fieldTypes: dates,
    meaning: 'The date is today (for DATE, in UTC) or later, the instant not before the moment of writing.',
  },
  NOT_IN_THE_FUTURE: {
    fieldTypes: dates,
    meaning: 'The date is today (for DATE, in UTC) or earlier, the instant not after the moment of writing.',
  },
  EMAIL: {
    fieldTypes: types('email'),
    meaning: 'The text is one e-mail address.',
  },
  URL: {
    fieldTypes: types('url'),
    meaning: 'The text is an absolute http or https address.',
  },
};

/** The published table of validation rules, in the order of their codes. */
export const validationRules = Object.entries(ruleFacts).map(
  ([name, { parameter = null, ...facts }]): ValidationRule => ({
    id: ValidationType[name as ValidationRule['name']],
    name: name as ValidationRule['name'],
    parameter,
    ...facts,
  }),
);

/**
 * Returns the present rule for a number in a definition. Before the numbers of existing definitions
 * were known, Portico's own rules had numbers below 1000 (MIN_VALUE was 2). Imports of definitions
 * still accept these numbers, except 10, which is now {@link ValidationType.CONDITIONAL}.
 * @returns undefined if the number is no rule
 */
export function validationTypeOf(code: number): ValidationType | undefined {
  const known: readonly number[] = Object.values(ValidationType);
  const today = !known.includes(code) && code > 0 && code < 1000 ? 1000 + code : code;
  return known.includes(today) ? (today as ValidationType) : undefined;
}

/** Reason of a notification. */
export const NotificationKind = {
  /** The person is mentioned in a post, a comment or a task. */
  MENTION: 1,
  /** A task is assigned to the person or to one of their groups. */
  ASSIGNMENT: 2,
  /** The person's comment was answered. */
  REPLY: 3,
  /** A change of a post that the person follows or watches, or to whose event they are invited. */
  FOLLOW: 4,
  /** A workflow transition was run on such a post. */
  STEP: 5,
  /**
   * An open task of the person, or of one of their groups, is due on the next day, overdue, or due
   * by its reminders.
   */
  DUE: 6,
  /** A post that the person can read was announced. */
  ANNOUNCEMENT: 7,
} as const;
export type NotificationKind = CodeOf<typeof NotificationKind>;

/** When notifications of a kind are sent by mail. */
export const MailFrequency = {
  NEVER: 'never',
  /** A minute after the event. */
  AT_ONCE: 'atOnce',
  /** Within 15 minutes, those about one post in one mail. */
  BUNDLED: 'bundled',
  /** Once a day, at the person's hour. */
  DIGEST: 'digest',
} as const;
export type MailFrequency = CodeOf<typeof MailFrequency>;

/** Result of the mail of a notification. */
export const MailOutcome = {
  /** Waits in a mail, with others that arrive meanwhile. */
  BUNDLED: 'bundled',
  /** The mail server took it. */
  SENT: 'sent',
  /** Not sent, for the reason that is given. */
  HELD: 'held',
  /** The mail server refused it, or did not take it after many attempts. */
  FAILED: 'failed',
} as const;
export type MailOutcome = CodeOf<typeof MailOutcome>;

/** Why a notification was not sent by mail, or later than chosen. */
export const MailReason = {
  /** Mail of notifications is switched off for the tenant. */
  TENANT_OFF: 'tenantOff',
  /** There is no mail server, or the tenant has no address that links could lead to. */
  NO_SERVER: 'noServer',
  /** The account is blocked, deleted, a service account or a person of the demo. */
  NO_RECIPIENT: 'noRecipient',
  /** The person has switched mail off (`emailNotificationsEnabled`). */
  PERSON_OFF: 'personOff',
  /** The person has no contact address. */
  NO_ADDRESS: 'noAddress',
  /** The mail server refused the person's address in the last seven days. */
  UNDELIVERABLE: 'undeliverable',
  /** The person chose no mail for this kind. */
  NEVER: 'never',
  /** It was read or done before the mail was sent. */
  READ: 'read',
  /** The person could not see it any more when the mail was sent. */
  NOT_VISIBLE: 'notVisible',
  /** Twenty mails were sent within a day: it waits for the digest. */
  DAILY_LIMIT: 'dailyLimit',
  /** The mail server refused the person's address. */
  ADDRESS_REFUSED: 'addressRefused',
  /** The mail server refused the mail. */
  MAIL_REFUSED: 'mailRefused',
  /** The mail server did not take the mail within a day. */
  NOT_TAKEN: 'notTaken',
} as const;
export type MailReason = CodeOf<typeof MailReason>;

/** What became of a notification at the browsers of its person. */
export const PushOutcome = {
  /** It is sent within seconds, or again later. */
  WAITING: 'waiting',
  /** The push service of a browser took it. */
  SENT: 'sent',
  /** Not sent, for the reason that is given. */
  HELD: 'held',
  /** No push service took it, for the reason that is given. */
  FAILED: 'failed',
} as const;
export type PushOutcome = CodeOf<typeof PushOutcome>;

/** Why no browser got a notification. */
export const PushReason = {
  /** Notifications of browsers are switched off for the tenant. */
  TENANT_OFF: 'tenantOff',
  /** The person has, or had at the time, no browser that shows notifications. */
  NO_BROWSER: 'noBrowser',
  /** The account is blocked, deleted or a service account. */
  NO_RECIPIENT: 'noRecipient',
  /** The person chose that browsers do not show this kind. */
  NEVER: 'never',
  /** It was read or done before it was sent. */
  READ: 'read',
  /** The person could not see it any more when it was sent. */
  NOT_VISIBLE: 'notVisible',
  /** The browser has ended its subscription. */
  BROWSER_GONE: 'browserGone',
  /** The push service refused the message. */
  REFUSED: 'refused',
  /** The push service did not take the message within a day. */
  NOT_TAKEN: 'notTaken',
} as const;
export type PushReason = CodeOf<typeof PushReason>;

/** Why a person was not notified of an event. */
export const NotNotifiedReason = {
  /** The person did it. */
  OWN_ACTION: 'ownAction',
  /** Nobody is notified of events of this type. */
  NO_NOTIFICATION: 'noNotification',
  /** The notifications of the event are not written yet. */
  PENDING: 'pending',
  /** The account is blocked, or the person cannot see the post or its comments. */
  NOT_VISIBLE: 'notVisible',
  /** The person muted the post or its community, or follows neither. */
  MUTED: 'muted',
  /** The person neither follows nor watches the post, and the event does not name them. */
  NOT_CONCERNED: 'notConcerned',
  /** The person has switched this kind of notification off. */
  KIND_OFF: 'kindOff',
  /** The present settings would notify the person: they were others at the time, or the notification was removed. */
  NOT_KEPT: 'notKept',
} as const;
export type NotNotifiedReason = CodeOf<typeof NotNotifiedReason>;

/** Notifications that a person chose for a post or a community. */
export const Following = {
  /** Only personal ones: mentions, answers to their comments, tasks. */
  NONE: 0,
  /** All. */
  FOLLOWED: 1,
  /** Only tasks. */
  MUTED: 2,
} as const;
export type Following = CodeOf<typeof Following>;

/** Change of a piece of a text. */
export const TextPieceKind = { SAME: 0, ADDED: 1, REMOVED: 2 } as const;
export type TextPieceKind = CodeOf<typeof TextPieceKind>;

/** Kind of an item that waits for a person. */
export const WaitingKind = {
  /** An open task of the person or of one of their groups. */
  TASK: 1,
  /** A request to confirm that the person has read a post. */
  ACKNOWLEDGEMENT: 2,
  /** A mention that is not marked as done. */
  MENTION: 3,
  /** A post on which the person is asked to run a transition. */
  STEP: 4,
} as const;
export type WaitingKind = CodeOf<typeof WaitingKind>;

/** Faults in the definition of a community. */
export const findingKinds = [
  'UNREACHABLE_STATE',
  'DEAD_END',
  'NO_WAY_TO_AN_END',
  'TRANSITION_FOR_NOBODY',
  'SCREEN_FOR_NOBODY',
  'REQUIRED_FIELD_HIDDEN',
  'REQUIRED_FIELD_WITHOUT_VALUES',
  'CONTRADICTORY_CONDITIONS',
  'POSTS_IN_UNUSED_STATE',
] as const;

/** Subjects of the reasons in an explanation; `ALL_OF` and `ANY_OF` combine other reasons. */
export const reasonKinds = [
  'ALL_OF',
  'ANY_OF',
  'ROLE',
  'RIGHT',
  'GROUP',
  'AUTHOR',
  'ASSIGNEE',
  'VISIBILITY',
  'GRANT',
  'DRAFT',
  'DELETED',
  'STATE',
  'WORKFLOW',
  'SETTING',
  'WORKSPACE',
  'ACCOUNT',
] as const;
export type ReasonKind = (typeof reasonKinds)[number];
