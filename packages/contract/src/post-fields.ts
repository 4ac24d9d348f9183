/** Names that the parameter `fields` of lists and details of posts takes. */

const common = [
  'id',
  'communityId',
  'customId',
  'type',
  'title',
  'descriptionPlainText',
  'descriptionDelta',
  'visibility',
  'announcement',
  'currentWorkflowState',
  'customData',
  'creatorUser',
  'creationTimestamp',
  'lastModifyUser',
  'lastModifyTimestamp',
  'lastOperationTimestamp',
  'mainAttachment',
  'attachmentsCount',
  'imageAttachmentsCount',
  'videoAttachmentsCount',
  'commentsCount',
  'viewsCount',
  'viewedByUsersCount',
  'tasksCount',
  'totalStandardTasksCount',
  'showLikeSection',
  'likesCount',
  'likedByMe',
  'followedByMe',
  'event',
] as const;

/** Members of a post in a list. */
export const postListFields = [
  ...common,
  'workflowStateDescription',
  'workflowStateColor',
  'watchersCount',
  'viewedByMe',
  'capabilities',
  'coverImage',
] as const;

/** Members of the detail of a post. */
export const postDetailFields = [
  ...common,
  'currentWorkflowScreenData',
  'mentions',
  'watchers',
  'watcherUsers',
  'watcherGroups',
  'hashtags',
  'commentMentions',
  'myState',
  'draft',
  'publicationTimestamp',
  'importTimestamp',
] as const;

/** A member that {@link postListFields} or {@link postDetailFields} names. */
export type PostFieldName = (typeof postListFields)[number] | (typeof postDetailFields)[number];

/** Members whose values can be asked for one by one, as `customData.12`. */
export const fieldsWithIds = ['customData', 'currentWorkflowScreenData'] as const;

/** Most names in one `fields`. */
export const mostFieldNames = 200;
