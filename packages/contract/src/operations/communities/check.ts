/** The check of a community. */
import { defineOperations } from '../define.ts';

export const checkOperations = defineOperations('communities', {
  checkCommunity: {
    method: 'GET',
    path: '/admin/data/communities/{communityId}/check',
    responses: { 200: 'CheckCommunityResponse', 403: null, 404: null },
    permission: 'editCommunity',
    extension: true,
    summary: 'Check the definition of a community',
    description:
      'Finds states that no post can reach, states without a way out that are not terminal, ' +
      'transitions and screens that nobody in the community may use, and required fields that ' +
      'nobody can fill in. `explainPost` with a `userId` explains the transitions that one ' +
      'person may run on one post.',
    clientMethod: 'check',
    command: { rows: 'findings', columns: ['kind', 'text'], examples: ['12', '12 --output json'] },
  },
});
