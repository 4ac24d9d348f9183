/** Filters of the lists of posts. */
import {
  AttachmentEntityType,
  AttachmentType,
  DraftType,
  FilterType,
  MimeKind,
  MimeTypeCategory,
  PostType,
  SurveyType,
  Visibility,
} from '../../codes/codes.ts';
import { FieldType } from '../../codes/field-types.ts';
import {
  customFieldOrderPrefix,
  defaultPostOrder,
  deprecatedCustomFieldOrderPrefix,
  deprecatedPostOrders,
  operatorsByFieldType,
  postOrders,
} from '../../filters.ts';
import { listLimits } from '../../limits.ts';
import * as t from '../fields.ts';

/** The operators of each type of field, as text for the description. */
function operatorText(): string {
  const names = Object.entries(FilterType);
  return Object.entries(FieldType)
    .map(([name, fieldType]) => {
      const allowed = operatorsByFieldType[fieldType];
      return `${name}: ${names
        .filter(([, id]) => allowed.includes(id))
        .map(([operator]) => operator)
        .join(', ')}`;
    })
    .join('; ');
}

/** Filters on posts in both lists. */
const commonPostFilters: t.Fields = {
  title: t.text('Part of the title, ignoring case and accents.'),
  description: t.text('Part of the text, ignoring case and accents.'),
  createdByUserId: t.int64('Only posts of this author. Older form of `createdByUserIds`.'),
  creationTimestampFrom: t.time('Only posts created at this moment or later.'),
  creationTimestampTo: t.time('Only posts created at this moment or earlier.'),
  modifiedByUserId: t.int64('Only posts last edited by this user.'),
  modifiedTimestampFrom: t.time('Only posts last edited at this moment or later.'),
  modifiedTimestampTo: t.time('Only posts last edited at this moment or earlier.'),
  containsText: t.text(
    'Words to find in title, text and text fields: whole words, beginnings and parts, ignoring case and accents.',
  ),
  followedByMe: t.flag(
    'True: only posts that the caller follows, as their author or as one of their watchers. False means no filter.',
  ),
  toManage: t.flag(
    'True: only posts on which the caller has something to do: a transition they may run, an open task of theirs or of a group of theirs, an open acknowledgement. False means no filter.',
  ),
  toManageProcesses: t.flag('True: only posts on which the caller may run a transition now. False means no filter.'),
  toManageStandardTasks: t.flag(
    'True: only posts with an open ordinary task of the caller, overdue or not. False means no filter.',
  ),
  mentioned: t.flag('True: only posts that mention the caller in the text or comments. False means no filter.'),
  currentWorkflowStatusIds: t.filterIds('Only posts in one of these workflow states.'),
  postTypes: t.codeList(PostType, 'Only posts of these kinds.'),
  postSurveyTypes: t.codeList(SurveyType, 'Only questionnaires of these kinds.'),
  draftType: t.code(DraftType, "Only the caller's unpublished posts of this kind."),
  eventPostFilter: t.ref('EventPostFilter', 'Conditions on events; narrows to event posts.'),
  hashtagIds: t.filterIds('Only posts with these hashtags; see `hashtagsLogicalAnd`.'),
  hashtagsLogicalAnd: t.flag('True: the post must have all the hashtags; false: one is enough. Default false.'),
  visibility: t.code(Visibility, 'Only posts of this visibility.'),
  postFieldFilters: t.list('CustomFieldFilter', 'Conditions on custom fields; all must hold.', {
    maxItems: listLimits.fieldFilters,
  }),
  screenFieldFilters: t.list('CustomFieldFilter', 'Conditions on workflow screen fields; all must hold.', {
    maxItems: listLimits.fieldFilters,
  }),
  acknowledgeTaskFilter: t.ref('AcknowledgeTaskFilter', 'Conditions on requests to confirm a post as read.'),
  draft: t.flag("True: only the caller's own unpublished posts. False means no filter."),
};

/** Filters on posts in the present list only. */
const furtherPostFilters: t.Fields = {
  createdByUserIds: t.filterIds('Only posts of one of these authors.'),
  createdByGroupIds: t.filterIds('Only posts of authors in one of these groups.'),
  includeStatelessPosts: t.flag(
    'Beside `currentWorkflowStatusIds`: true also keeps posts that have no workflow state. False means no such addition.',
  ),
  onlyPinned: t.flag('True: only pinned posts. False means no filter.'),
  postId: t.int64('Only this post.'),
  postIds: t.filterIds(
    'Only these posts, as far as the other filters keep them, in the order of the list.',
    listLimits.filterPosts,
  ),
};

/** All filters on posts, nested in `communityPostFilters` or flat at the top of the body. */
export const communityPostFilterFields: t.Fields = { ...commonPostFilters, ...furtherPostFilters };

const pinnedFirst = t.flag('Whether pinned posts come first. Default true.', { default: true });

/** Filters, nested, and order of a list of posts: saved views store them, too. */
export const postSelection: t.Fields = {
  communityPostFilters: t.ref('CommunityPostFilters', 'Conditions on posts, nested.'),
  communityAttachmentFilters: t.ref('CommunityAttachmentFilters', 'Conditions on attachments.'),
  orderBy: t.order(
    postOrders,
    customFieldOrderPrefix,
    'Sort order; empty values come last in both directions, ties by id.',
    defaultPostOrder,
  ),
  orderDesc: t.orderDesc(true),
  pinnedFirst,
};

