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

export { checkMail, type MailCheck } from './check-mail.ts';
export { checkStorage, type StorageCheck } from './check-storage.ts';
export { type CopyReport, copyDatabase } from './copy/copy-database.ts';

export { OperatorError } from './operator-error.ts';

export { OperatorSession } from './session.ts';
