/** Choices of what to follow. */
import { Following } from '../../codes/defined-codes.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const followingOperations = defineOperations('posts', {
  editPostFollowing: {
    method: 'PUT',
    path: '/communication/posts/manage/following/{postId}',
    body: 'EditFollowingRequest',
    responses: { 200: 'EditPostFollowingResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'followPost',
    extension: true,
    summary: 'Follow, unfollow or mute a post',
    description:
      'Sets which events notify the caller: 1 all events, 0 only events meant for them ' +
      '(mentions, answers, tasks), 2 only tasks. Takes precedence over being an author, a ' +
      'watcher or invited, and over the choice for the community. Changes nothing for others ' +
      'and does not raise the token of the post.',
    requestExamples: examples<'EditFollowingRequest'>({
      follow: { summary: 'Follow it', value: { following: Following.FOLLOWED } },
      mute: { summary: 'Mute it', value: { following: Following.MUTED } },
    }),
    clientMethod: 'follow',
    command: { needsValue: true, examples: ['4711 --following 1', '4711 --following 2 --dry-run'] },
  },
});
