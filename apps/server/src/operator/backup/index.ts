/** Backups of a whole installation. */
export { type BackupSource, type CreatedBackup, createBackup } from './create.ts';
export { openFolder } from './folder-place.ts';
export { type ListedBackup, listBackups, pruneBackups, type Retention } from './inventory.ts';
export type { BackupKind, BackupManifest } from './manifest.ts';
export type { BackupPlace } from './place.ts';
export { restoreBackup } from './restore.ts';
export { type VerifiedBackup, verifyBackup } from './verify.ts';
export { openArchive } from './zip-place.ts';
export const loadBucket = () => import('./bucket-place.ts');
