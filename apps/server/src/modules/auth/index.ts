/** Signing in: exchanges, access tokens, keys. */
export { AccessTokens, DEFAULT_TOKEN_SECONDS } from './access-tokens.ts';
export type { TokenSubject } from './access-tokens.ts';
export { authHandlers } from './auth.routes.ts';
export { DEFAULT_TOKEN_INFO_URL } from './identity-provider.ts';
export type { IdentityProviderConfig } from './identity-provider.ts';
export { createServiceAccountKey, forgetExpiredAssertions, revokeServiceAccountKey } from './service-account.ts';
export type { ServiceAccountKeyFile } from './service-account.ts';
export { newSigningKey, rotateSigningKey, SigningKeys } from './signing-keys.ts';
