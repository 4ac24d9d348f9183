/** Operations that issue access tokens. */
import { invalid } from '../../../kernel/errors.ts';
import type { FailureLimit } from '../../../kernel/failure-limit.ts';
import type { Handlers } from '../../../kernel/operations.ts';
import type { AccessTokens } from './access-tokens.ts';
import { acceptProviderToken, type IdentityProviderConfig } from './identity-provider.ts';
import { acceptAssertion } from './service-account.ts';

/** Collects the uses of accounts and keys, to be written later. */
interface Accesses {
  note(tenantId: number, userId: number, by: { keyId: number | null }, now: number): void;
}

/** @param revoked counts sign-ins with keys that are revoked or expired */
export function authHandlers(
  tokens: AccessTokens,
  provider: IdentityProviderConfig,
  revoked: FailureLimit,
  accesses: Accesses,
) {
  return {
    createAccessTokenByServiceAccount: async ({ scope, body }) => {
      if (!body?.jwtAssertion)
        throw invalid(
          'jwtAssertion',
          'REQUIRED_FIELD',
          'jwtAssertion is required: a JWT signed RS512 with the key file.',
        );
      const { signIn, accessToken } = await acceptAssertion(scope, body.jwtAssertion, revoked, (by) =>
        tokens.issue(scope, by),
      );
      accesses.note(scope.tenant.id, signIn.userId, { keyId: signIn.keyId }, scope.clock.now());
      await tokens.record(scope, signIn);
      return { accessToken };
    },
    createAccessTokenByGoogleOAuth2: async ({ scope, body }) => {
      if (!body?.googleOAuth2Token)
        throw invalid(
          'googleOAuth2Token',
          'REQUIRED_FIELD',
          'googleOAuth2Token is required: an access token of the identity provider.',
        );
      return {
        accessToken: await tokens.signIn(scope, await acceptProviderToken(scope, provider, body.googleOAuth2Token)),
      };
    },
  } satisfies Handlers;
}
