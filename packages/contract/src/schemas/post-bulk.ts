/** Writes of many posts in one request: what they take and what became of each post. */
import { TextFormat } from '../codes/codes.ts';
import { bulkLimits } from '../limits.ts';
import {
  code,
  count,
  type FieldSchema,
  fieldValues,
  flag,
  ids,
  int32,
  int64,
  list,
  ref,
  required,
  text,
  token,
  type,
  word,
} from './fields.ts';

const postIds = ids(`Ids of the posts. Together with \`posts\` at most ${bulkLimits.posts}, each named once.`, {
  maxItems: bulkLimits.posts,
});
const postId = required(int64('Id of the post.'));
const occToken = token(
  'Token of the post as it was read; another one is an error of this post. Left out, none is compared.',
);
const listOf = (item: string, description: string): FieldSchema =>
  list(item, `${description} Beside or instead of \`postIds\`.`, { maxItems: bulkLimits.posts });
const patch = (description: string): FieldSchema => ({ ...ref('PostPatch', description), 'x-merge': true });

export const postBulkTypes = {
  TransitionPostsRequest: type('A transition and the posts that it is to be run on.', {
    workflowOperationId: required(int64('Id of the transition.')),
    postIds,
    posts: listOf('PostToTransition', 'Posts with their tokens.'),
    screenData: fieldValues('Values of the fields of the screen by field id, the same for each post.'),
    applyDefaults: flag(
      'True gives fields of the screen that `screenData` does not name, and that hold no value yet, their default; an empty text there leaves a field empty. Left out, none is given.',
    ),
    deltaAreaFormat: code(TextFormat, 'How every rich-text field in this body is written.', { default: 1 }),
  }),
  PostToTransition: type('A post that a transition is to be run on.', {
    postId,
    screenOccToken: token(
      'Token of the screens of the post; another one is an error of this post. Left out, none is compared.',
    ),
  }),
  PatchPostsRequest: type('Changes and the posts that they are to be made to.', {
    patch: patch('What is to change of every post.'),
    postIds,
    posts: listOf('PostToPatch', 'Posts with their tokens and changes of their own.'),
  }),
  PostToPatch: type('A post that is to be changed.', {
    postId,
    occToken,
    patch: patch('What is to change of this post; its members win over those of the common patch.'),
  }),
  DeletePostsRequest: type('Posts that are to be deleted.', {
    postIds,
    posts: listOf('PostToDelete', 'Posts with their tokens.'),
    erasable: flag('True marks them for physical removal, too, as `mark-post-as-erasable` does. Default false.', {
      default: false,
    }),
  }),
  PostToDelete: type('A post that is to be deleted.', { postId, occToken }),
  CreatePostsRequest: type('New posts of a community.', {
    posts: required(
      list('CreateCustomPostRequest', `The posts, at most ${bulkLimits.posts}; as lines at most ${bulkLimits.lines}.`, {
        maxItems: bulkLimits.posts,
      }),
    ),
  }),
  BulkPostsResponse: type('What became of each post, in the order of the request.', {
    items: list('BulkPostOutcome', 'One for each post.'),
    okCount: count('Posts that were written.'),
    unchangedCount: count('Posts that were already as they were to be.'),
    errorCount: count('Posts that were refused.'),
    notRunCount: count('Posts that were not begun as the time was over. Send them again.'),
  }),
  BulkPostOutcome: type('What became of one post.', {
    line: int32('Number of the line in a body of lines, or of the element of `posts`, from 1 on. Of new posts only.'),
    postId: int64('Id of the post. Absent for a new one that was refused.'),
    clientUid: text('The `clientUid` of a new post, where it has one.'),
    outcome: word(
      ['OK', 'UNCHANGED', 'ERROR', 'NOT_RUN'],
      'OK: written. UNCHANGED: it was so already, nothing was written. ERROR: refused, see `error`. NOT_RUN: not begun, the time was over.',
    ),
    nextOccToken: token('Token for the next edit of the post. Absent where it is not known, as after a transition.'),
    error: ref('BulkPostError', 'Why the post was refused: as the write of this post alone would answer.'),
  }),
  BulkPostError: type('Why one of many posts was refused.', {
    code: text('Kind of error; one of the published error codes.'),
    status: int32('HTTP status that the write of this post alone would have.'),
    message: text('The error in English, and what to do about it.'),
    field: text('The first input that is wrong, as a path such as `customData.12`; absent where it is none.'),
    currentOccToken: token('After a stale token: the one that is valid now.'),
    validationErrors: ref('CustomFieldValidationErrors', 'What is wrong, value by value.'),
  }),
};
