// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { JsonValue } from './json.ts';

/** Conditions on posts; all must hold. */
export interface CommunityPostFilters {
  /** Part of the title, ignoring case and accents. */
  title?: string;
  /** Part of the text, ignoring case and accents. */
  description?: string;
  /** Only posts of this author. Older form of `createdByUserIds`. */
  createdByUserId?: number;
  /** Only posts created at this moment or later. Epoch milliseconds, UTC. */
  creationTimestampFrom?: number;
  /** Only posts created at this moment or earlier. Epoch milliseconds, UTC. */
  creationTimestampTo?: number;
  /** Only posts last edited by this user. */
  modifiedByUserId?: number;
  /** Only posts last edited at this moment or later. Epoch milliseconds, UTC. */
  modifiedTimestampFrom?: number;
  /** Only posts last edited at this moment or earlier. Epoch milliseconds, UTC. */
  modifiedTimestampTo?: number;
  /** Words looked for in title, text and text fields: whole words, beginnings and parts, ignoring case and accents. */
  containsText?: string;
  /** True: only posts that the caller follows, as their author or as one of their watchers. False means no filter. */
  followedByMe?: boolean;
  /** True: only posts on which the caller has something to do: a transition they may run, an open task of theirs or of a group of theirs, an open acknowledgement. False means no filter. */
  toManage?: boolean;
  /** True: only posts on which the caller may run a transition now. False means no filter. */
  toManageProcesses?: boolean;
  /** True: only posts with an open ordinary task of the caller, overdue or not. False means no filter. */
  toManageStandardTasks?: boolean;
  /** True: only posts in whose text or comments the caller is mentioned. False means no filter. */
  mentioned?: boolean;
  /** Only posts in one of these workflow states. */
  currentWorkflowStatusIds?: number[];
  /** Only posts of these kinds. 1 = CUSTOM, 2 = EVENT, 3 = SURVEY. */
  postTypes?: (1 | 2 | 3)[];
  /** Only questionnaires of these kinds. 1 = SURVEY, 2 = MISSION. */
  postSurveyTypes?: (1 | 2)[];
  /** Only the caller's unpublished posts of this kind. 1 = STANDARD_DRAFT, 2 = SCHEDULED_DRAFT. */
  draftType?: 1 | 2;
  /** Conditions on events; narrows to event posts. */
  eventPostFilter?: EventPostFilter;
  /** Only posts with these hashtags; see `hashtagsLogicalAnd`. */
  hashtagIds?: number[];
  /** True: the post must have all the hashtags; false: one is enough. Default false. */
  hashtagsLogicalAnd?: boolean;
  /** Only posts of this visibility. 1 = PRIVATE, 2 = PUBLIC. */
  visibility?: 1 | 2;
  /** Conditions on custom fields; all must hold. */
  postFieldFilters?: CustomFieldFilter[];
  /** Conditions on workflow screen fields; all must hold. */
  screenFieldFilters?: CustomFieldFilter[];
  /** Conditions on requests to confirm a post as read. */
  acknowledgeTaskFilter?: AcknowledgeTaskFilter;
  /** True: only the caller's own unpublished posts. False means no filter. */
  draft?: boolean;
  /** Only posts of one of these authors. */
  createdByUserIds?: number[];
  /** Only posts whose author belongs to one of these groups. */
  createdByGroupIds?: number[];
  /** Beside `currentWorkflowStatusIds`: true also keeps posts that have no workflow state. False means no such addition. */
  includeStatelessPosts?: boolean;
  /** True: only pinned posts. False means no filter. */
  onlyPinned?: boolean;
  /** Only this post. */
  postId?: number;
}

