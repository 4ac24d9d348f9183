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
} from '../codes/codes.ts';
import { FieldType } from '../codes/field-types.ts';
import {
  customFieldOrderPrefix,
  defaultPostOrder,
  deprecatedCustomFieldOrderPrefix,
  deprecatedPostOrders,
  operatorsByFieldType,
  postOrders,
} from '../filters.ts';
import { listLimits } from '../limits.ts';
import {
  anyList,
  code,
  codeList,
  type Fields,
  flag,
  ids,
  int64,
  list,
  order,
  orderDesc,
  pageInputs,
  ref,
  required,
  text,
  time,
  type,
  word,
} from './fields.ts';

/** The operators each type of field takes, as text for the description. */
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

/** Filters on posts that both lists take. */
const commonPostFilters: Fields = {
  title: text('Part of the title, ignoring case and accents.'),
  description: text('Part of the text, ignoring case and accents.'),
  createdByUserId: int64('Only posts of this author. Older form of `createdByUserIds`.'),
  creationTimestampFrom: time('Only posts created at this moment or later.'),
  creationTimestampTo: time('Only posts created at this moment or earlier.'),
  modifiedByUserId: int64('Only posts last edited by this user.'),
  modifiedTimestampFrom: time('Only posts last edited at this moment or later.'),
  modifiedTimestampTo: time('Only posts last edited at this moment or earlier.'),
  containsText: text(
    'Words looked for in title, text and text fields: whole words, beginnings and parts, ignoring case and accents.',
  ),
  followedByMe: flag(
    'True: only posts that the caller follows, as their author or as one of their watchers. False means no filter.',
  ),
  toManage: flag(
    'True: only posts on which the caller has something to do: a transition they may run, an open task of theirs or of a group of theirs, an open acknowledgement. False means no filter.',
  ),
  toManageProcesses: flag('True: only posts on which the caller may run a transition now. False means no filter.'),
  toManageStandardTasks: flag(
    'True: only posts with an open ordinary task of the caller, overdue or not. False means no filter.',
  ),
  mentioned: flag('True: only posts in whose text or comments the caller is mentioned. False means no filter.'),
  currentWorkflowStatusIds: ids('Only posts in one of these workflow states.'),
  postTypes: codeList(PostType, 'Only posts of these kinds.'),
  postSurveyTypes: codeList(SurveyType, 'Only questionnaires of these kinds.'),
  draftType: code(DraftType, "Only the caller's unpublished posts of this kind."),
  eventPostFilter: ref('EventPostFilter', 'Conditions on events; narrows to event posts.'),
  hashtagIds: ids('Only posts with these hashtags; see `hashtagsLogicalAnd`.'),
  hashtagsLogicalAnd: flag('True: the post must have all the hashtags; false: one is enough. Default false.'),
  visibility: code(Visibility, 'Only posts of this visibility.'),
  postFieldFilters: list('CustomFieldFilter', 'Conditions on custom fields; all must hold.', {
    maxItems: listLimits.fieldFilters,
  }),
  screenFieldFilters: list('CustomFieldFilter', 'Conditions on workflow screen fields; all must hold.', {
    maxItems: listLimits.fieldFilters,
  }),
  acknowledgeTaskFilter: ref('AcknowledgeTaskFilter', 'Conditions on requests to confirm a post as read.'),
  draft: flag("True: only the caller's own unpublished posts. False means no filter."),
};

/** Filters on posts that only the present list takes. */
const furtherPostFilters: Fields = {
  createdByUserIds: ids('Only posts of one of these authors.'),
  createdByGroupIds: ids('Only posts whose author belongs to one of these groups.'),
  includeStatelessPosts: flag(
    'Beside `currentWorkflowStatusIds`: true also keeps posts that have no workflow state. False means no such addition.',
  ),
  onlyPinned: flag('True: only pinned posts. False means no filter.'),
  postId: int64('Only this post.'),
};

/** All filters on posts, nested in `communityPostFilters` or flat at the top of the body. */
const communityPostFilterFields: Fields = { ...commonPostFilters, ...furtherPostFilters };

const pinnedFirst = flag('Whether pinned posts come before all others. Default true.', { default: true });

/** Filters, nested, and order of a list of posts: what a saved view keeps, too. */
export const postSelection: Fields = {
  communityPostFilters: ref('CommunityPostFilters', 'Conditions on posts, nested.'),
  communityAttachmentFilters: ref('CommunityAttachmentFilters', 'Conditions on attachments.'),
  orderBy: order(
    postOrders,
    customFieldOrderPrefix,
    'What to order by; empty values come last in both directions, ties by id.',
    defaultPostOrder,
  ),
  orderDesc: orderDesc(true),
  pinnedFirst,
};

