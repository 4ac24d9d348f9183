/** Identity providers (OpenID Connect). */
import { listLimits } from '../limits.ts';
import {
  type Fields,
  flag,
  int64,
  list,
  page,
  pageInputs,
  required,
  text,
  texts,
  time,
  token,
  type,
} from './fields.ts';

const key = 'Name of the provider in addresses: 1 to 40 small letters, digits and dashes, the first no dash.';
const issuer = 'Issuer, as the configuration of the provider names it: an https address.';
const hasClientSecret = flag('Whether a client secret is stored; it is never shown.');

/** What can be edited, as answers hold it. */
const settings: Fields = {
  name: text('How the provider is named on the sign-in page.'),
  clientId: text('Id under which the portal is registered at the provider.'),
  scopes: texts('Scopes that are asked for, `openid` in any case. Default: openid, email, profile.'),
  enabled: flag('Whether people can sign in by the provider.'),
  createUsers: flag('Whether the first sign-in of an unknown person makes an account.'),
  linkByVerifiedEmail: flag(
    'Whether a first sign-in is linked to the account with the same contact address, if the provider says that the address is verified.',
  ),
  emailDomains: texts(
    'Domains of which a verified address is asked for at each sign-in. None when left out: any account of the provider may sign in.',
  ),
  groupsClaim: text('Claim with the groups of a person; left out where groups are not taken over.'),
  groupMappings: list(
    'IdentityProviderGroup',
    'Groups that each sign-in gives and takes by the claim. Groups that are not named here stay as they are.',
    { maxItems: listLimits.items },
  ),
};

const writeFields: Fields = {
  ...settings,
  name: required(text('How the provider is named on the sign-in page; must not be empty.')),
  clientId: required(text('Id under which the portal is registered at the provider; must not be empty.')),
};

export const identityProviderTypes = {
  IdentityProviderGroup: type('A value of the groups claim and the group that it stands for.', {
    value: required(text('Value of the claim.')),
    groupId: required(int64('Id of the group.')),
  }),
  IdentityProvider: type('An identity provider.', {
    identityProviderId: int64('Id of the provider.'),
    key: text(key),
    name: text('How the provider is named on the sign-in page.'),
    issuer: text(issuer),
    enabled: flag('Whether people can sign in by the provider.'),
    linkedUsersCount: int64('How many accounts are linked to identities of the provider.'),
  }),
  ListIdentityProvidersRequest: type('Paging of the list of identity providers.', pageInputs),
  ListIdentityProvidersResponse: page('IdentityProvider', 'A page of identity providers.'),
  GetIdentityProviderForEditResponse: type('What can be edited about an identity provider.', {
    ...settings,
    key: text(`${key} Read-only here.`),
    issuer: text(`${issuer} Read-only here.`),
    hasClientSecret,
    redirectUri: text('Address to register at the provider as redirect URI. Read-only here.'),
    occToken: token('Token to send back with the next edit.'),
  }),
  CreateIdentityProviderRequest: type('A new identity provider.', {
    ...writeFields,
    key: required(text(key)),
    issuer: required(text(issuer)),
    clientSecret: text('Secret of the client; left out for a client without one.'),
  }),
  CreateIdentityProviderResponse: type('The identity provider that was created.', {
    identityProviderId: int64('Id of the provider.'),
    redirectUri: text('Address to register at the provider as redirect URI.'),
    nextOccToken: token('Token for the next edit.'),
  }),
  EditIdentityProviderRequest: type('New settings of an identity provider; what is left out is removed.', {
    ...writeFields,
    clientSecret: text('New secret of the client. Left out, the present one stays; an empty one removes it.'),
    occToken: required(token('Token that the form gave; a stale one is a 409.')),
  }),
  EditIdentityProviderResponse: type('Result of the edit of an identity provider.', {
    nextOccToken: token('Token for the next edit.'),
  }),
  SignInProvider: type('An identity provider, as the sign-in page shows it.', {
    key: text(key),
    name: text('How the provider is named.'),
  }),
  ListSignInProvidersResponse: type('What people can sign in to, and by which providers.', {
    portalName: text('Name of the portal, as its tenant is shown to people.'),
    providers: list('SignInProvider', 'The providers, by name.'),
  }),
  LinkedIdentity: type('An identity at an identity provider.', {
    identityProviderId: int64('Id of the provider.'),
    key: text(key),
    name: text('How the provider is named.'),
    enabled: flag('Whether people can sign in by the provider.'),
    subject: text('Who the person is at the provider.'),
    linkTimestamp: time('When the identity was linked.'),
  }),
  ListIdentitiesResponse: type('Identities that somebody signs in by.', {
    identities: list('LinkedIdentity', 'The identities, by provider.'),
  }),
};
