/** Operator commands and imports, without the process that they run in. */

export { type Erasure, erasePosts, erasureCutoff, previewErasure } from '../jobs/erase-posts.ts';
export {
  describeReport,
  type ImportOptions,
  type ImportPhase,
  type ImportReport,
  runImport,
} from '../modules/imports/index.ts';
export { type MailReport, type MailState, mailStates } from '../modules/mail/index.ts';
export type { BreakGlassAccount, BreakGlassSecrets, PrintedLink } from '../modules/people/index.ts';
export type { TenantSettingValues } from '../modules/tenants/index.ts';
export type {
  AdvisedIndex,
  IndexAdvice,
  RecommendedIndex,
  SlowShape,
} from './advise/index.ts';
export { checkMail, type MailCheck } from './check-mail.ts';
export { checkStorage, type StorageCheck } from './check-storage.ts';
export type { EncryptionReport, LostSecretsReport } from './encryption.ts';
export { type KeyKind, type KeyState, keyKinds } from './keys.ts';
export type { ClusterReport } from './nodes/index.ts';
export { OperatorError } from './operator-error.ts';
export type { TenantSummary } from './session.ts';
export { OperatorSession } from './session.ts';