/** Conditions on attachments: posts that have one attachment for which all hold. */
export interface CommunityAttachmentFilters {
  /** Part of the file name, ignoring case and accents. */
  name?: string;
  /** Attached by this user. Older form of `createdByUserIds`. */
  createdByUserId?: number;
  /** Attached by one of these users. */
  createdByUserIds?: number[];
  /** Attached by a member of one of these groups. */
  createdByGroupIds?: number[];
  /** Of one of these kinds. 1 = AUDIO, 2 = IMAGE, 3 = VIDEO, 4 = PDF, 5 = TEXT, 6 = DOCUMENT, 7 = SPREADSHEET, 8 = PRESENTATION, 9 = DRAWING, 10 = ARCHIVE. */
  mimeTypes?: (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10)[];
  /** Of this family: `multimedia` is pictures, video and audio. One of: multimedia, other. */
  mimeTypeCategory?: 'multimedia' | 'other';
  /** Where the bytes are. Counts only beside another condition on attachments. 1 = STORAGE, 2 = DRIVE. Default [1]. */
  types?: (1 | 2)[];
  /** True: leaves out files of file-picker fields. False means no filter. */
  excludeFilePickers?: boolean;
  /** What they belong to. Counts only beside another condition on attachments. 1 = POST, 2 = TASK, 3 = COMMENT, 4 = POST_FILE_PICKER, 5 = SCREEN_FILE_PICKER. Default [1]. */
  entityTypes?: (1 | 2 | 3 | 4 | 5)[];
  /** Attached at this moment or later. Epoch milliseconds, UTC. */
  creationTimestampFrom?: number;
  /** Attached at this moment or earlier. Epoch milliseconds, UTC. */
  creationTimestampTo?: number;
  /** Last changed by this user. */
  modifiedByUserId?: number;
  /** Last changed at this moment or later. Epoch milliseconds, UTC. */
  modifiedTimestampFrom?: number;
  /** Last changed at this moment or earlier. Epoch milliseconds, UTC. */
  modifiedTimestampTo?: number;
  /** In this file-picker field of posts. */
  postFilePickerFieldId?: number;
  /** In this file-picker field of workflow screens. */
  wfScreenFilePickerFieldId?: number;
  /** With these hashtags; see `hashtagsLogicalAnd`. */
  hashtagIds?: number[];
  /** True: all the hashtags; false: one is enough. Default false. */
  hashtagsLogicalAnd?: boolean;
}

/** A condition on a custom field. Operators by type of field: INT: EQUAL, INTERVAL, IN, IS_NULL_OR_IN, IS_EMPTY; BIGINT: EQUAL, INTERVAL, IN, IS_NULL_OR_IN, IS_EMPTY; DECIMAL: EQUAL, INTERVAL, IN, IS_NULL_OR_IN, IS_EMPTY; DATE: EQUAL, INTERVAL, IS_EMPTY; DATETIME: EQUAL, INTERVAL, IS_EMPTY; STRING: EQUAL, LIKE, CONTAINS, IS_EMPTY; ENUM: EQUAL, IN, CONTAINS, IS_NULL_OR_IN, IS_EMPTY; ENUM_LIST: EQUAL, IN, CONTAINS, IS_NULL_OR_IN, IS_EMPTY; TEXT_AREA: EQUAL, LIKE, CONTAINS, IS_EMPTY; FLAG: EQUAL, IS_EMPTY; DELTA_AREA: EQUAL, LIKE, CONTAINS, IS_EMPTY; FEEDBACK: EQUAL, INTERVAL, IN, IS_NULL_OR_IN, IS_EMPTY; HIERARCHICAL_ENUM: EQUAL, IN, CONTAINS, IS_NULL_OR_IN, IS_EMPTY; LINK: EQUAL, LIKE, CONTAINS, IS_EMPTY; GENERIC_ENTITY_LIST: EQUAL, IN, CONTAINS, IS_NULL_OR_IN, IS_EMPTY. Another pair, or a field that is not searchable, is a 400 that says what is possible. */
export interface CustomFieldFilter {
  /** Id of the field. */
  columnId?: number;
  /** Operator. EQUAL, LIKE and CONTAINS take one parameter, INTERVAL two (both included; null leaves a side open), IN one or more, IS_NULL_OR_IN any number, IS_EMPTY none. LIKE takes `%` and `_` as plain characters. 1 = EQUAL, 2 = INTERVAL, 3 = LIKE, 4 = IN, 5 = CONTAINS, 6 = IS_NULL_OR_IN, 7 = IS_EMPTY. */
  typeId?: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** What to compare with: numbers, texts, booleans; dates in epoch milliseconds or ISO 8601; ids for lists and references. */
  parameters?: JsonValue[];
}

/** Conditions on requests to confirm a post as read. */
export interface AcknowledgeTaskFilter {
  /** True: confirmed ones; false: open ones. */
  confirmed?: boolean;
  /** True: only those addressed to the caller. False means no filter. */
  assignedToMe?: boolean;
}

/** Conditions on events. All-day events take whole days in UTC. */
export interface EventPostFilter {
  /** Only events that end on this day or later, as ISO 8601 date or date-time. */
  from?: string;
  /** Only events that start on this day or earlier, as ISO 8601 date or date-time. */
  to?: string;
  /** Words looked for in the location, ignoring case and accents. */
  location?: string;
  /** Only events that start at this moment or later. Epoch milliseconds, UTC. */
  startDateFrom?: number;
  /** Only events that start at this moment or earlier. Epoch milliseconds, UTC. */
  startDateTo?: number;
  /** Only events that end at this moment or later. Epoch milliseconds, UTC. */
  endDateFrom?: number;
  /** Only events that end at this moment or earlier. Epoch milliseconds, UTC. */
  endDateTo?: number;
}

