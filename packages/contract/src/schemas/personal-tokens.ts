/** Personal access tokens. */
import { maximumTokenName, mostTokenCommunities, personalTokenDays } from '../limits.ts';
import * as t from './fields.ts';

const common: t.Fields = {
  access: t.word(
    ['read', 'write'],
    '`read`: operations that change nothing; any other is a 403 `PERSONAL_TOKEN_READ_ONLY`. `write`: writes too.',
  ),
  onlyCommunityIds: t.ids(
    'The communities that the token reaches, with the role that its holder has there; left out: every community. A token for chosen communities has no administrative right.',
    { minItems: 1, maxItems: mostTokenCommunities },
  ),
};

export const personalTokenTypes = {
  PersonalToken: t.type('A personal access token, without its secret.', {
    id: t.int64('Id of the token.'),
    name: t.text('What the token is for.'),
    ...common,
    creationTimestamp: t.time('When the token was created.'),
    lastUseTimestamp: t.time('When it was last used, within about five minutes; absent where it was not used yet.'),
    expirationTimestamp: t.time('From when on it is refused.'),
  }),
  ListPersonalTokensResponse: t.type('Personal access tokens of the caller.', {
    tokens: t.list('PersonalToken', 'Those that are accepted, the newest first.'),
  }),
  CreatePersonalTokenRequest: t.type('A new personal access token.', {
    name: t.required(t.name('What the token is for.', { pattern: '\\S', maxLength: maximumTokenName })),
    access: t.required(common['access'] ?? {}),
    onlyCommunityIds: common['onlyCommunityIds'] ?? {},
    validDays: t.required(t.int32('Days after which the token is refused.', personalTokenDays)),
  }),
  CreatePersonalTokenResponse: t.type('The new token.', {
    tokenId: t.int64('Id of the token.'),
    secret: t.text(
      'The token, which begins with `ptc_`, to be sent as `Authorization: Bearer`. It is shown once: a repeated request with the same `Idempotency-Key` answers without it.',
    ),
    expirationTimestamp: t.time('From when on it is refused.'),
  }),
};
