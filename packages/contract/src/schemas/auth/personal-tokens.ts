/** Personal access tokens. */
import { maximumTokenName, mostTokenCommunities, personalTokenDays } from '../../limits.ts';
import * as t from '../fields.ts';

const common: t.Fields = {
  access: t.word(
    ['read', 'write'],
    '`read`: operations that change nothing; any other returns 403 `PERSONAL_TOKEN_READ_ONLY`. `write`: writes too.',
  ),
  onlyCommunityIds: t.ids(
    'The communities that the token reaches, with the role of its holder there. Default: every ' +
      'community. A token for chosen communities has no administrative right.',
    { minItems: 1, maxItems: mostTokenCommunities },
  ),
};

export const personalTokenTypes = {
  PersonalToken: t.type('A personal access token, without its secret.', {
    id: t.int64('Id of the token.'),
    name: t.text('Purpose of the token.'),
    ...common,
    manageUsers: t.flag('True for a sign-in of a device that keeps the right `manageUsers` of its holder.'),
    creationTimestamp: t.time('Time at which the token was created.'),
    lastUseTimestamp: t.time('Time at which it was last used, within about five minutes; absent if never used.'),
    expirationTimestamp: t.time('Time from which it is rejected.'),
  }),
  ListPersonalTokensResponse: t.type('Personal access tokens of the caller.', {
    tokens: t.list('PersonalToken', 'The accepted tokens, the newest first.'),
  }),
  CreatePersonalTokenRequest: t.type('A new personal access token.', {
    name: t.required(
      t.name('Purpose of the token.', { pattern: '\\S', maxLength: maximumTokenName }),
      'name is required.',
    ),
    access: t.required(common['access'] ?? {}, 'access is required.'),
    onlyCommunityIds: common['onlyCommunityIds'] ?? {},
    validDays: t.required(
      t.int32('Days after which the token is refused.', personalTokenDays),
      'validDays is required.',
    ),
  }),
  CreatePersonalTokenResponse: t.type('The new token.', {
    tokenId: t.int64('Id of the token.'),
    secret: t.shownOnce(
      t.text(
        'The token, which begins with `ptc_`, to be sent as `Authorization: Bearer`. It is shown ' +
          'once: a repeated request with the same `Idempotency-Key` returns a response without it.',
      ),
    ),
    expirationTimestamp: t.time('Time from which it is rejected.'),
  }),
};
