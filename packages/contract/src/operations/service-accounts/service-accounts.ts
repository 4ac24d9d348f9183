/** Service accounts and their keys. They are blocked, signed out and deleted as users. */
import { RoleId } from '../../codes/defined-codes.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

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
    description: 'Returns all service accounts of the tenant that are not deleted, by id.',
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
      'Returns the editable data of a service account, its keys without their secrets, and the ' +
      '`occToken` to send back. A person, and an account that is unknown or deleted, return ' +
      '404.',
    clientMethod: 'readForEdit',
    formerMethod: 'form',
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
      'Creates an account for a program. It has no key yet: `createServiceAccountKey` creates ' +
      'a key. Block, sign out and delete it with the operations for users.',
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
      'Replaces the account: omitted rights and roles are removed. An account with an ' +
      'administrative right that the caller lacks cannot be changed. Send the `occToken` of ' +
      'the form in the body; a stale token returns 409.',
    clientMethod: 'replace',
    formerMethod: 'edit',
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
      'Creates a key. Only the response contains the key file. An account has at most ten ' +
      'active keys. To rotate, send `otherKeysExpiryTimestamp`: until then the other keys sign ' +
      'in too. Returns 403 if the user holds an administrative right that the caller lacks.',
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
      'Revokes the key at once, and its access tokens from the next request on. Repeating it ' +
      'changes nothing. Returns 403 if the user holds an administrative right that the caller ' +
      'lacks.',
    clientMethod: 'revokeKey',
    command: { confirms: true, examples: ['17 12', '17 12 --yes'] },
  },
});
