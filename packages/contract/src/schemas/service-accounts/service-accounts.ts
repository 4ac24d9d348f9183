/** Service accounts and their keys. */
import { AdminCapability } from '../../codes/codes.ts';
import { listLimits } from '../../limits.ts';
import * as t from '../fields.ts';

const writeFields: t.Fields = {
  name: t.required(t.name('Display name of the account; must not be empty.')),
  adminCapabilities: t.wordList(
    Object.values(AdminCapability),
    'Administrative rights of the account itself. Default: none. Only rights that the caller holds can be given.',
  ),
  roleId: t.int64(
    'Id of the role in every community, including future communities. Default: none. A change ' +
      'requires `manageDigitalWorplace`.',
  ),
  communityRoles: t.list(
    'ServiceAccountRole',
    'Roles in single communities. Default: none. The stronger role applies. A change requires `manageDigitalWorplace`.',
    { maxItems: listLimits.items },
  ),
};

export const serviceAccountTypes = {
  ServiceAccountRole: t.type('A role of a service account in one community.', {
    communityId: t.required(t.int64('Id of the community.')),
    roleId: t.required(t.int64('Id of the role: a built-in role or a role of the tenant.')),
  }),
  ServiceAccountKey: t.type('A key of a service account, without its secret.', {
    id: t.int64('Id of the key: `private_key_id` of its key file.'),
    name: t.text('Purpose of the key.'),
    creationTimestamp: t.time('Time when the key was created.'),
    expiryTimestamp: t.time('Time from which the key is rejected; absent if it does not expire.'),
    lastUseTimestamp: t.time('Time at which the key was last used, within about a minute; absent if never used.'),
    revokedTimestamp: t.time('Time when the key was revoked; absent if it was not.'),
    active: t.flag('Whether the key is neither revoked nor expired.'),
  }),
  ServiceAccount: t.type('A service account.', {
    userId: t.int64('Id of the account: `client_id` of its key files.'),
    name: t.text('Display name of the account.'),
    adminCapabilities: t.wordList(Object.values(AdminCapability), 'Administrative rights of the account itself.'),
    roleId: t.int64('Id of the role in every community, including future communities; absent if there is none.'),
    blocked: t.flag('True when the account may not sign in.'),
    activeKeysCount: t.int64('Keys that are neither revoked nor expired.'),
    creationTimestamp: t.time('Time when the account was created.'),
    lastAccessTimestamp: t.time('Time at which the account last used the portal.'),
  }),
  ListServiceAccountsRequest: t.type('Paging of the list of service accounts.', t.pageInputs),
  ListServiceAccountsResponse: t.page('ServiceAccount', 'A page of service accounts.'),
  GetServiceAccountForEditResponse: t.type('Editable data of a service account, and its keys.', {
    name: t.text('Display name of the account.'),
    adminCapabilities: t.wordList(Object.values(AdminCapability), 'Administrative rights of the account itself.'),
    roleId: t.int64('Id of the role in every community, including future communities; absent if there is none.'),
    communityRoles: t.list('ServiceAccountRole', 'Roles in single communities.'),
    keys: t.list('ServiceAccountKey', 'The keys, the newest first; revoked ones too. Read-only here.'),
    blocked: t.flag('True when the account may not sign in; read-only here.'),
    occToken: t.token('Token to send back with the next edit.'),
  }),
  CreateServiceAccountRequest: t.type('A new service account.', writeFields),
  CreateServiceAccountResponse: t.type('The service account that was created. It has no key yet.', {
    userId: t.int64('Id of the new account.'),
    nextOccToken: t.token('Token for the next edit.'),
  }),
  EditServiceAccountRequest: t.type('New content of a service account; omitted fields are removed.', {
    ...writeFields,
    occToken: t.formToken,
  }),
  EditServiceAccountResponse: t.type('Result of the edit of a service account.', {
    nextOccToken: t.token('Token for the next edit.'),
  }),
  CreateServiceAccountKeyRequest: t.type('A further key.', {
    name: t.name('Purpose of the key.'),
    expiryTimestamp: t.time('Time from which the key is rejected. If omitted, the key does not expire.'),
    otherKeysExpiryTimestamp: t.time(
      'Rotation: time from which the other keys of the account are rejected, unless they ' +
        'expire earlier. If omitted, they stay unchanged.',
    ),
  }),
  ServiceAccountKeyFile: t.type('A key file, with which programs sign in. It is returned once and not stored.', {
    type: t.text('Always `service_account`.'),
    private_key_id: t.int64('Id of the key.'),
    private_key: t.text('The private key, PEM.'),
    client_id: t.int64('Id of the account.'),
  }),
  CreateServiceAccountKeyResponse: t.type('The created key.', {
    keyId: t.int64('Id of the key.'),
    keyFile: t.shownOnce(
      t.ref(
        'ServiceAccountKeyFile',
        'The key file; absent in the stored response to a repeated request with the same `Idempotency-Key`.',
      ),
    ),
  }),
  RevokeServiceAccountKeyResponse: t.type('The key that was revoked.', {
    userId: t.int64('Id of the account.'),
    keyId: t.int64('Id of the key.'),
  }),
};
