/** Service accounts and their keys. */
import { AdminCapability } from '../codes/codes.ts';
import { listLimits } from '../limits.ts';
import {
  type Fields,
  flag,
  int64,
  list,
  page,
  pageInputs,
  ref,
  required,
  text,
  time,
  token,
  type,
  wordList,
} from './fields.ts';

const writeFields: Fields = {
  name: required(text('How the account is shown; must not be empty.')),
  adminCapabilities: wordList(
    Object.values(AdminCapability),
    'Administrative rights of the account itself; none when left out. Only rights that the caller holds can be given.',
  ),
  roleId: int64(
    'Id of the role in every community, also in those made later; none when left out. Needs `manageDigitalWorplace` to change.',
  ),
  communityRoles: list(
    'ServiceAccountRole',
    'Roles in single communities; none when left out. The stronger role counts. Needs `manageDigitalWorplace` to change.',
    { maxItems: listLimits.items },
  ),
};

export const serviceAccountTypes = {
  ServiceAccountRole: type('A role of a service account in one community.', {
    communityId: required(int64('Id of the community.')),
    roleId: required(int64('Id of the role: a built-in one or one of the tenant.')),
  }),
  ServiceAccountKey: type('A key of a service account, without its secret.', {
    id: int64('Id of the key: `private_key_id` of its key file.'),
    name: text('What the key is for.'),
    creationTimestamp: time('When the key was made.'),
    expiryTimestamp: time('From when on the key is refused; absent where it does not expire.'),
    lastUseTimestamp: time('When the key was last used, within about a minute; absent where it was not used yet.'),
    revokedTimestamp: time('When the key was revoked; absent where it was not.'),
    active: flag('Whether the key is neither revoked nor expired.'),
  }),
  ServiceAccount: type('A service account.', {
    userId: int64('Id of the account: `client_id` of its key files.'),
    name: text('How the account is shown.'),
    adminCapabilities: wordList(Object.values(AdminCapability), 'Administrative rights of the account itself.'),
    roleId: int64('Id of the role in every community, also in those made later; absent where there is none.'),
    blocked: flag('True when the account may not sign in.'),
    activeKeysCount: int64('Keys that are neither revoked nor expired.'),
    creationTimestamp: time('When the account was made.'),
    lastAccessTimestamp: time('When the account last used the portal.'),
  }),
  ListServiceAccountsRequest: type('Paging of the list of service accounts.', pageInputs),
  ListServiceAccountsResponse: page('ServiceAccount', 'A page of service accounts.'),
  GetServiceAccountForEditResponse: type('What can be edited about a service account, and its keys.', {
    name: text('How the account is shown.'),
    adminCapabilities: wordList(Object.values(AdminCapability), 'Administrative rights of the account itself.'),
    roleId: int64('Id of the role in every community, also in those made later; absent where there is none.'),
    communityRoles: list('ServiceAccountRole', 'Roles in single communities.'),
    keys: list('ServiceAccountKey', 'The keys, the newest first; revoked ones too. Read-only here.'),
    blocked: flag('True when the account may not sign in; read-only here.'),
    occToken: token('Token to send back with the next edit.'),
  }),
  CreateServiceAccountRequest: type('A new service account.', writeFields),
  CreateServiceAccountResponse: type('The service account that was created. It has no key yet.', {
    userId: int64('Id of the new account.'),
    nextOccToken: token('Token for the next edit.'),
  }),
  EditServiceAccountRequest: type('New content of a service account; what is left out is removed.', {
    ...writeFields,
    occToken: required(token('Token that the form gave; a stale one is a 409.')),
  }),
  EditServiceAccountResponse: type('Result of the edit of a service account.', {
    nextOccToken: token('Token for the next edit.'),
  }),
  CreateServiceAccountKeyRequest: type('A further key.', {
    name: text('What the key is for.'),
    expiryTimestamp: time('From when on the key is refused; it does not expire when left out.'),
    otherKeysExpiryTimestamp: time(
      'Rotation: from when on the other keys of the account are refused, unless they expire earlier. Left out, they stay as they are.',
    ),
  }),
  ServiceAccountKeyFile: type('A key file, as programs sign in with. It is shown once and kept nowhere.', {
    type: text('Always `service_account`.'),
    private_key_id: int64('Id of the key.'),
    private_key: text('The private key, PEM.'),
    client_id: int64('Id of the account.'),
  }),
  CreateServiceAccountKeyResponse: type('The key that was made.', {
    keyId: int64('Id of the key.'),
    keyFile: ref(
      'ServiceAccountKeyFile',
      'The key file; absent in the stored answer to a repeated request with the same `Idempotency-Key`.',
    ),
  }),
  RevokeServiceAccountKeyResponse: type('The key that was revoked.', {
    userId: int64('Id of the account.'),
    keyId: int64('Id of the key.'),
  }),
};
