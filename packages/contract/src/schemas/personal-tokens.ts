/** Personal access tokens. */
import { maximumTokenName, mostTokenCommunities, personalTokenDays } from '../limits.ts';
import { type Fields, ids, int32, int64, list, required, text, time, type, word } from './fields.ts';

const common: Fields = {
  access: word(
    ['read', 'write'],
    '`read`: operations that change nothing; any other is a 403 `PERSONAL_TOKEN_READ_ONLY`. `write`: writes too.',
  ),
  onlyCommunityIds: ids(
    'The communities that the token reaches, with the role that its holder has there; left out: every community. A token for chosen communities has no administrative right.',
    { minItems: 1, maxItems: mostTokenCommunities },
  ),
};

export const personalTokenTypes = {
  PersonalToken: type('A personal access token, without its secret.', {
    id: int64('Id of the token.'),
    name: text('What the token is for.'),
    ...common,
    creationTimestamp: time('When the token was created.'),
    lastUseTimestamp: time('When it was last used, within about five minutes; absent where it was not used yet.'),
    expirationTimestamp: time('From when on it is refused.'),
  }),
  ListPersonalTokensResponse: type('Personal access tokens of the caller.', {
    tokens: list('PersonalToken', 'Those that are accepted, the newest first.'),
  }),
  CreatePersonalTokenRequest: type('A new personal access token.', {
    name: required(text('What the token is for.', { pattern: '\\S', maxLength: maximumTokenName })),
    access: required(common['access'] ?? {}),
    onlyCommunityIds: common['onlyCommunityIds'] ?? {},
    validDays: required(int32('Days after which the token is refused.', personalTokenDays)),
  }),
  CreatePersonalTokenResponse: type('The new token.', {
    tokenId: int64('Id of the token.'),
    secret: text(
      'The token, which begins with `ptc_`, to be sent as `Authorization: Bearer`. It is shown once: a repeated request with the same `Idempotency-Key` answers without it.',
    ),
    expirationTimestamp: time('From when on it is refused.'),
  }),
};
