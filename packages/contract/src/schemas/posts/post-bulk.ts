/** Writes of many posts in one request: their input and the outcome of each post. */
import { TextFormat } from '../../codes/codes.ts';
import { bulkLimits } from '../../limits.ts';
import * as t from '../fields.ts';

const postIds = t.ids(`Ids of the posts. Together with \`posts\` at most ${bulkLimits.posts}, each named once.`, {
  maxItems: bulkLimits.posts,
});
const postId = t.required(t.int64('Id of the post.'));
const occToken = t.token(
  'Token of the post as it was read; another token is an error of this post. If omitted, no token is compared.',
);
const listOf = (item: string, description: string): t.FieldSchema =>
  t.list(item, `${description} Beside or instead of \`postIds\`.`, { maxItems: bulkLimits.posts });
const patch = (description: string): t.FieldSchema => ({ ...t.ref('PostPatch', description), 'x-merge': true });

export const postBulkTypes = {
  TransitionPostsRequest: t.type('A transition and the posts that it is to be run on.', {
    workflowOperationId: t.required(t.int64('Id of the transition.')),
    postIds,
    posts: listOf('PostToTransition', 'Posts with their tokens.'),
    screenData: t.fieldValues(
      'Values of the fields of the screen by field id, the same for each post. Omitted fields keep their values.',
    ),
    applyDefaults: t.flag(
      'True sets the default of fields of the screen that `screenData` does not name and that ' +
        'hold no value yet; an empty text there leaves a field empty. If omitted, no defaults ' +
        'are set.',
    ),
    deltaAreaFormat: t.code(TextFormat, 'Format of all rich-text fields in this body.', { default: 1 }),
  }),
  PostToTransition: t.type('A post that a transition is to be run on.', {
    postId,
    screenOccToken: t.token(
      'Token of the screens of the post; another token is an error of this post. If omitted, no token is compared.',
    ),
  }),
  PatchPostsRequest: t.type('Changes, and the posts to change.', {
    patch: patch('Changes to every post.'),
    postIds,
    posts: listOf('PostToPatch', 'Posts with their tokens and changes of their own.'),
  }),
  PostToPatch: t.type('A post that is to be changed.', {
    postId,
    occToken,
    patch: patch('Changes to this post; they take precedence over the common patch.'),
  }),
  DeletePostsRequest: t.type('Posts that are to be deleted.', {
    postIds,
    posts: listOf('PostToDelete', 'Posts with their tokens.'),
    erasable: t.flag('True marks them for physical removal, too, as `mark-post-as-erasable` does. Default false.', {
      default: false,
    }),
  }),
  PostToDelete: t.type('A post that is to be deleted.', { postId, occToken }),
  CreatePostsRequest: t.type('New posts of a community.', {
    posts: t.requiredByRule(
      t.list(
        'CreateCustomPostRequest',
        `The posts, at most ${bulkLimits.posts}; as lines at most ${bulkLimits.lines}.`,
        {
          maxItems: bulkLimits.posts,
        },
      ),
    ),
  }),
  BulkPostsResponse: t.type('Outcome of each post, in the order of the request.', {
    items: t.list('BulkPostOutcome', 'An outcome for each post.'),
    okCount: t.count('Posts that were written.'),
    unchangedCount: t.count('Posts that were already as they were to be.'),
    errorCount: t.count('Posts that were refused.'),
    notRunCount: t.count('Posts that were not begun as the time was over. Send them again.'),
  }),
  BulkPostOutcome: t.type('Outcome of a post.', {
    line: t.int32(
      'Number of the line in a body of lines, or of the element of `posts`, from 1 on. Only ' + 'for new posts.',
    ),
    postId: t.int64('Id of the post. Absent for a rejected new post.'),
    clientUid: t.text('The `clientUid` of a new post, if it has one.'),
    outcome: t.word(
      ['OK', 'UNCHANGED', 'ERROR', 'NOT_RUN'],
      'OK: written. UNCHANGED: it was so already, nothing was written. ERROR: refused, see `error`. NOT_RUN: not begun, the time was over.',
    ),
    nextOccToken: t.token('Token for the next edit of the post. Absent if unknown, as after a transition.'),
    error: t.ref('BulkPostError', 'Reason of the rejection, like the error of a write of this post alone.'),
  }),
  BulkPostError: t.type('Reason why one of many posts was rejected.', {
    code: t.text('Kind of error; one of the published error codes.'),
    status: t.int32('HTTP status that the write of this post alone would have.'),
    message: t.text('The error in English, and how to correct it.'),
    field: t.text('The first invalid input, as a path such as `customData.12`; absent if no input is invalid.'),
    currentOccToken: t.token('After a stale token: the current token.'),
    validationErrors: t.ref('CustomFieldValidationErrors', 'The errors, value by value.'),
  }),
};
