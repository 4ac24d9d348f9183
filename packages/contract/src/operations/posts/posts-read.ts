/** Reading posts. */
import { CapabilityScope, FilterType } from '../../codes/codes.ts';
import { summaryLimits } from '../../limits.ts';
import { defineOperations } from '../define.ts';
import { deprecatedOrderExamples, examples, filterExamples, orderExamples } from '../examples.ts';
import { postDetailQuery, postListFlags, queryPaging } from '../query.ts';
import {
  sampleChange,
  sampleCreation,
  samplePageToken,
  samplePost,
  sampleState,
  sampleTime,
  sampleUser,
} from '../sample-values.ts';

/** Columns of a table of posts. */
const postColumns = ['id', 'customId', 'title', 'currentWorkflowState', 'creatorUser', 'lastModifyTimestamp'] as const;

export const postReadOperations = defineOperations('posts', {
  getPostDetailById: {
    method: 'GET',
    path: '/communication/posts/data/post-detail-by-id/{postId}',
    query: { ...postDetailQuery },
    responses: { 200: 'GetPostDetailResponse', 403: null, 404: null },
    permission: 'seePost',
    summary: 'Read a post',
    description:
      'Returns one post in full. Counts as a view by the caller. The response has no token for ' +
      'an edit: read the edit form for it. A deleted post returns 404. `attachmentsCount` and ' +
      '`imageAttachmentsCount` count everything attached to the post, stored files and files ' +
      'in Google Drive, including files of its tasks, comments and file-picker fields; the ' +
      'list of attachments returns fewer by default.',
    responseExamples: examples<'GetPostDetailResponse'>({
      post: {
        summary: 'A post',
        value: { ...samplePost, watchers: [sampleUser], watcherUsers: [sampleUser], watcherGroups: [], hashtags: [] },
      },
    }),
    clientMethod: 'get',
    command: { examples: ['4711', '4711 --output json --fields id,title,currentWorkflowState.name'] },
  },
  getPostDetailByClientUid: {
    method: 'GET',
    path: '/communication/posts/data/post-detail-by-client-uid/{clientUid}',
    pathParams: { clientUid: 'string' },
    query: { ...postDetailQuery },
    responses: { 200: 'GetPostDetailResponse', 403: null, 404: null },
    permission: 'seePost',
    summary: "Read a post by its creator's identifier",
    description:
      'Works like `getPostDetailById`, with the `clientUid` that the creating program chose; ' +
      'available immediately after creation.',
    clientMethod: 'getByClientUid',
    command: { examples: ['erp-2026-0017', 'erp-2026-0017 --output yaml'] },
  },
  getPostCapabilities: {
    method: 'GET',
    path: '/communication/posts/data/post-capabilities/{postId}',
    responses: { 200: 'GetPostCapabilitiesResponse', 404: null },
    permission: 'seePost',
    summary: 'Capabilities of the caller on a post',
    description:
      'Returns flags for each action, and the workflow transitions that the caller may run ' +
      'now, with their screens.',
    responseExamples: examples<'GetPostCapabilitiesResponse'>({
      author: {
        summary: 'For the author',
        value: {
          canViewDetail: true,
          canModify: true,
          canCopy: true,
          canDelete: true,
          canViewComment: true,
          canAddComment: true,
          canEditComment: CapabilityScope.OWN,
          canDeleteComment: CapabilityScope.OWN,
          canCreateTask: true,
          workflowPermittedOperations: [
            { id: 81, name: 'Approve', fromState: sampleState, toState: { ...sampleState, id: 52 } },
          ],
          canEditWorkflowScreenData: false,
        },
      },
    }),
    clientMethod: 'capabilities',
    command: {
      examples: ['4711', '4711 --output json --fields workflowPermittedOperations.id,workflowPermittedOperations.name'],
    },
  },
  checkPostVisibility: {
    method: 'POST',
    path: '/communication/posts/data/check-visibility',
    body: 'CheckVisibilityRequest',
    responses: { 200: 'CheckVisibilityWithCommentsResponse' },
    permission: 'authenticated',
    summary: 'Visible posts among the given ids',
    description:
      'Takes up to 1,000 ids and returns the visible posts, and whether the caller sees the ' +
      'comments of each: a community may hide comments from readers. Never returns 404.',
    requestExamples: examples<'CheckVisibilityRequest'>({
      some: { summary: 'Three posts', value: { ids: [1201, 1202, 1203] } },
    }),
    responseExamples: examples<'CheckVisibilityWithCommentsResponse'>({
      two: {
        summary: 'Two of three',
        value: {
          posts: [
            { id: 1201, canViewComments: true },
            { id: 1203, canViewComments: false },
          ],
        },
      },
    }),
    clientMethod: 'whichCanISee',
    formerMethod: 'checkVisibility',
    command: { rows: 'posts', columns: ['id'], examples: ['--ids 4711,4712', '--ids 4711 --output json'] },
  },
  checkPostVisibilityWithComments: {
    method: 'POST',
    path: '/communication/posts/data/check-visibility-with-comments',
    body: 'CheckVisibilityRequest',
    responses: { 200: 'CheckVisibilityWithCommentsResponse' },
    permission: 'authenticated',
    summary: 'Visible posts and comments among the given ids',
    description: 'Works like `checkPostVisibility`.',
    clientMethod: 'whichCanISeeWithComments',
    formerMethod: 'checkVisibilityWithComments',
    command: {
      rows: 'posts',
      columns: ['id', 'canViewComments'],
      examples: ['--ids 4711,4712', '--ids 4711 --output ndjson'],
    },
  },
  listCommunityPostsFiltered: {
    method: 'POST',
    path: '/communication/posts/data/list/community/{communityId}',
    query: { ...postListFlags, ...queryPaging },
    body: 'ListCommunityPostsFilteredRequest',
    responses: { 200: 'PagedListPostsResponse', 403: null, 404: null },
    permission: 'seeCommunity',
    paging: 'page',
    summary: 'List the posts of a community',
    description:
      'Returns the posts of a community that match the filters. Filters combine by AND and may ' +
      'be given at the top of the body or nested in `communityPostFilters` and ' +
      '`communityAttachmentFilters`. `null`, empty lists and, for the personal filters, ' +
      '`false` mean "no filter". Custom fields are filtered through `postFieldFilters` and ' +
      '`screenFieldFilters`: the description of `CustomFieldFilter` lists the operators of ' +
      'each type of field; another pair returns a 400 that lists the possible values. ' +
      '`orderBy` takes a name of the list or `postCustomField-` and a field id; empty values ' +
      'come last in both directions.',
    requestExamples: examples<'ListCommunityPostsFilteredRequest'>({
      first: {
        summary: 'First page with its total',
        value: { pageSize: 20, calculateTotalItemsCount: true, orderBy: 'postLastModifyAndCommentTimestamp' },
      },
      nested: {
        summary: 'Filters nested, as existing clients send them',
        value: {
          communityPostFilters: { mentioned: false, postTypes: [], title: 'budget', postFieldFilters: [] },
          communityAttachmentFilters: { excludeFilePickers: false, hashtagIds: [] },
          orderBy: 'postLastModifyAndCommentTimestamp',
          orderDesc: true,
          pinnedFirst: true,
        },
      },
      text: {
        summary: 'Full text, in two workflow states',
        value: { containsText: 'budget', currentWorkflowStatusIds: [51, 52] },
      },
      mine: { summary: 'My open work', value: { toManage: true, orderBy: 'postRecency' } },
      screen: {
        summary: 'A field of a workflow screen within bounds',
        value: {
          screenFieldFilters: [{ columnId: 4205, typeId: FilterType.INTERVAL, parameters: [null, sampleTime] }],
        },
      },
      ...orderExamples(),
      ...filterExamples(),
    }),
    responseExamples: examples<'PagedListPostsResponse'>({
      page: {
        summary: 'A page with its total',
        value: {
          items: [
            {
              ...samplePost,
              workflowStateDescription: 'In discussion',
              workflowStateColor: '#12fea4',
              viewedByMe: true,
            },
          ],
          nextPageToken: samplePageToken,
          totalItemsCount: 212,
        },
      },
      short: {
        summary: 'With loadPostDetails=false',
        value: {
          items: [
            {
              id: 1201,
              communityId: 5,
              customId: '42',
              title: 'Budget 2027',
              creationTimestamp: sampleCreation,
              lastModifyTimestamp: sampleChange,
              lastOperationTimestamp: sampleChange,
            },
          ],
        },
      },
    }),
    clientMethod: 'list',
    command: {
      columns: postColumns,
      examples: [
        "2 --where 'Status=Draft' --where 'Due date=2026-01-01..2026-06-30' --all --output csv",
        '2 --title pump --state "In progress" --order-by postCreationTimestamp --limit 10',
      ],
    },
  },
  summarisePosts: {
    method: 'POST',
    path: '/communication/posts/data/summary/community/{communityId}',
    body: 'SummarisePostsRequest',
    responses: { 200: 'SummarisePostsResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'seeCommunity',
    extension: true,
    summary: 'Count and add up the posts of a community',
    description:
      'Groups the posts that `listCommunityPostsFiltered` would return for the same filters by ' +
      `up to ${summaryLimits.groupings} properties, and returns the number of posts and one ` +
      'figure for each group: the sum, mean, least or greatest value of a number field, or of ' +
      'the time since the posts entered their present workflow state. Exact up to ' +
      `${summaryLimits.posts} posts; beyond that \`bounded\` is true. A request without ` +
      '`groupBy` returns the figure of all posts.',
    requestExamples: examples<'SummarisePostsRequest'>({
      states: { summary: 'Posts by state', value: { groupBy: ['currentWorkflowState'] } },
      months: {
        summary: 'Posts by month and author',
        value: { groupBy: ['creationTimestamp.month', 'creatorUser'], creationTimestampFrom: sampleCreation },
      },
      age: {
        summary: 'Mean time in the state',
        value: { groupBy: ['currentWorkflowState'], measure: 'mean', measureOf: 'timeInState' },
      },
    }),
    responseExamples: examples<'SummarisePostsResponse'>({
      states: {
        summary: 'Posts by state',
        value: {
          groups: [
            { keys: [{ value: '51', name: 'In discussion' }], postsCount: 12, value: 12 },
            { keys: [{}], postsCount: 3, value: 3 },
          ],
          postsCount: 15,
          value: 15,
          bounded: false,
          timezone: 'Europe/Rome',
        },
      },
    }),
    clientMethod: 'summarise',
    command: {
      rows: 'groups',
      columns: ['keys', 'postsCount', 'value'],
      examples: [
        '2 --group-by currentWorkflowState',
        '2 --group-by creationTimestamp.month --group-by creatorUser --output json',
      ],
    },
  },
  listCommunityPosts: {
    method: 'POST',
    path: '/communication/posts/data/community-list/{communityId}',
    query: { ...postListFlags, ...queryPaging },
    body: 'ListCommunityPostsRequest',
    responses: { 200: 'PagedListPostsResponse', 403: null, 404: null },
    permission: 'seeCommunity',
    paging: 'page',
    deprecated: true,
    summary: 'List the posts of a community, older form',
    description:
      'Kept for existing clients; use `listCommunityPostsFiltered`. Filters are given at the top of the body only, and the names of orders lack the prefix `post`.',
    requestExamples: examples<'ListCommunityPostsRequest'>({
      first: { summary: 'First page', value: { pageSize: 20, calculateTotalItemsCount: false } },
      ...deprecatedOrderExamples(),
    }),
    clientMethod: 'listOlder',
    successor: 'list',
    command: { columns: postColumns, examples: ['2 --title pump', '2 --contains-text leak --count'] },
  },
  listPostHistoryEvents: {
    method: 'POST',
    path: '/communication/posts/data/history-list/{postId}',
    query: { ...queryPaging },
    body: 'ListPostHistoryEventsRequest',
    responses: { 200: 'ListPostHistoryEventsResponse', 403: null, 404: null },
    permission: 'seePost',
    paging: 'page',
    summary: 'List the history of a post',
    description: 'Returns events of the post and of its workflow, newest first unless `orderDesc` is false.',
    clientMethod: 'history',
    command: {
      columns: ['id', 'timestamp', 'typeDescription', 'authorUser'],
      examples: ['4711 --all', '4711 --no-retrieve-workflow-events --output json'],
    },
  },
});