export const postListTypes = {
  CommunityPostFilters: type('Conditions on posts; all must hold.', communityPostFilterFields),
  CommunityAttachmentFilters: type('Conditions on attachments: posts that have one attachment for which all hold.', {
    name: text('Part of the file name, ignoring case and accents.'),
    createdByUserId: int64('Attached by this user. Older form of `createdByUserIds`.'),
    createdByUserIds: ids('Attached by one of these users.'),
    createdByGroupIds: ids('Attached by a member of one of these groups.'),
    mimeTypes: codeList(MimeKind, 'Of one of these kinds.'),
    mimeTypeCategory: word(
      Object.values(MimeTypeCategory),
      'Of this family: `multimedia` is pictures, video and audio.',
    ),
    types: codeList(AttachmentType, 'Where the bytes are. Counts only beside another condition on attachments.', {
      default: [1],
    }),
    excludeFilePickers: flag('True: leaves out files of file-picker fields. False means no filter.'),
    entityTypes: codeList(
      AttachmentEntityType,
      'What they belong to. Counts only beside another condition on attachments.',
      {
        default: [1],
      },
    ),
    creationTimestampFrom: time('Attached at this moment or later.'),
    creationTimestampTo: time('Attached at this moment or earlier.'),
    modifiedByUserId: int64('Last changed by this user.'),
    modifiedTimestampFrom: time('Last changed at this moment or later.'),
    modifiedTimestampTo: time('Last changed at this moment or earlier.'),
    postFilePickerFieldId: int64('In this file-picker field of posts.'),
    wfScreenFilePickerFieldId: int64('In this file-picker field of workflow screens.'),
    hashtagIds: ids('With these hashtags; see `hashtagsLogicalAnd`.'),
    hashtagsLogicalAnd: flag('True: all the hashtags; false: one is enough. Default false.'),
  }),
  CustomFieldFilter: type(
    `A condition on a custom field. Operators by type of field: ${operatorText()}. Another pair, or a field that is not searchable, is a 400 that says what is possible.`,
    {
      columnId: required(int64('Id of the field.')),
      typeId: required(
        code(
          FilterType,
          'Operator. EQUAL, LIKE and CONTAINS take one parameter, INTERVAL two (both included; null leaves a side open), IN one or more, IS_NULL_OR_IN any number, IS_EMPTY none. LIKE takes `%` and `_` as plain characters.',
        ),
      ),
      parameters: anyList(
        'What to compare with: numbers, texts, booleans; dates in epoch milliseconds or ISO 8601; ids for lists and references.',
      ),
    },
  ),
  AcknowledgeTaskFilter: type('Conditions on requests to confirm a post as read.', {
    confirmed: flag('True: confirmed ones; false: open ones.'),
    assignedToMe: flag('True: only those addressed to the caller. False means no filter.'),
  }),
  EventPostFilter: type('Conditions on events. All-day events take whole days in UTC.', {
    from: text('Only events that end on this day or later, as ISO 8601 date or date-time.'),
    to: text('Only events that start on this day or earlier, as ISO 8601 date or date-time.'),
    location: text('Words looked for in the location, ignoring case and accents.'),
    startDateFrom: time('Only events that start at this moment or later.'),
    startDateTo: time('Only events that start at this moment or earlier.'),
    endDateFrom: time('Only events that end at this moment or later.'),
    endDateTo: time('Only events that end at this moment or earlier.'),
  }),
  ListCommunityPostsFilteredRequest: type(
    'Filters, order and paging of the posts of a community. Conditions on posts may be given here or in `communityPostFilters`; those given in both places must all hold.',
    {
      ...pageInputs,
      ...postSelection,
      ...communityPostFilterFields,
    },
  ),
  ListCommunityPostsRequest: type('Filters, order and paging of the posts of a community, in the older form.', {
    ...pageInputs,
    ...commonPostFilters,
    postType: code(PostType, 'Only posts of this kind. Older form of `postTypes`.'),
    orderBy: order(
      Object.keys(deprecatedPostOrders),
      deprecatedCustomFieldOrderPrefix,
      'What to order by; empty values come last in both directions, ties by id.',
      'lastModifyAndCommentTimestamp',
    ),
    orderDesc: orderDesc(true),
    attachmentHashtagIds: ids(
      'Only posts with an attachment that has these hashtags; see `attachmentHashtagsLogicalAnd`.',
    ),
    attachmentHashtagsLogicalAnd: flag(
      'True: an attachment must have all the hashtags; false: one is enough. Default false.',
    ),
    customFieldFilters: list(
      'CustomFieldFilter',
      'Conditions on custom fields; all must hold. Older name of `postFieldFilters`.',
      { maxItems: listLimits.fieldFilters },
    ),
    pinnedFirst,
  }),
};
