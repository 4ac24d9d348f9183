/** Sessions and ways to sign in of users, and their identities at identity providers. */
import { defineOperations } from '../define.ts';

export const usersIdentitiesOperations = defineOperations('users', {
  listUserSignIns: {
    method: 'GET',
    path: '/admin/manage/users/{userId}/sign-ins',
    responses: { 200: 'ListUserSignInsResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: "A user's sessions and ways to sign in",
    description:
      'Returns the browsers in which the user is signed in, as `listSessions` returns those of the caller, ' +
      'and the ways by which the user signs in. `revokeUserSession` ends one session; `signOutUser` ends ' +
      'all of them, with access tokens and personal access tokens.',
    clientMethod: 'signIns',
    command: {
      rows: 'sessions',
      columns: ['id', 'userAgent', 'address', 'creationTimestamp', 'lastUseTimestamp'],
      examples: ['17', '17 --output json'],
    },
  },
  revokeUserSession: {
    method: 'POST',
    path: '/admin/manage/users/{userId}/sessions/{sessionId}/revoke',
    responses: { 200: null, 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Revoke a session of a user',
    description:
      'Signs the browser out from the next request on; other sessions and tokens stay. Returns 403 if the ' +
      'user holds an administrative right that the caller lacks, and 404 for a session of somebody else. ' +
      'Returns an empty body.',
    clientMethod: 'revokeSession',
    command: { confirms: true, examples: ['17 4711', '17 4711 --yes --dry-run'] },
  },
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
