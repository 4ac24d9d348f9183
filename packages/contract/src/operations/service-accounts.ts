import { RoleId } from '../codes/defined-codes.ts';
import { defineOperations } from './define.ts';
import { examples } from './examples.ts';

/** Service accounts and their keys. They are blocked, signed out and deleted as users. */
export const serviceAccountOperations = defineOperations('serviceAccounts', {
  listServiceAccounts: {
    method: 'POST',
    path: '/admin/data/service-accounts',
    body: 'ListServiceAccountsRequest',
    responses: { 200: 'ListServiceAccountsResponse', 403: null },
    permission: 'manageUsers',
    paging: 'page',
    extension: true,
    summary: 'List service accounts',
    description: 'All service accounts of the tenant that are not deleted, by id.',
    clientMethod: 'list',
    command: {
      columns: ['userId', 'name', 'roleId', 'activeKeysCount', 'blocked', 'lastAccessTimestamp'],
      examples: ['--all', '--output csv --fields userId,name,lastAccessTimestamp'],
    },
  },
  getServiceAccountForEdit: {
    method: 'GET',
    path: '/admin/manage/service-accounts/{serviceAccountId}',
    responses: { 200: 'GetServiceAccountForEditResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: "Read a service account's form",
    description:
      'What can be edited about a service account, its keys without their secrets, and the `occToken` to send back. A person, and an account that is unknown or deleted, is a 404.',
    clientMethod: 'form',
    command: { examples: ['17', '17 --output json --fields keys'] },
  },
  createServiceAccount: {
    method: 'POST',
    path: '/admin/manage/service-accounts',
    body: 'CreateServiceAccountRequest',
    responses: { 200: 'CreateServiceAccountResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Create a service account',
    description:
      'Makes an account for a program. It has no key yet: `createServiceAccountKey` makes one. It is blocked, signed out and deleted as a user.',
    requestExamples: examples<'CreateServiceAccountRequest'>({
      reader: { summary: 'Reads every community', value: { name: 'Reports', roleId: RoleId.READER } },
    }),
    clientMethod: 'create',
    command: { examples: ['--name Reports --role-id 3', '--name "ERP sync" --role-id 2 --dry-run'] },
  },
  editServiceAccount: {
    method: 'PUT',
    path: '/admin/manage/service-accounts/{serviceAccountId}',
    body: 'EditServiceAccountRequest',
    responses: {
      200: 'EditServiceAccountResponse',
      400: 'ValidationErrorResponse',
      403: null,
      404: null,
      409: null,
    },
    permission: 'manageUsers',
    extension: true,
    summary: 'Edit a service account',
    description:
      'Replaces: rights and roles that are left out are taken away. Of an account with an administrative right that the caller lacks nothing can be changed. The `occToken` of the form goes into the body; a stale one is a 409.',
    clientMethod: 'edit',
    command: {
      form: 'getServiceAccountForEdit',
      needsValue: true,
      examples: ['17 --name "ERP sync"', '17 --role-id 3 --dry-run --output json'],
    },
  },
  createServiceAccountKey: {
    method: 'POST',
    path: '/admin/manage/service-accounts/{serviceAccountId}/keys',
    body: 'CreateServiceAccountKeyRequest',
    responses: { 200: 'CreateServiceAccountKeyResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Add a key to a service account',
    description:
      'Makes a key; the key file is in the answer and nowhere else. An account has ten active keys at most. To rotate, send `otherKeysExpiryTimestamp`: until then the other keys sign in too. A holder of an administrative right that the caller lacks is a 403.',
    requestExamples: examples<'CreateServiceAccountKeyRequest'>({
      rotation: {
        summary: 'Replaces the other keys by the end of a day',
        value: { name: 'From 2027 on', otherKeysExpiryTimestamp: 1798675200000 },
      },
    }),
    clientMethod: 'createKey',
    command: {
      object: 'keyFile',
      examples: ['17 --name nightly --output json', '17 --name nightly --dry-run --output json'],
    },
  },
  revokeServiceAccountKey: {
    method: 'POST',
    path: '/admin/manage/service-accounts/{serviceAccountId}/keys/{keyId}/revoke',
    responses: { 200: 'RevokeServiceAccountKeyResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Revoke a key of a service account',
    description:
      'The key is refused at once, and every access token that came from it from the next request on. Repeating it changes nothing. A holder of an administrative right that the caller lacks is a 403.',
    clientMethod: 'revokeKey',
    command: { confirms: true, examples: ['17 12', '17 12 --yes'] },
  },
});
