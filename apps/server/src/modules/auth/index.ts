/** Sign-in: exchanges, access tokens, keys. */

export { AccessTokens, MAX_TOKEN_SECONDS, type SignIn } from './access-tokens.ts';
export { authHandlers } from './auth.routes.ts';
export { DEFAULT_TOKEN_INFO_URL } from './identity-provider.ts';
export { forgetPersonalTokens, personalTokensDue, recordTokenUses } from './personal-tokens.repository.ts';
export {
  acceptPersonalToken,
  isPersonalToken,
  mustPermit,
  personalTokenHandlers,
} from './personal-tokens.ts';
export { hasRequiredProvider } from './required-provider.ts';
export { factorStateOf, mustHaveSecondFactor, requiresSecondFactor } from './required-second-factor.ts';
export { assertionsDue, forgetExpiredAssertions } from './service-account.ts';
export {
  activeKeySql,
  createServiceAccountKey,
  giveServiceAccountKey,
  listServiceAccountKeys,
  recordKeyUses,
  type ServiceAccountKeyFile,
  withdrawServiceAccountKey,
} from './service-account-keys.ts';
export {
  deleteSessions,
  deleteSessionsOfProvider,
  markConfirmed,
  recordSessionUses,
  type SessionUse,
} from './sessions.repository.ts';
export {
  acceptSession,
  forgetSessions,
  idleSessionsDue,
  readOpenSession,
  sessionHandlers,
  sessionsDue,
  startSession,
} from './sessions.ts';
export {
  insertSigningKey,
  listSigningKeys,
  MAX_SIGNING_KEYS,
  newSigningKey,
  rotateSigningKey,
  SigningKeys,
  withdrawSigningKey,
} from './signing-keys.ts';
