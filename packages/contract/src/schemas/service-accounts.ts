/** Service accounts and their keys. */
import { AdminCapability } from '../codes/codes.ts';
import { listLimits } from '../limits.ts';
import * as t from './fields.ts';

const writeFields: t.Fields = {
  name: t.required(t.name('How the account is shown; must not be empty.')),
  adminCapabilities: t.wordList(
    Object.values(AdminCapability),
    'Administrative rights of the account itself; none when left out. Only rights that the caller holds can be given.',
  ),
  roleId: t.int64(
    'Id of the role in every community, also in those made later; none when left out. Needs `manageDigitalWorplace` to change.',
  ),
  communityRoles: t.list(
    'ServiceAccountRole',
    'Roles in single communities; none when left out. The stronger role counts. Needs `manageDigitalWorplace` to change.',
    { maxItems: listLimits.items },
  ),
};

export const serviceAccountTypes = {
  ServiceAccountRole: t.type('A role of a service account in one community.', {
    communityId: t.required(t.int64('Id of the community.')),
    roleId: t.required(t.int64('Id of the role: a built-in one or one of the tenant.')),
  }),
  ServiceAccountKey: t.type('A key of a service account, without its secret.', {
    id: t.int64('Id of the key: `private_key_id` of its key file.'),
    name: t.text('What the key is for.'),
    creationTimestamp: t.time('When the key was made.'),
    expiryTimestamp: t.time('From when on the key is refused; absent where it does not expire.'),
    lastUseTimestamp: t.time('When the key was last used, within about a minute; absent where it was not used yet.'),
    revokedTimestamp: t.time('When the key was revoked; absent where it was not.'),
    active: t.flag('Whether the key is neither revoked nor expired.'),
  }),
  ServiceAccount: t.type('A service account.', {
    userId: t.int64('Id of the account: `client_id` of its key files.'),
    name: t.text('How the account is shown.'),
    adminCapabilities: t.wordList(Object.values(AdminCapability), 'Administrative rights of the account itself.'),
    roleId: t.int64('Id of the role in every community, also in those made later; absent where there is none.'),
    blocked: t.flag('True when the account may not sign in.'),
    activeKeysCount: t.int64('Keys that are neither revoked nor expired.'),
    creationTimestamp: t.time('When the account was made.'),
    lastAccessTimestamp: t.time('When the account last used the portal.'),
  }),
  ListServiceAccountsRequest: t.type('Paging of the list of service accounts.', t.pageInputs),
  ListServiceAccountsResponse: t.page('ServiceAccount', 'A page of service accounts.'),
  GetServiceAccountForEditResponse: t.type('What can be edited about a service account, and its keys.', {
    name: t.text('How the account is shown.'),
    adminCapabilities: t.wordList(Object.values(AdminCapability), 'Administrative rights of the account itself.'),
    roleId: t.int64('Id of the role in every community, also in those made later; absent where there is none.'),
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
  EditServiceAccountRequest: t.type('New content of a service account; what is left out is removed.', {
    ...writeFields,
    occToken: t.required(t.token('Token that the form gave; a stale one is a 409.')),
  }),
  EditServiceAccountResponse: t.type('Result of the edit of a service account.', {
    nextOccToken: t.token('Token for the next edit.'),
  }),
  CreateServiceAccountKeyRequest: t.type('A further key.', {
    name: t.name('What the key is for.'),
    expiryTimestamp: t.time('From when on the key is refused; it does not expire when left out.'),
    otherKeysExpiryTimestamp: t.time(
      'Rotation: from when on the other keys of the account are refused, unless they expire earlier. Left out, they stay as they are.',
    ),
  }),
  ServiceAccountKeyFile: t.type('A key file, as programs sign in with. It is shown once and kept nowhere.', {
    type: t.text('Always `service_account`.'),
    private_key_id: t.int64('Id of the key.'),
    private_key: t.text('The private key, PEM.'),
    client_id: t.int64('Id of the account.'),
  }),
  CreateServiceAccountKeyResponse: t.type('The key that was made.', {
    keyId: t.int64('Id of the key.'),
    keyFile: t.ref(
      'ServiceAccountKeyFile',
      'The key file; absent in the stored answer to a repeated request with the same `Idempotency-Key`.',
    ),
  }),
  RevokeServiceAccountKeyResponse: t.type('The key that was revoked.', {
    userId: t.int64('Id of the account.'),
    keyId: t.int64('Id of the key.'),
  }),
};
