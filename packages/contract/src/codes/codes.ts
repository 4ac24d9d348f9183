/**
 * Numeric and textual codes of the interface.
 *
 * Every object here is `as const`: the value is the content of the JSON, the key is its published
 * name. Codes marked "defined by Portico" were published nowhere before; they are stable from now
 * on: new values may be added, existing ones never change their meaning.
 */

/** The values of a code object, as a union type. */
export type CodeOf<T extends Readonly<Record<string, number | string>>> = T[keyof T];

/**
 * Comparison of a field filter; `operatorsByFieldType` lists the comparisons of each type of field.
 */
export const FilterType = {
  /** Equal to the one parameter; text is compared exactly. */
  EQUAL: 1,
  /** Between two parameters, both included; `null` leaves that side open. */
  INTERVAL: 2,
  /** Text that contains the parameter, ignoring case and accents. */
  LIKE: 3,
  /** Equal to any of the parameters. */
  IN: 4,
  /** On text the same as LIKE; on lists: contains the parameter. */
  CONTAINS: 5,
  /** Empty, or equal to any of the parameters. */
  IS_NULL_OR_IN: 6,
  /** Empty; takes no parameter. */
  IS_EMPTY: 7,
} as const;
export type FilterType = CodeOf<typeof FilterType>;

/** Kind of a post. */
export const PostType = {
  /** An ordinary post with the custom fields of its community. */
  CUSTOM: 1,
  /** An event with a start, invitations and answers. */
  EVENT: 2,
  /** A questionnaire. */
  SURVEY: 3,
} as const;
export type PostType = CodeOf<typeof PostType>;

/** Kind of a questionnaire post. */
export const SurveyType = {
  /** A set of questions to many people. */
  SURVEY: 1,
  /** A mission, also called feedback: questions answered as a piece of work. */
  MISSION: 2,
} as const;
export type SurveyType = CodeOf<typeof SurveyType>;

/** Visibility of a post. */
export const Visibility = {
  /** Creator, watchers, assignees of its tasks, invited people, users held in fields that extend visibility, managers. */
  PRIVATE: 1,
  /** Everyone with a role in the community. */
  PUBLIC: 2,
} as const;
export type Visibility = CodeOf<typeof Visibility>;

/** Format of a text: `descriptionFormat`, `commentFormat`, `deltaAreaFormat`. */
export const TextFormat = {
  /** Quill delta as a JSON string, either the bare array of operations or `{"ops": […]}`. */
  DELTA: 1,
  /** Plain text. */
  PLAIN_TEXT: 2,
} as const;
export type TextFormat = CodeOf<typeof TextFormat>;

/** Location of an attachment's content. */
export const AttachmentType = {
  /** The portal's own storage. */
  STORAGE: 1,
  /** Google Drive; the portal holds only a reference. */
  DRIVE: 2,
} as const;
export type AttachmentType = CodeOf<typeof AttachmentType>;

/** Kind of object that an attachment belongs to. */
export const AttachmentEntityType = {
  POST: 1,
  TASK: 2,
  COMMENT: 3,
  /** A file-picker custom field of a post. */
  POST_FILE_PICKER: 4,
  /** A file-picker field of a workflow screen. */
  SCREEN_FILE_PICKER: 5,
} as const;
export type AttachmentEntityType = CodeOf<typeof AttachmentEntityType>;

/** Families of file kinds in the attachment filter of the post list. */
export const MimeKind = {
  AUDIO: 1,
  IMAGE: 2,
  VIDEO: 3,
  PDF: 4,
  TEXT: 5,
  DOCUMENT: 6,
  SPREADSHEET: 7,
  PRESENTATION: 8,
  DRAWING: 9,
  ARCHIVE: 10,
} as const;
export type MimeKind = CodeOf<typeof MimeKind>;

/** Coarse family of file kinds in attachment filters. */
export const MimeTypeCategory = {
  /** Images, video and audio. */
  MULTIMEDIA: 'multimedia',
  /** Everything else. */
  OTHER: 'other',
} as const;
export type MimeTypeCategory = CodeOf<typeof MimeTypeCategory>;

/** Kind of an unpublished post. */
export const DraftType = {
  /** Unpublished until its author publishes it. */
  STANDARD_DRAFT: 1,
  /** Waits for its time of publication. */
  SCHEDULED_DRAFT: 2,
} as const;
export type DraftType = CodeOf<typeof DraftType>;

/** Outcome of a scheduled publication. */
export const ScheduledPublicationResult = { SUCCESS: 1, FAILED: 2 } as const;
export type ScheduledPublicationResult = CodeOf<typeof ScheduledPublicationResult>;

/** Extent of a capability (`canEditComment`, `canDeleteComment`). */
export const CapabilityScope = {
  NONE: 0,
  /** Only the caller's own objects. */
  OWN: 1,
  ALL: 2,
} as const;
export type CapabilityScope = CodeOf<typeof CapabilityScope>;