/** Filters, order and paging of the posts of a community. Conditions on posts may be given here or in `communityPostFilters`; those given in both places must all hold. */
export interface ListCommunityPostsFilteredRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Conditions on posts, nested. */
  communityPostFilters?: CommunityPostFilters;
  /** Conditions on attachments. */
  communityAttachmentFilters?: CommunityAttachmentFilters;
  /** What to order by; empty values come last in both directions, ties by id. One of: postCustomId, postTitle, postCreatorUser, postCreationTimestamp, postLastModifyUser, postLastModifyTimestamp, postLastModifyAndCommentTimestamp, postViewedByMeTimestamp, postModifiedByMeTimestamp, postCommentedByMeTimestamp, postScheduledPublication, postRecency, postCustomField-{field id}. Default `postLastModifyAndCommentTimestamp`. */
  orderBy?: 'postCustomId' | 'postTitle' | 'postCreatorUser' | 'postCreationTimestamp' | 'postLastModifyUser' | 'postLastModifyTimestamp' | 'postLastModifyAndCommentTimestamp' | 'postViewedByMeTimestamp' | 'postModifiedByMeTimestamp' | 'postCommentedByMeTimestamp' | 'postScheduledPublication' | 'postRecency' | `postCustomField-${number}`;
  /** Direction of the order: true runs from the highest to the lowest. Default true. */
  orderDesc?: boolean;
  /** Whether pinned posts come before all others. Default true. */
  pinnedFirst?: boolean;
  /** Part of the title, ignoring case and accents. */
  title?: string;
  /** Part of the text, ignoring case and accents. */
  description?: string;
  /** Only posts of this author. Older form of `createdByUserIds`. */
  createdByUserId?: number;
  /** Only posts created at this moment or later. Epoch milliseconds, UTC. */
  creationTimestampFrom?: number;
  /** Only posts created at this moment or earlier. Epoch milliseconds, UTC. */
  creationTimestampTo?: number;
  /** Only posts last edited by this user. */
  modifiedByUserId?: number;
  /** Only posts last edited at this moment or later. Epoch milliseconds, UTC. */
  modifiedTimestampFrom?: number;
  /** Only posts last edited at this moment or earlier. Epoch milliseconds, UTC. */
  modifiedTimestampTo?: number;
  /** Words looked for in title, text and text fields: whole words, beginnings and parts, ignoring case and accents. */
  containsText?: string;
  /** True: only posts that the caller follows, as their author or as one of their watchers. False means no filter. */
  followedByMe?: boolean;
  /** True: only posts on which the caller has something to do: a transition they may run, an open task of theirs or of a group of theirs, an open acknowledgement. False means no filter. */
  toManage?: boolean;
  /** True: only posts on which the caller may run a transition now. False means no filter. */
  toManageProcesses?: boolean;
  /** True: only posts with an open ordinary task of the caller, overdue or not. False means no filter. */
  toManageStandardTasks?: boolean;
  /** True: only posts in whose text or comments the caller is mentioned. False means no filter. */
  mentioned?: boolean;
  /** Only posts in one of these workflow states. */
  currentWorkflowStatusIds?: number[];
  /** Only posts of these kinds. 1 = CUSTOM, 2 = EVENT, 3 = SURVEY. */
  postTypes?: (1 | 2 | 3)[];
  /** Only questionnaires of these kinds. 1 = SURVEY, 2 = MISSION. */
  postSurveyTypes?: (1 | 2)[];
  /** Only the caller's unpublished posts of this kind. 1 = STANDARD_DRAFT, 2 = SCHEDULED_DRAFT. */
  draftType?: 1 | 2;
  /** Conditions on events; narrows to event posts. */
  eventPostFilter?: EventPostFilter;
  /** Only posts with these hashtags; see `hashtagsLogicalAnd`. */
  hashtagIds?: number[];
  /** True: the post must have all the hashtags; false: one is enough. Default false. */
  hashtagsLogicalAnd?: boolean;
  /** Only posts of this visibility. 1 = PRIVATE, 2 = PUBLIC. */
  visibility?: 1 | 2;
  /** Conditions on custom fields; all must hold. */
  postFieldFilters?: CustomFieldFilter[];
  /** Conditions on workflow screen fields; all must hold. */
  screenFieldFilters?: CustomFieldFilter[];
  /** Conditions on requests to confirm a post as read. */
  acknowledgeTaskFilter?: AcknowledgeTaskFilter;
  /** True: only the caller's own unpublished posts. False means no filter. */
  draft?: boolean;
  /** Only posts of one of these authors. */
  createdByUserIds?: number[];
  /** Only posts whose author belongs to one of these groups. */
  createdByGroupIds?: number[];
  /** Beside `currentWorkflowStatusIds`: true also keeps posts that have no workflow state. False means no such addition. */
  includeStatelessPosts?: boolean;
  /** True: only pinned posts. False means no filter. */
  onlyPinned?: boolean;
  /** Only this post. */
  postId?: number;
}

