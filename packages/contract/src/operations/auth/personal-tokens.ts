/** Personal access tokens of the caller. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const personalTokenOperations = defineOperations('auth', {
  listPersonalTokens: {
    method: 'GET',
    path: '/core/auth/personal-tokens',
    responses: { 200: 'ListPersonalTokensResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'Personal access tokens of the caller',
    description: 'Returns the accepted tokens, the newest first. Their secrets are not stored.',
    clientMethod: 'personalTokens',
    command: {
      rows: 'tokens',
      columns: ['id', 'name', 'access', 'onlyCommunityIds', 'lastUseTimestamp', 'expirationTimestamp'],
      examples: ['', '--output json'],
    },
  },
  createPersonalToken: {
    method: 'POST',
    path: '/core/auth/manage/personal-tokens',
    body: 'CreatePersonalTokenRequest',
    responses: { 200: 'CreatePersonalTokenResponse', 400: 'ValidationErrorResponse', 403: null, 409: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Create a personal access token',
    description:
      'Creates a token by which programs act for the caller: `Authorization: Bearer ptc_…`. ' +
      'The token never has the right `manageUsers`; `confirmDeviceSignIn` can keep it. Operations that change how its holder ' +
      'signs in, including this operation, reject it with 403 `PERSONAL_TOKEN_NOT_ACCEPTED`. A ' +
      'token for chosen communities has no administrative right, reads nothing of the sign-ins ' +
      'of its holder, and does not edit the profile. The token ends when it expires or is ' +
      'revoked, and with the sign-ins of the account: when an administrator blocks the person ' +
      'or signs them out, or when their password changes. A community in which the caller has ' +
      'no role returns 400 on `onlyCommunityIds`. Service accounts have keys instead and ' +
      'receive 403. With 100 tokens the operation returns 409.',
    requestExamples: examples<'CreatePersonalTokenRequest'>({
      all: { summary: 'For all communities', value: { name: 'Report', access: 'read', validDays: 30 } },
      chosen: {
        summary: 'For one community',
        value: { name: 'Sensors', access: 'write', onlyCommunityIds: [12], validDays: 366 },
      },
    }),
    clientMethod: 'createPersonalToken',
    command: {
      examples: [
        '--name Report --access read --valid-days 30',
        '--name Sensors --access write --only-community-ids 12,13 --valid-days 366 --output json',
      ],
    },
  },
  revokePersonalToken: {
    method: 'POST',
    path: '/core/auth/manage/personal-tokens/{tokenId}/revoke',
    responses: { 200: null, 403: null, 404: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Revoke a personal access token',
    description:
      'Revokes the token from the next request on. A token of another user returns 404. A personal ' +
      'access token can revoke itself; another one returns 403 `PERSONAL_TOKEN_NOT_ACCEPTED`.',
    clientMethod: 'revokePersonalToken',
    command: { examples: ['4711', '4711 --dry-run'] },
  },
});
