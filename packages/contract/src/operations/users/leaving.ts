/** Leaving: a preview, and the act. */
import { bulkLimits } from '../../limits.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const leavingOperations = defineOperations('users', {
  getUserAccess: {
    method: 'GET',
    path: '/admin/data/users/{userId}/access',
    responses: { 200: 'UserAccessDetailsResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Explain the access of a user',
    description:
      'Returns the administrative rights of a person with their sources, and every community in ' +
      'which the person has a role: the permissions there, and each way by which they were given, ' +
      'directly or by a group. `explainRights`, `explainCommunity` and `explainPost` explain ' +
      'single capabilities.',
    clientMethod: 'access',
    command: {
      rows: 'communities',
      columns: ['communityId', 'communityName', 'permissions'],
      examples: ['17', '17 --output json'],
    },
  },
  getUserLeaving: {
    method: 'GET',
    path: '/admin/manage/users/{userId}/leaving',
    responses: { 200: 'UserLeavingResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Preview the leaving of a user',
    description:
      'Counts and lists the objects that name the person: posts, open tasks, fields, roles, ' +
      'groups. Posts that the caller does not see are only counted. A deleted or erased user ' +
      'has a preview, too.',
    clientMethod: 'leaving',
    command: { examples: ['17', '17 --output json'] },
  },
  leaveUser: {
    method: 'POST',
    path: '/admin/manage/users/{userId}/leave',
    body: 'LeaveUserRequest',
    bulk: true,
    responses: { 200: 'LeaveUserResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Let a user leave',
    description:
      'Hands over the chosen roles and ends the access of the user in one transaction; the ' +
      'successor then takes over open tasks and the chosen fields, post by post, each with its ' +
      'own history and token. Posts that the caller does not see are included and reported ' +
      'only as a count, unless the caller is the successor. Values that record the author of ' +
      'an action, and roles that the caller may not give, are not handed over. After ' +
      `${bulkLimits.seconds} seconds no more posts are begun: \`notRunCount\` counts the ` +
      'remaining posts, and the same request continues with them. The request may be repeated, ' +
      'even if the user is blocked, deleted or erased by then. `dryRun=true` returns the same ' +
      'counts. Unless `account` is `keep`, the operation returns 403 for the caller ' +
      'themselves, for the last holder of a right, and for a holder of an administrative right ' +
      'that the caller lacks.',
    requestExamples: examples<'LeaveUserRequest'>({
      successor: {
        summary: 'A colleague takes over',
        value: { account: 'block', successorUserId: 9, fieldIds: [207], communityIds: [12] },
      },
    }),
    clientMethod: 'leave',
    command: {
      confirms: true,
      examples: [
        '17 --account block --successor-user-id 9 --field-ids 207 --community-ids 12 --dry-run',
        '17 --account delete --yes',
      ],
    },
  },
});