/** Filters, order and paging of the posts of a community, in the older form. */
export interface ListCommunityPostsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Part of the title, ignoring case and accents. */
  title?: string;
  /** Part of the text, ignoring case and accents. */
  description?: string;
  /** Only posts of this author. Older form of `createdByUserIds`. */
  createdByUserId?: number;
  /** Only posts created at this moment or later. Epoch milliseconds, UTC. */
  creationTimestampFrom?: number;
  /** Only posts created at this moment or earlier. Epoch milliseconds, UTC. */
  creationTimestampTo?: number;
  /** Only posts last edited by this user. */
  modifiedByUserId?: number;
  /** Only posts last edited at this moment or later. Epoch milliseconds, UTC. */
  modifiedTimestampFrom?: number;
  /** Only posts last edited at this moment or earlier. Epoch milliseconds, UTC. */
  modifiedTimestampTo?: number;
  /** Words looked for in title, text and text fields: whole words, beginnings and parts, ignoring case and accents. */
  containsText?: string;
  /** True: only posts that the caller follows, as their author or as one of their watchers. False means no filter. */
  followedByMe?: boolean;
  /** True: only posts on which the caller has something to do: a transition they may run, an open task of theirs or of a group of theirs, an open acknowledgement. False means no filter. */
  toManage?: boolean;
  /** True: only posts on which the caller may run a transition now. False means no filter. */
  toManageProcesses?: boolean;
  /** True: only posts with an open ordinary task of the caller, overdue or not. False means no filter. */
  toManageStandardTasks?: boolean;
  /** True: only posts in whose text or comments the caller is mentioned. False means no filter. */
  mentioned?: boolean;
  /** Only posts in one of these workflow states. */
  currentWorkflowStatusIds?: number[];
  /** Only posts of these kinds. 1 = CUSTOM, 2 = EVENT, 3 = SURVEY. */
  postTypes?: (1 | 2 | 3)[];
  /** Only questionnaires of these kinds. 1 = SURVEY, 2 = MISSION. */
  postSurveyTypes?: (1 | 2)[];
  /** Only the caller's unpublished posts of this kind. 1 = STANDARD_DRAFT, 2 = SCHEDULED_DRAFT. */
  draftType?: 1 | 2;
  /** Conditions on events; narrows to event posts. */
  eventPostFilter?: EventPostFilter;
  /** Only posts with these hashtags; see `hashtagsLogicalAnd`. */
  hashtagIds?: number[];
  /** True: the post must have all the hashtags; false: one is enough. Default false. */
  hashtagsLogicalAnd?: boolean;
  /** Only posts of this visibility. 1 = PRIVATE, 2 = PUBLIC. */
  visibility?: 1 | 2;
  /** Conditions on custom fields; all must hold. */
  postFieldFilters?: CustomFieldFilter[];
  /** Conditions on workflow screen fields; all must hold. */
  screenFieldFilters?: CustomFieldFilter[];
  /** Conditions on requests to confirm a post as read. */
  acknowledgeTaskFilter?: AcknowledgeTaskFilter;
  /** True: only the caller's own unpublished posts. False means no filter. */
  draft?: boolean;
  /** Only posts of this kind. Older form of `postTypes`. 1 = CUSTOM, 2 = EVENT, 3 = SURVEY. */
  postType?: 1 | 2 | 3;
  /** What to order by; empty values come last in both directions, ties by id. One of: customId, title, creatorUser, creationTimestamp, lastModifyUser, lastModifyTimestamp, lastModifyAndCommentTimestamp, viewedByMeTimestamp, modifiedByMeTimestamp, commentedByMeTimestamp, scheduled_publication, recency, customField-{field id}. Default `lastModifyAndCommentTimestamp`. */
  orderBy?: 'customId' | 'title' | 'creatorUser' | 'creationTimestamp' | 'lastModifyUser' | 'lastModifyTimestamp' | 'lastModifyAndCommentTimestamp' | 'viewedByMeTimestamp' | 'modifiedByMeTimestamp' | 'commentedByMeTimestamp' | 'scheduled_publication' | 'recency' | `customField-${number}`;
  /** Direction of the order: true runs from the highest to the lowest. Default true. */
  orderDesc?: boolean;
  /** Only posts with an attachment that has these hashtags; see `attachmentHashtagsLogicalAnd`. */
  attachmentHashtagIds?: number[];
  /** True: an attachment must have all the hashtags; false: one is enough. Default false. */
  attachmentHashtagsLogicalAnd?: boolean;
  /** Conditions on custom fields; all must hold. Older name of `postFieldFilters`. */
  customFieldFilters?: CustomFieldFilter[];
  /** Whether pinned posts come before all others. Default true. */
  pinnedFirst?: boolean;
}
