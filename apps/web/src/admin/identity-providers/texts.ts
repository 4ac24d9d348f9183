/** Texts about identity providers. */
import { usePageTexts } from '../../texts/index.ts';

export const en = {
  empty: 'No identity provider is connected. People sign in with a password or a passkey.',
  newProvider: 'Connect a provider',
  editProvider: (name: string) => `Edit ${name}`,
  issuer: 'Issuer',
  issuerHint: 'The https address by which the provider names itself. It cannot be changed later.',
  key: 'Key',
  keyHint: 'Small letters, digits and dashes; it is part of the redirect address and cannot be changed later.',
  nameHint: 'Shown on the sign-in page.',
  clientId: 'Client id',
  clientSecret: 'Client secret',
  secretKept: 'A secret is stored. Leave this empty to keep it.',
  secretNone: 'Leave this empty for a client without a secret.',
  removeSecret: 'Remove the stored secret',
  redirectUri: 'Redirect address to register at the provider',
  scopes: 'Scopes',
  scopesHint: 'Separated by spaces. `openid` is asked for in any case.',
  enabled: 'People can sign in by it',
  createUsers: 'Create an account for an unknown person',
  linkByVerifiedEmail: 'Link by a verified e-mail address',
  linkHint: 'The first sign-in belongs to the account with the same address.',
  emailDomains: 'Allowed domains',
  emailDomainsHint: 'A line for each. Empty: any verified address.',
  groupsClaim: 'Claim with groups',
  groupsClaimHint: 'Left empty, groups are not synchronised.',
  groupMappings: 'Groups by value of the claim',
  value: 'Value of the claim',
  addMapping: 'Add a group',
  removeMapping: (value: string) => `Remove ${value}`,
  linked: 'Linked people',
  deleteProvider: 'Remove the provider',
  deleteTitle: (name: string) => `Remove the provider ${name}?`,
  deleteHint: (linked: string) => `${linked} linked accounts stay, but can no longer sign in by it.`,
  deleted: 'The provider was removed.',
  everyRight:
    'Only holders of every administrative right connect and change providers: who does can sign in as anybody.',
};

export const useProvidersTexts = () => usePageTexts('adminProviders', en);