export const postListTypes = {
  CommunityPostFilters: t.type('Conditions on posts; all must hold.', communityPostFilterFields),
  CommunityAttachmentFilters: t.type('Conditions on attachments: posts that have one attachment for which all hold.', {
    name: t.text('Part of the file name, ignoring case and accents.'),
    createdByUserId: t.int64('Attached by this user. Older form of `createdByUserIds`.'),
    createdByUserIds: t.filterIds('Attached by one of these users.'),
    createdByGroupIds: t.filterIds('Attached by a member of one of these groups.'),
    mimeTypes: t.codeList(MimeKind, 'Only attachments of these kinds.'),
    mimeTypeCategory: t.word(
      Object.values(MimeTypeCategory),
      'Only attachments of this family: `multimedia` means pictures, video and audio.',
    ),
    types: t.codeList(
      AttachmentType,
      'Storage of the content. Applies only together with another condition on attachments.',
      {
        default: [1],
      },
    ),
    excludeFilePickers: t.flag('True: omits files of file-picker fields. False means no filter.'),
    entityTypes: t.codeList(
      AttachmentEntityType,
      'Kinds of object that they belong to. Applies only together with another condition on attachments.',
      {
        default: [1],
      },
    ),
    creationTimestampFrom: t.time('Attached at this moment or later.'),
    creationTimestampTo: t.time('Attached at this moment or earlier.'),
    modifiedByUserId: t.int64('Last changed by this user.'),
    modifiedTimestampFrom: t.time('Last changed at this moment or later.'),
    modifiedTimestampTo: t.time('Last changed at this moment or earlier.'),
    postFilePickerFieldId: t.int64('Only attachments in this file-picker field of posts.'),
    wfScreenFilePickerFieldId: t.int64('Only attachments in this file-picker field of workflow screens.'),
    hashtagIds: t.filterIds('Only attachments with these hashtags; see `hashtagsLogicalAnd`.'),
    hashtagsLogicalAnd: t.flag('True: all the hashtags; false: one is enough. Default false.'),
  }),
  CustomFieldFilter: t.type(
    `A condition on a custom field. Operators by type of field: ${operatorText()}. Another ` +
      'pair, or a field that is not searchable, returns a 400 that lists the possible values.',
    {
      columnId: t.requiredByRule(t.int64('Id of the field.')),
      typeId: t.requiredByRule(
        t.code(
          FilterType,
          'Operator. EQUAL, LIKE and CONTAINS take one parameter, INTERVAL two (both included; null leaves a side open), IN one or more, IS_NULL_OR_IN any number, IS_EMPTY none. LIKE takes `%` and `_` as plain characters.',
        ),
      ),
      parameters: t.anyList(
        'Operand: numbers, texts, booleans; dates in epoch milliseconds or ISO 8601; ids for lists and references.',
        { maxItems: listLimits.filterIds, 'x-distinct': true },
      ),
    },
  ),
  AcknowledgeTaskFilter: t.type('Conditions on requests to confirm a post as read.', {
    confirmed: t.flag('True: confirmed requests; false: open requests.'),
    assignedToMe: t.flag('True: only requests addressed to the caller. False means no filter.'),
  }),
  EventPostFilter: t.type('Conditions on events. All-day events cover whole days in UTC.', {
    from: t.text('Only events that end on this day or later, as ISO 8601 date or date-time.'),
    to: t.text('Only events that start on this day or earlier, as ISO 8601 date or date-time.'),
    location: t.text('Words looked for in the location, ignoring case and accents.'),
    startDateFrom: t.time('Only events that start at this moment or later.'),
    startDateTo: t.time('Only events that start at this moment or earlier.'),
    endDateFrom: t.time('Only events that end at this moment or later.'),
    endDateTo: t.time('Only events that end at this moment or earlier.'),
  }),
  ListCommunityPostsFilteredRequest: t.type(
    'Filters, order and paging of the posts of a community. Conditions on posts may be given ' +
      'here or in `communityPostFilters`; conditions in both places must all hold.',
    {
      ...t.pageInputs,
      ...postSelection,
      ...communityPostFilterFields,
    },
  ),
  ListCommunityPostsRequest: t.type('Filters, order and paging of the posts of a community, in the older form.', {
    ...t.pageInputs,
    ...commonPostFilters,
    postType: t.code(PostType, 'Only posts of this kind. Older form of `postTypes`.'),
    orderBy: t.order(
      Object.keys(deprecatedPostOrders),
      deprecatedCustomFieldOrderPrefix,
      'Sort order; empty values come last in both directions, ties by id.',
      'lastModifyAndCommentTimestamp',
    ),
    orderDesc: t.orderDesc(true),
    attachmentHashtagIds: t.filterIds(
      'Only posts with an attachment that has these hashtags; see `attachmentHashtagsLogicalAnd`.',
    ),
    attachmentHashtagsLogicalAnd: t.flag(
      'True: an attachment must have all the hashtags; false: one is enough. Default false.',
    ),
    customFieldFilters: t.list(
      'CustomFieldFilter',
      'Conditions on custom fields; all must hold. Older name of `postFieldFilters`.',
      { maxItems: listLimits.fieldFilters },
    ),
    pinnedFirst,
  }),
};
