/** Operator commands and imports, without the process that they run in. */

export type { Erasure } from '../jobs/erase-posts.ts';
export type { ImportOptions, ImportPhase, ImportReport } from '../modules/imports/index.ts';
export type { BreakGlassAccount, BreakGlassSecrets, PrintedLink } from '../modules/people/index.ts';
export { type MailReport, type MailState, mailStates } from '../modules/people/index.ts';
export type { TenantSettingValues } from '../modules/tenants/index.ts';

export { checkMail, type MailCheck } from './check-mail.ts';
export { checkStorage, type StorageCheck } from './check-storage.ts';
export { type CopyReport, copyDatabase } from './copy/index.ts';

export { OperatorError } from './operator-error.ts';

export { OperatorSession } from './session.ts';
export type { ImportKind, QuietedCopy } from './tenant-archive/index.ts';

// Both bring the modules of posts, which the other commands do without.
export const loadErasure = () => import('../jobs/erase-posts.ts');
export const loadImports = () => import('../modules/imports/index.ts');
