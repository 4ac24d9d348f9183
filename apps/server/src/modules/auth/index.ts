/** Signing in: exchanges, access tokens, keys. */

export { AccessTokens, MAX_TOKEN_SECONDS, type SignIn } from './access-tokens.ts';
export { authHandlers } from './auth.routes.ts';
export { DEFAULT_TOKEN_INFO_URL } from './identity-provider.ts';
export type { ServiceAccountKeyFile } from './service-account.ts';
export {
  createServiceAccountKey,
  forgetExpiredAssertions,
  giveServiceAccountKey,
  revokeServiceAccountKey,
  withdrawServiceAccountKey,
} from './service-account.ts';
export {
  insertSigningKey,
  listSigningKeys,
  MAX_SIGNING_KEYS,
  newSigningKey,
  rotateSigningKey,
  SigningKeys,
  withdrawSigningKey,
} from './signing-keys.ts';