/** Kind of an entry in a post's history. 18–20 and 23–28 are not used. */
export const HistoryType = {
  POST_CREATED: 1,
  POST_MODIFIED: 2,
  COMMENT_ADDED: 3,
  MENTIONED_IN_POST: 4,
  MENTIONED_IN_COMMENT: 5,
  WORKFLOW_OPERATION: 6,
  LIKE_ADDED: 7,
  LIKE_REMOVED: 8,
  WORKSPACE_CREATED: 9,
  WORKSPACE_MODIFIED: 10,
  ATTACHMENT_ADDED: 11,
  ATTACHMENT_REMOVED: 12,
  ATTACHMENT_NEW_VERSION: 13,
  POST_COPIED: 14,
  POST_DELETED: 15,
  COMMENT_DELETED: 16,
  SCREEN_DATA_MODIFIED: 17,
  /** A task was given to the target user. Meaning defined by Portico. */
  TASK_ASSIGNED: 21,
  /** The target user was mentioned in a task. Meaning defined by Portico. */
  MENTIONED_IN_TASK: 22,
  /** The target user was mentioned in a comment of a task. Meaning defined by Portico. */
  MENTIONED_IN_TASK_COMMENT: 29,
} as const;
export type HistoryType = CodeOf<typeof HistoryType>;

/** Change of an item in the global stream since the follower's token. */
export const StreamStatus = {
  CREATED: 'CREATED',
  MODIFIED: 'MODIFIED',
  /** Something around the post changed: comment, task, attachment, workflow, like. */
  TOUCHED: 'TOUCHED',
  DELETED: 'DELETED',
} as const;
export type StreamStatus = CodeOf<typeof StreamStatus>;

/** Answer to an event invitation. */
export const EventAnswer = { YES: 1, MAYBE: 2, NO: 3 } as const;
export type EventAnswer = CodeOf<typeof EventAnswer>;

/** Capacity in which a person is invited to an event. */
export const InvitationType = { GUEST: 0, COLLABORATOR: 2 } as const;
export type InvitationType = CodeOf<typeof InvitationType>;

/** Kind of licence a user holds. */
export const LicenceType = { BASE: 1, CHAT: 2, XLEARNING: 3, I_LAB: 4, INTERACTA_I: 5 } as const;
export type LicenceType = CodeOf<typeof LicenceType>;

/** Level of a licence of type 5; the other types have none. */
export const LicenceSubType = { STARTER: 'STARTER', ADVANCED: 'ADVANCED' } as const;
export type LicenceSubType = CodeOf<typeof LicenceSubType>;

/** Administrative rights; the second name is spelt as clients send it. */
export const AdminCapability = {
  /** Opens users and groups. */
  MANAGE_USERS: 'manageUsers',
  /** Opens workspaces and catalogs. */
  MANAGE_DIGITAL_WORKPLACE: 'manageDigitalWorplace',
} as const;
export type AdminCapability = CodeOf<typeof AdminCapability>;

/** Accounts of a tenant that need a second factor. */
export const RequiredSecondFactor = {
  NOBODY: 'nobody',
  /** Accounts with an administrative right. */
  ADMINISTRATORS: 'administrators',
  ALL: 'all',
} as const;
export type RequiredSecondFactor = CodeOf<typeof RequiredSecondFactor>;

/** Posts of a community that the caller must be able to see. */
export const ViewPostCapabilityLevel = {
  /** Communities where the caller sees all private posts. */
  PRIVATE: 'PRIVATE',
  /** Communities where the caller sees public posts. */
  PUBLIC: 'PUBLIC',
  /** Both. */
  ALL: 'ALL',
} as const;
export type ViewPostCapabilityLevel = CodeOf<typeof ViewPostCapabilityLevel>;

/** Ways to sign in. */
export const LoginProvider = {
  GOOGLE: 'google',
  MICROSOFT: 'microsoft',
  /** User name and password kept by the portal. */
  CUSTOM: 'custom',
} as const;
export type LoginProvider = CodeOf<typeof LoginProvider>;

/** Form in which a catalog entry is to be chosen. */
export const EditContextType = { POST: 1, WORKFLOW_SCREEN: 2, ACKNOWLEDGE_TASK_SCREEN: 3, SURVEY: 4 } as const;
export type EditContextType = CodeOf<typeof EditContextType>;

/** Whether a part of a post (title, description, watchers) is used. Defined by Portico. */
export const PartUse = {
  /** The part is not used in the community. */
  DISABLED: 0,
  /** The part may be filled. */
  OPTIONAL: 1,
  /** The part must be filled. */
  REQUIRED: 2,
} as const;
export type PartUse = CodeOf<typeof PartUse>;

/** Use of a view of posts (`PostView.scenarios`). Defined by Portico. */
export const PostViewScenario = { LIST: 1, DETAIL: 2, RELATION: 3 } as const;
export type PostViewScenario = CodeOf<typeof PostViewScenario>;

/**
 * Maximum number of posts in a relation between communities (`CommunityRelation.cardinality`).
 * Defined by Portico.
 */
export const RelationCardinality = { ONE: 1, MANY: 2 } as const;
export type RelationCardinality = CodeOf<typeof RelationCardinality>;
