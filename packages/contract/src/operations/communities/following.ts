/** Choices of what to follow. */
import { Following } from '../../codes/defined-codes.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const communitiesFollowingOperations = defineOperations('communities', {
  getCommunityFollowing: {
    method: 'GET',
    path: '/communication/communities/data/following/{communityId}',
    responses: { 200: 'CommunityFollowing', 404: null },
    permission: 'seeCommunity',
    extension: true,
    summary: "Read the caller's choice of notifications for a community",
    description: 'Returns whether the caller follows the community, has muted it, or neither.',
    clientMethod: 'following',
    command: { examples: ['12', '12 --output json'] },
  },
  editCommunityFollowing: {
    method: 'PUT',
    path: '/communication/communities/manage/following/{communityId}',
    body: 'EditFollowingRequest',
    responses: { 200: 'CommunityFollowing', 400: 'ValidationErrorResponse', 404: null },
    permission: 'seeCommunity',
    extension: true,
    summary: 'Follow, unfollow or mute a community',
    description:
      'With 1 all events of visible posts of the community, new posts included, notify the ' +
      'caller; with 2 only tasks do; 0 resets the choice. The choice for a post takes ' +
      'precedence.',
    requestExamples: examples<'EditFollowingRequest'>({
      follow: { summary: 'Follow it', value: { following: Following.FOLLOWED } },
    }),
    clientMethod: 'follow',
    command: { needsValue: true, examples: ['12 --following 1', '12 --following 2 --dry-run'] },
  },
});
