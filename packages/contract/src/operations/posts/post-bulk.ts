/** Writing many posts in one request. */
import { bulkLimits } from '../../limits.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

const EACH =
  'Each post is written separately, as by its own operation: with its own rules, history and ' +
  'entry in the stream; a rejected post does not affect the others. Posts are written in ' +
  'batches, one transaction each, in the order of their ids, so that locks are short. After ' +
  `${bulkLimits.seconds} seconds no more posts are begun: the rest is \`NOT_RUN\`. With an ` +
  '`Idempotency-Key` a repeat returns the same outcomes, and runs the posts that were not run. ' +
  'The status is 200 in every case.';

const columns = ['postId', 'outcome', 'nextOccToken', 'error.message'] as const;

const refused = { 400: 'CustomFieldValidationErrorResponse', 403: null } as const;

const outcomes = examples<'BulkPostsResponse'>({
  mixed: {
    summary: 'A written post and a missing post',
    value: {
      items: [
        { postId: 1201, outcome: 'OK', nextOccToken: 8 },
        {
          postId: 1202,
          outcome: 'ERROR',
          error: { code: 'NOT_FOUND', status: 404, message: 'There is no such post.' },
        },
      ],
      okCount: 1,
      unchangedCount: 0,
      errorCount: 1,
      notRunCount: 0,
    },
  },
});

export const postBulkOperations = defineOperations('posts', {
  transitionPosts: {
    method: 'POST',
    path: '/communication/posts/manage/transition-posts',
    body: 'TransitionPostsRequest',
    requiresOneOf: ['postIds', 'posts'],
    bulk: true,
    responses: { 200: 'BulkPostsResponse', ...refused },
    permission: 'authenticated',
    extension: true,
    summary: 'Run a transition on many posts',
    description:
      `Runs a transition on up to ${bulkLimits.posts} posts. A post that is already in the ` +
      'state to which the transition leads, and from which it cannot be run, is `UNCHANGED`. ' +
      `${EACH}`,
    requestExamples: examples<'TransitionPostsRequest'>({
      some: { summary: 'Two posts', value: { workflowOperationId: 81, postIds: [1201, 1202] } },
    }),
    responseExamples: outcomes,
    clientMethod: 'transitionMany',
    command: {
      rows: 'items',
      columns,
      examples: [
        '--workflow-operation-id 31 --post-ids 4711,4712 --dry-run',
        '--workflow-operation-id 31 --post-ids 4711 --output json',
      ],
    },
  },
  patchPosts: {
    method: 'POST',
    path: '/communication/posts/manage/patch-posts',
    body: 'PatchPostsRequest',
    mergePatch: true,
    requiresOneOf: ['postIds', 'posts'],
    bulk: true,
    responses: { 200: 'BulkPostsResponse', ...refused },
    permission: 'authenticated',
    extension: true,
    summary: 'Edit a part of many posts',
    description:
      `Edits up to ${bulkLimits.posts} posts by a merge patch, like \`patchPost\`, but without ` +
      'attachments. Tokens are optional: without a token the changes apply to the current ' +
      `post. A post that has all the values already is \`UNCHANGED\`. ${EACH}`,
    requestExamples: examples<'PatchPostsRequest'>({
      some: {
        summary: 'A value for two posts, and a title for one of them',
        value: {
          patch: { customData: { 4107: [72] } },
          posts: [{ postId: 1201, occToken: 7, patch: { title: 'Budget 2027' } }, { postId: 1202 }],
        },
      },
    }),
    responseExamples: outcomes,
    clientMethod: 'updateMany',
    formerMethod: 'patchMany',
    command: {
      rows: 'items',
      columns,
      examples: [
        `--post-ids 4711,4712 --patch '{"title":"Pump leaks"}' --dry-run`,
        `--post-ids 4711 --patch '{"visibility":2}' --output json`,
      ],
    },
  },
  deletePosts: {
    method: 'POST',
    path: '/communication/posts/manage/delete-posts',
    body: 'DeletePostsRequest',
    requiresOneOf: ['postIds', 'posts'],
    bulk: true,
    responses: { 200: 'BulkPostsResponse', ...refused },
    permission: 'authenticated',
    extension: true,
    summary: 'Delete many posts',
    description: `Deletes up to ${bulkLimits.posts} posts, like \`deletePost\`. ${EACH}`,
    requestExamples: examples<'DeletePostsRequest'>({
      some: { summary: 'Two posts', value: { postIds: [1201, 1202] } },
    }),
    responseExamples: outcomes,
    clientMethod: 'deleteMany',
    command: {
      rows: 'items',
      columns,
      confirms: true,
      examples: ['--post-ids 4711,4712 --dry-run', '--post-ids 4711 --yes --output json'],
    },
  },
  createPosts: {
    method: 'POST',
    path: '/communication/posts/manage/create-posts/{communityId}',
    body: 'CreatePostsRequest',
    bulk: true,
    lines: 'posts',
    responses: { 200: 'BulkPostsResponse', ...refused, 404: null },
    permission: 'createPost',
    extension: true,
    summary: 'Create many posts',
    description:
      `Takes \`posts\` as JSON, up to ${bulkLimits.posts}, or one post a line as ` +
      `\`application/x-ndjson\`, up to ${bulkLimits.lines} lines in ` +
      `${bulkLimits.bytes / 1024 / 1024} MiB, which are read as they arrive. With a ` +
      '`clientUid` a post that the same author created before is `UNCHANGED`: give each post a ' +
      '`clientUid`, and an interrupted request can be sent again. An unreadable line is an ' +
      `error of that line. ${EACH}`,
    requestExamples: examples<'CreatePostsRequest'>({
      two: {
        summary: 'Two posts',
        value: {
          posts: [
            { title: 'Bolts', announcement: false, clientUid: 'erp-1' },
            { title: 'Nuts', announcement: false, clientUid: 'erp-2' },
          ],
        },
      },
    }),
    responseExamples: outcomes,
    clientMethod: 'createMany',
    command: {
      rows: 'items',
      columns: ['line', 'postId', 'clientUid', 'outcome', 'error.message'],
      examples: ['2 --lines @posts.ndjson', `2 --posts '[{"title":"Bolts"},{"title":"Nuts"}]' --dry-run`],
    },
  },
});
