/** Identity providers (OpenID Connect). */
import { listLimits } from '../../limits.ts';
import * as t from '../fields.ts';

const key = 'Name of the provider in addresses: 1 to 40 small letters, digits and dashes, the first no dash.';
const issuer = 'Issuer, as the configuration of the provider names it: an https address.';
const hasClientSecret = t.flag('Whether a client secret is stored; it is never shown.');

/** Editable settings, in the form of answers. */
const settings: t.Fields = {
  name: t.text('Name of the provider on the sign-in page.'),
  clientId: t.text('Id under which the portal is registered at the provider.'),
  scopes: t.texts('Scopes that are asked for, `openid` in any case. Default: openid, email, profile.'),
  enabled: t.flag('Whether people can sign in by the provider.'),
  createUsers: t.flag('Whether the first sign-in of an unknown person creates an account.'),
  linkByVerifiedEmail: t.flag(
    'Whether a first sign-in is linked to the account with the same contact address, if the provider says that the address is verified.',
  ),
  emailDomains: t.texts(
    'Domains of the verified address that each sign-in requires. Default: none; any account of ' +
      'the provider may sign in.',
  ),
  groupsClaim: t.text('Claim with the groups of a person; absent if groups are not synchronised.'),
  groupMappings: t.list(
    'IdentityProviderGroup',
    'Groups that each sign-in assigns and removes according to the claim. Groups that are not ' +
      'named here stay unchanged.',
    { maxItems: listLimits.items },
  ),
};

const writeFields: t.Fields = {
  ...settings,
  name: t.required(t.name('Name of the provider on the sign-in page; must not be empty.')),
  clientId: t.required(t.text('Id under which the portal is registered at the provider; must not be empty.')),
};

export const identityProviderTypes = {
  IdentityProviderGroup: t.type('A value of the groups claim and the group that it stands for.', {
    value: t.required(t.text('Value of the claim.')),
    groupId: t.required(t.int64('Id of the group.')),
  }),
  IdentityProvider: t.type('An identity provider.', {
    identityProviderId: t.int64('Id of the provider.'),
    key: t.text(key),
    name: t.text('Name of the provider on the sign-in page.'),
    issuer: t.text(issuer),
    enabled: t.flag('Whether people can sign in by the provider.'),
    linkedUsersCount: t.int64('Number of accounts that are linked to identities of the provider.'),
  }),
  ListIdentityProvidersRequest: t.type('Paging of the list of identity providers.', t.pageInputs),
  ListIdentityProvidersResponse: t.page('IdentityProvider', 'A page of identity providers.'),
  GetIdentityProviderForEditResponse: t.type('Editable settings of an identity provider.', {
    ...settings,
    key: t.text(`${key} Read-only here.`),
    issuer: t.text(`${issuer} Read-only here.`),
    hasClientSecret,
    redirectUri: t.text('Address to register at the provider as redirect URI. Read-only here.'),
    occToken: t.token('Token to send back with the next edit.'),
  }),
  CreateIdentityProviderRequest: t.type('A new identity provider.', {
    ...writeFields,
    key: t.required(t.text(key)),
    issuer: t.required(t.text(issuer)),
    clientSecret: t.text('Secret of the client; omit it for a client without a secret.'),
  }),
  CreateIdentityProviderResponse: t.type('The identity provider that was created.', {
    identityProviderId: t.int64('Id of the provider.'),
    redirectUri: t.text('Address to register at the provider as redirect URI.'),
    nextOccToken: t.token('Token for the next edit.'),
  }),
  EditIdentityProviderRequest: t.type('New settings of an identity provider; omitted settings are removed.', {
    ...writeFields,
    clientSecret: t.text('New secret of the client. If omitted, the current secret stays; an empty text removes it.'),
    occToken: t.formToken,
  }),
  EditIdentityProviderResponse: t.type('Result of the edit of an identity provider.', {
    nextOccToken: t.token('Token for the next edit.'),
  }),
  SignInProvider: t.type('An identity provider, as the sign-in page shows it.', {
    key: t.text(key),
    name: t.text('Name of the provider.'),
  }),
  ListSignInProvidersResponse: t.type('The portal that people sign in to, and its identity providers.', {
    portalName: t.text('Name of the portal, as its tenant is shown to people.'),
    providers: t.list('SignInProvider', 'The providers, by name.'),
  }),
  LinkedIdentity: t.type('An identity at an identity provider.', {
    identityProviderId: t.int64('Id of the provider.'),
    key: t.text(key),
    name: t.text('Name of the provider.'),
    enabled: t.flag('Whether people can sign in by the provider.'),
    subject: t.text('Identity of the person at the provider.'),
    linkTimestamp: t.time('Time at which the identity was linked.'),
  }),
  ListIdentitiesResponse: t.type('Identities that somebody signs in by.', {
    identities: t.list('LinkedIdentity', 'The identities, by provider.'),
  }),
};
