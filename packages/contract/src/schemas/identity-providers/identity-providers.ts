/** Identity providers (OpenID Connect). */
import { listLimits, trialLimits } from '../../limits.ts';
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
  IdentityProviderRefusal: t.type('Why a provider, or the portal, refuses a sign-in.', {
    code: t.word(
      [
        'provider-unavailable',
        'unknown-provider',
        'sign-in-expired',
        'sign-in-cancelled',
        'sign-in-refused',
        'unknown-account',
        'account-exists',
        'account-blocked',
      ],
      'The code that the sign-in page gets.',
    ),
    reason: t.text('The reason in English, as in the log of the server.'),
  }),
  TestIdentityProviderResponse: t.type('A trial sign-in that was begun, or why none can begin.', {
    authorizationUrl: t.uri('Address at the provider, to be opened in a browser within ten minutes.'),
    expiryTimestamp: t.time('Time from which the answer of the provider is rejected.'),
    redirectUri: t.text('Address that must be registered at the provider as redirect URI.'),
    refusal: t.ref('IdentityProviderRefusal', 'Why no sign-in can begin; absent otherwise.'),
  }),
  FinishIdentityProviderTestRequest: t.type('Answer of a provider to a trial sign-in.', {
    answer: t.required(
      t.text('The address that the provider redirected to, or its query with `code` and `state`.', {
        maxLength: trialLimits.answer,
      }),
    ),
  }),
  IdentityProviderTestGroup: t.type('A group that a sign-in joins or leaves.', {
    groupId: t.int64('Id of the group.'),
    name: t.text('Name of the group.'),
  }),
  IdentityProviderTestAccount: t.type('An account that a sign-in creates.', {
    firstname: t.text('First name; can be empty.'),
    lastname: t.text('Last name.'),
    contactEmail: t.text('Verified address; absent without one.'),
  }),
  IdentityProviderClaim: t.type('A claim about a person.', {
    name: t.text('Name of the claim.'),
    value: t.text(
      `Its value, cut after ${trialLimits.claimLength.toLocaleString('en')} characters; values other than texts as JSON.`,
    ),
  }),
  FinishIdentityProviderTestResponse: t.type('The claims of a trial sign-in, and the effect of a sign-in.', {
    identityProviderId: t.int64('Id of the provider.'),
    key: t.text(key),
    name: t.text('Name of the provider.'),
    enabled: t.flag('Whether people can sign in by the provider already.'),
    outcome: t.word(
      ['signIn', 'link', 'create', 'refuse'],
      'Effect of a sign-in. `signIn`: the account is linked. `link`: the account with the verified address ' +
        'would be linked. `create`: an account would be created. `refuse`: see `refusal`.',
    ),
    refusal: t.ref('IdentityProviderRefusal', 'Why a sign-in would be refused; absent otherwise.'),
    userId: t.int64('Id of the account that would sign in, or that stands in the way of the sign-in.'),
    userName: t.text('Name of that account.'),
    newAccount: t.ref('IdentityProviderTestAccount', 'The account that would be created.'),
    joinedGroups: t.list('IdentityProviderTestGroup', 'Groups that the account would join.'),
    leftGroups: t.list('IdentityProviderTestGroup', 'Groups that the account would leave.'),
    unmappedGroups: t.texts(
      `Values of the groups claim that \`groupMappings\` maps to no group, at most ${trialLimits.claims}.`,
    ),
    groupsElsewhere: t.flag(
      'Whether the provider states that the groups are to be read elsewhere, so that memberships stay unchanged.',
    ),
    claims: t.list(
      'IdentityProviderClaim',
      `Claims of the provider, at most ${trialLimits.claims}; empty if its answer failed a check. Values that only ` +
        'verify the answer, such as `nonce`, are left out.',
    ),
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
  ListUserSignInsResponse: t.type('Sessions of a user, and the ways by which they sign in.', {
    sessions: t.list('UserSession', 'Browsers in which the user is signed in, the last used first.'),
    password: t.flag('Whether the user can sign in with a password.'),
    authenticatorApp: t.flag('Whether sign-ins with the password require a code of an authenticator app.'),
    recoveryCodesLeft: t.int32('Recovery codes that were not used; absent without an authenticator app.'),
    passkeys: t.list('Passkey', 'Passkeys, the oldest first.'),
    identities: t.list('LinkedIdentity', 'Identities at identity providers, by provider.'),
    tokens: t.list('PersonalToken', 'Accepted personal access tokens, the newest first.'),
  }),
  ListIdentitiesResponse: t.type('Identities that somebody signs in by.', {
    identities: t.list('LinkedIdentity', 'The identities, by provider.'),
  }),
};
