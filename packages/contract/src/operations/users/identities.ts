/** Identities at identity providers. */
import { defineOperations } from '../define.ts';

export const usersIdentitiesOperations = defineOperations('users', {
  listUserIdentities: {
    method: 'GET',
    path: '/admin/manage/users/{userId}/identities',
    responses: { 200: 'ListIdentitiesResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: "A user's identities",
    description: 'Returns the identities at identity providers by which the user signs in.',
    clientMethod: 'identities',
    command: { rows: 'identities', columns: ['identityProviderId', 'name'], examples: ['17', '17 --output json'] },
  },
  removeUserIdentity: {
    method: 'POST',
    path: '/admin/manage/users/{userId}/identities/{identityProviderId}/remove',
    responses: { 200: null, 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Unlink an identity of a user',
    description:
      'Unlinks the identity at this provider from the user, and ends all their sign-ins. ' +
      'Returns 403 if the user holds an administrative right that the caller lacks. Returns an ' +
      'empty body.',
    clientMethod: 'removeIdentity',
    command: { confirms: true, examples: ['17 3', '17 3 --yes --dry-run'] },
  },
});
