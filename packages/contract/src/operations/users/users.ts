/** Users, for administrators and for people who look for others. */
import { UserStatus } from '../../codes/defined-codes.ts';
import { userChangeLimits } from '../../limits.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

/** Columns of a table of users. */
export const userColumns = ['id', 'firstName', 'lastName', 'contactEmail', 'externalId', 'blocked', 'deleted'] as const;

export const whoCanBeMentioned = examples<'ListPeopleRequest'>({
  mention: {
    summary: 'People to mention in a post',
    value: { fullTextFilter: 'ros', postId: 4711, pageSize: 10 },
  },
});

export const usersOperations = defineOperations('users', {
  listSystemUsers: {
    method: 'POST',
    path: '/admin/data/users',
    body: 'ListSystemUsersRequest',
    responses: { 200: 'ListSystemUsersResponse', 403: null },
    permission: 'manageUsers',
    paging: 'page',
    summary: 'List users',
    description:
      'Returns all users of the tenant, narrowed by any of the filters (they combine by AND). The default order is last name, first name and id; an unknown `orderTypeId` returns 400.',
    requestExamples: examples<'ListSystemUsersRequest'>({
      search: {
        summary: 'Active people by name',
        value: {
          fullTextFilter: 'rossi',
          statusFilter: [UserStatus.ACTIVE],
          orderTypeId: 'lastName',
          orderDesc: false,
          pageSize: 50,
        },
      },
    }),
    clientMethod: 'list',
    command: {
      columns: userColumns,
      examples: [
        '--full-text-filter rossi --all',
        '--status-filter 1 --order-type-id lastAccessTimestamp --order-desc --limit 20 --output csv',
      ],
    },
  },
  listPeople: {
    method: 'POST',
    path: '/communication/people/data/users',
    body: 'ListPeopleRequest',
    responses: { 200: 'ListPeopleResponse', 404: null },
    permission: 'authenticated',
    paging: 'page',
    extension: true,
    summary: 'Find people',
    description:
      'Returns people who share a community with the caller, by last name, first name and id: for pickers and mentions. With `communityId` only people with a role in that community, with `postId` only readers of that post. Blocked and deleted people and service accounts are omitted. A community in which the caller has no role, and a post that they do not see, return 404.',
    requestExamples: whoCanBeMentioned,
    clientMethod: 'find',
    command: {
      columns: ['id', 'firstName', 'lastName', 'contactEmail'],
      examples: ['--full-text-filter ros', '--full-text-filter ros --post-id 4711 --output json'],
    },
  },
  getUserForEdit: {
    method: 'GET',
    path: '/admin/manage/users/{userId}/edit',
    responses: { 200: 'GetUserForEditResponse', 403: null, 404: null },
    emptyWhenDeleted: true,
    permission: 'manageUsers',
    summary: "Read a user's form",
    description:
      'Returns the editable data of a user, and the `occToken` to send back. The fields of the name are `firstname` and `lastname` here. A deleted user returns 204 with an empty body, an unknown user 404.',
    clientMethod: 'readForEdit',
    formerMethod: 'form',
    command: { examples: ['17', '17 --output yaml'] },
  },
  createUser: {
    method: 'POST',
    path: '/admin/manage/users',
    body: 'CreateUserRequest',
    responses: { 200: 'CreateUserResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'manageUsers',
    summary: 'Create a user',
    description:
      'Requires `firstname` and `lastname`. A user name and password can be given or generated here, and only here; a generated password is returned once, in the response.',
    requestExamples: examples<'CreateUserRequest'>({
      person: {
        summary: 'A person with a generated password',
        value: {
          firstname: 'Ada',
          lastname: 'Rossi',
          contactEmail: 'ada.rossi@example.org',
          userCredentialsConfiguration: { custom: { username: 'ada.rossi@example.org', active: true } },
          resetUserCustomCredentialsCommand: { generatePassword: true, forceCredentialsExpiration: true },
        },
      },
    }),
    clientMethod: 'create',
    command: {
      examples: ['--firstname Ada --lastname Byron --contact-email ada@acme.example', '--data @user.json --dry-run'],
    },
  },
  importUsers: {
    method: 'POST',
    path: '/admin/manage/users/import',
    body: 'ImportUsersRequest',
    responses: { 200: 'ImportUsersResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Create and invite many people by CSV',
    description:
      'Creates the people of a CSV file who do not exist yet, and sends the link of `inviteUser` to each with an address. An existing person is matched by external id, or else by address, and stays unchanged: sending a file twice changes nothing. Either all people are created or nobody: each error names line and column, as `lines[7].contactEmail`. At most 500 people and 400,000 characters. `dryRun` reports the same rows and creates nothing.',
    requestExamples: examples<'ImportUsersRequest'>({
      two: {
        summary: 'Two people; the second reports to the first',
        value: {
          csv: 'firstname,lastname,contactEmail,area,manager\nAda,Rossi,ada@acme.example,Sales,\nBen,Bianchi,ben@acme.example,Sales,ada@acme.example\n',
          invite: true,
        },
      },
    }),
    clientMethod: 'import',
    command: {
      rows: 'rows',
      columns: ['line', 'outcome', 'userId', 'contactEmail', 'username', 'invited'],
      examples: ['--csv @people.csv --dry-run', '--csv @people.csv --no-invite --output json'],
    },
  },
  editUser: {
    method: 'PUT',
    path: '/admin/manage/users/{userId}',
    body: 'EditUserRequest',
    responses: { 200: 'EditUserResponse', 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null },
    permission: 'manageUsers',
    summary: 'Edit a user',
    description:
      'Replaces the data of the user: omitted `contactEmail`, `privateEmail` and `externalId` are emptied, omitted blocks `userPreferences`, `userInfo` and `userSettings` are kept. Send the `occToken` of the form in the body; a stale token returns 409.',
    clientMethod: 'replace',
    formerMethod: 'edit',
    command: {
      form: 'getUserForEdit',
      needsValue: true,
      examples: [
        '17 --contact-email ada.byron@acme.example',
        '17 --firstname Ada --lastname Byron --dry-run --output json',
      ],
    },
  },
  deleteUser: {
    method: 'DELETE',
    path: '/admin/manage/users/{userId}',
    responses: { 200: null, 403: null, 404: null },
    permission: 'manageUsers',
    summary: 'Delete a user',
    description:
      'Ends the access of the user at once. Their content stays, under their name; fields and tasks still name them, as deleted. `getUserLeaving` lists the objects that name them beforehand, and `leaveUser` hands these over. Returns an empty body.',
    clientMethod: 'delete',
    command: { confirms: true, examples: ['17', '17 --yes'] },
  },
  getUserCredentialsForEdit: {
    method: 'GET',
    path: '/admin/manage/users/{userId}/credentials/edit',
    responses: { 200: 'GetUserCredentialsForEditResponse', 403: null, 404: null },
    permission: 'manageUsers',
    summary: "Read a user's credentials form",
    description:
      'Returns the sign-in methods of the user (a method that is not set up has no block; there are no disabled blocks), and the `occToken` of this form, which differs from the token of the user form.',
    clientMethod: 'readCredentialsForEdit',
    formerMethod: 'credentialsForm',
    command: { examples: ['17', '17 --output json'] },
  },
  editUserCredentials: {
    method: 'PUT',
    path: '/admin/manage/users/{userId}/credentials',
    body: 'EditUserCredentialsRequest',
    responses: { 200: 'EditUserCredentialsResponse', 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null },
    permission: 'manageUsers',
    summary: "Edit a user's credentials",
    description:
      'Omitted blocks are kept. `custom.active` is required when the custom block is sent. A block with `enabled` (or `active`) false and without an account id or user name removes that sign-in method; false with an account id or user name returns 400 `INVALID_VALUE`, an address outside the domains of the tenant returns 400 `INVALID_DOMAIN`. A photo is written through the custom block and stays when the block is removed.',
    clientMethod: 'updateCredentials',
    formerMethod: 'editCredentials',
    command: {
      form: 'getUserCredentialsForEdit',
      needsValue: true,
      examples: [
        `17 --user-credentials-configuration '{"google": {"googleAccountId": "ada@acme.example", "enabled": true}}'`,
        '17 --user-credentials-configuration @credentials.json --dry-run',
      ],
    },
  },
  blockUser: {
    method: 'POST',
    path: '/admin/manage/users/{userId}/block',
    responses: { 200: 'UserAccessResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Block a user',
    description:
      'Blocks the person or service account: they can no longer sign in, and their access tokens are rejected from the next request on. Their content stays. Repeating it changes nothing. Blocking oneself returns 403. Returns 403 if the user holds an administrative right that the caller lacks.',
    clientMethod: 'block',
    command: { confirms: true, examples: ['17', '17 --yes'] },
  },
  unblockUser: {
    method: 'POST',
    path: '/admin/manage/users/{userId}/unblock',
    responses: { 200: 'UserAccessResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Unblock a user',
    description:
      'Unblocks the person or service account; tokens from before the block stay rejected. Returns 403 if the user holds an administrative right that the caller lacks.',
    clientMethod: 'unblock',
    command: { examples: ['17', '17 --output json'] },
  },
  signOutUser: {
    method: 'POST',
    path: '/admin/manage/users/{userId}/sign-out',
    responses: { 200: 'UserAccessResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Sign a user out',
    description:
      'Revokes all access tokens of the person or service account from the next request on; they may sign in again. Signing oneself out is allowed. Returns 403 if the user holds an administrative right that the caller lacks.',
    clientMethod: 'signOut',
    command: { confirms: true, examples: ['17', '17 --yes'] },
  },
  changeUsers: {
    method: 'POST',
    path: '/admin/manage/users/change',
    body: 'ChangeUsersRequest',
    requiresOneOf: ['blocked', 'signOut', 'addGroupIds', 'deleteGroupIds'],
    responses: { 200: 'ChangeUsersResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Block, sign out and regroup many users',
    description: `Changes up to ${userChangeLimits.users} accounts by the rules of \`blockUser\`, \`unblockUser\`, \`signOutUser\` and \`editGroup\`, in one transaction. Each account has its own outcome: all of its changes are made, or none. Refused are unknown and deleted users, holders of a right that the caller lacks, the caller's own block, and an account without which nobody who can sign in would hold an administrative right; of several such accounts, the last in the order of the request. A group that is unknown, kept by the portal, or holds a right that the caller lacks refuses the request. The status is 200 also when every account was refused. \`dryRun\` returns the same outcomes and changes nothing.`,
    requestExamples: examples<'ChangeUsersRequest'>({
      block: { summary: 'Block two people', value: { userIds: [17, 18], blocked: true } },
      move: {
        summary: 'Move people to another group',
        value: { userIds: [17], addGroupIds: [5], deleteGroupIds: [6] },
      },
    }),
    responseExamples: examples<'ChangeUsersResponse'>({
      mixed: {
        summary: 'A blocked account and the last administrator',
        value: {
          items: [
            { userId: 17, outcome: 'OK', nextOccToken: 4 },
            {
              userId: 18,
              outcome: 'ERROR',
              error: {
                code: 'FORBIDDEN',
                status: 403,
                message: 'Nobody who can sign in would hold manageUsers any more; give it to another person first.',
              },
            },
          ],
          okCount: 1,
          unchangedCount: 0,
          errorCount: 1,
        },
      },
    }),
    clientMethod: 'changeMany',
    command: {
      rows: 'items',
      columns: ['userId', 'outcome', 'nextOccToken', 'error.message'],
      confirms: true,
      examples: [
        '--user-ids 17,18 --blocked --dry-run',
        '--user-ids 17,18 --add-group-ids 5 --delete-group-ids 6 --yes',
      ],
    },
  },
  removeUserTotp: {
    method: 'POST',
    path: '/admin/manage/users/{userId}/remove-totp',
    responses: { 200: null, 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: "Remove a user's authenticator app and passkeys",
    description:
      'Removes lost second factors of a person: the password alone signs them in again, and their sessions end. Without a second factor, only sessions end. Returns 403 if the user holds an administrative right that the caller lacks.',
    clientMethod: 'removeTotp',
    command: { confirms: true, examples: ['17', '17 --yes'] },
  },
  getUserErasure: {
    method: 'GET',
    path: '/admin/manage/users/{userId}/erasure',
    responses: { 200: 'UserErasureResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Preview the erasure of a user',
    description:
      'Counts the objects that `eraseUser` would keep and remove; `leaveUser` hands open tasks and fields over first. A deleted user can be erased as well; an unknown or already erased user returns 404.',
    clientMethod: 'erasure',
    command: { examples: ['17', '17 --output json'] },
  },
  eraseUser: {
    method: 'POST',
    path: '/admin/manage/users/{userId}/erase',
    responses: { 200: 'UserErasureResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Erase a user',
    description:
      'Deletes the user and removes all data that identify them: names, addresses, profile, photo, accounts, password, memberships of groups, records of viewed and followed objects. Their content stays, shown as by an erased user; names that people typed into texts stay as well. The erasure cannot be undone. Records of viewed and followed objects are removed within minutes, the rest at once. Erasing oneself, or a holder of an administrative right that the caller lacks, returns 403.',
    clientMethod: 'erase',
    command: { confirms: true, examples: ['17', '17 --yes'] },
  },
  inviteUser: {
    method: 'POST',
    path: '/admin/manage/users/{userId}/invite',
    responses: { 200: 'UserLinkResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Invite a user',
    description:
      'Sends the person a link that works once within seven days, by which they choose a password (`setPasswordByLink`). If no mail is sent, and nobody ever signed in to the account, the response has the link (`invitationLink`), and the audit log records that it was shown. The account requires a user name, and a contact address unless the response has the link; an account that lacks one of them, is blocked or is a service account returns 400 `INVALID_VALUE`. Returns 403 if the user holds an administrative right that the caller lacks.',
    clientMethod: 'invite',
    command: { examples: ['17', '17 --output json'] },
  },
  sendPasswordReset: {
    method: 'POST',
    path: '/admin/manage/users/{userId}/reset-password',
    responses: { 200: 'UserLinkResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Send a user a link for a new password',
    description:
      'Sends the person a link that works once within a day, by which they choose a new password (`setPasswordByLink`). The current password and the sign-ins of the account stay valid until the link is used. The account requires a user name and a contact address; an account that lacks one of them, is blocked or is a service account returns 400 `INVALID_VALUE`. Returns 403 if the user holds an administrative right that the caller lacks.',
    clientMethod: 'resetPassword',
    command: { examples: ['17', '17 --output json'] },
  },
});
