/** Counts and figures of the posts of a community. */
import {
  customFieldOrderPrefix,
  summaryDates,
  summaryGroups,
  summaryMeasures,
  summaryPeriods,
  timeInState,
} from '../../filters.ts';
import { summaryLimits } from '../../limits.ts';
import * as t from '../fields.ts';
import { communityPostFilterFields } from './post-lists.ts';

const FIELD = `${customFieldOrderPrefix}{field id}`;
const periods = summaryPeriods.join(', ');

const value = (of: string) =>
  ({
    type: 'number',
    format: 'double',
    description:
      `${of} For \`${timeInState}\` in milliseconds. Absent if no post has a value. With ` +
      '`count` the number of posts.',
  }) satisfies t.FieldSchema;

export const postSummaryTypes = {
  SummarisePostsRequest: t.type(
    'Filters, groupings and measure of a summary. Filters are those of `listCommunityPostsFiltered`.',
    {
      communityPostFilters: t.ref('CommunityPostFilters', 'Conditions on posts, nested.'),
      communityAttachmentFilters: t.ref('CommunityAttachmentFilters', 'Conditions on attachments.'),
      ...communityPostFilterFields,
      groupBy: {
        ...t.texts(
          `Properties by which the posts are grouped, at most ${summaryLimits.groupings}. Possible ` +
            `values: ${summaryGroups.join(', ')}; ${summaryDates.join(' and ')} followed by a dot ` +
            `and a period (${periods}), as in \`creationTimestamp.month\`; ${FIELD} of a field ` +
            'that holds values of a list, yes or no, people or groups; and of a field that holds ' +
            'dates, followed by a dot and a period.',
        ),
        maxItems: summaryLimits.groupings,
      },
      measure: t.word(summaryMeasures, 'Figure of each group.', { default: 'count' }),
      measureOf: t.text(
        `Value that the measures other than \`count\` are about: ${FIELD} of a field that holds ` +
          `numbers, or \`${timeInState}\`, the time since the post entered its present workflow state.`,
        { maxLength: 60 },
      ),
    },
  ),
  SummarisePostsResponse: t.type('The figures of the posts that match and that the caller sees.', {
    groups: t.list(
      'PostSummaryGroup',
      `Up to ${summaryLimits.groups} groups: the latest periods first where a grouping is a date, ` +
        'then the groups with the most posts. A post with several values counts in the group of each.',
    ),
    other: t.ref('PostSummaryOther', `The groups beyond ${summaryLimits.groups}, together. Absent if there are none.`),
    postsCount: t.count('Number of posts that were read. Each counts once.'),
    value: value('Figure of all these posts.'),
    bounded: t.flag(
      `True: more than ${summaryLimits.posts} posts match, and the figures are those of the ` +
        `${summaryLimits.posts} newest. False: the figures are exact.`,
    ),
    timezone: t.text(
      "Time zone of the periods: the caller's, else the default of the tenant. Fields that hold days have none.",
    ),
  }),
  PostSummaryGroup: t.type('A group of posts.', {
    keys: t.list('PostSummaryKey', 'Its value of each property in `groupBy`, in that order.'),
    postsCount: t.count('Number of its posts.'),
    value: value('Figure of the group.'),
  }),
  PostSummaryKey: t.type('A value of a property. Empty for posts without one.', {
    value: t.text(
      'The value as text: the id of a state, person, group, hashtag or value of a list, the code of a type, true or ' +
        'false, or the first day of a period as YYYY-MM-DD.',
    ),
    name: t.text('Name of the state, person, group, hashtag or value of a list.'),
  }),
  PostSummaryOther: t.type('The groups that the answer omits.', {
    groupsCount: t.count('Number of these groups.'),
    postsCount: t.count('Posts of these groups; a post with several values counts in each.'),
    value: value('Figure of these groups.'),
  }),
};
