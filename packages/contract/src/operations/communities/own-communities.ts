/** Communities of the caller. */
import { defineOperations } from '../define.ts';

export const ownCommunitiesOperations = defineOperations('communities', {
  getCommunityTree: {
    method: 'GET',
    path: '/communication/communities/data/tree',
    responses: { 200: 'CommunityTree' },
    permission: 'authenticated',
    extension: true,
    summary: 'List workspaces and communities with their news',
    description:
      'Returns the communities in which the caller has a role, by workspace, each with a ' +
      'bounded count of posts on which others have done something since the last visit of the ' +
      'caller (`visitCommunity`) and which they have not opened since.',
    clientMethod: 'tree',
    command: { rows: 'workspaces', columns: ['workspaceId', 'workspaceName'], examples: ['', '--output json'] },
  },
  visitCommunity: {
    method: 'PUT',
    path: '/communication/communities/manage/visit/{communityId}',
    body: 'VisitCommunityRequest',
    responses: { 200: 'VisitCommunityResponse', 400: 'ValidationErrorResponse', 404: null },
    permission: 'seeCommunity',
    extension: true,
    summary: 'Note a visit to a community',
    description:
      'Marks the community as visited: later events in it are new to the caller. `takeBack` ' +
      'reverts the visit. Applies to the caller alone; requires no token.',
    clientMethod: 'visit',
    command: { examples: ['12', '12 --dry-run'] },
  },
});
