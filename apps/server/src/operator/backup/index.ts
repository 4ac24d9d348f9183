/** Backups of a whole installation. */
export { type BackupSource, type CreatedBackup, createBackup } from './create.ts';
export { putRows } from './database-parts.ts';
export { openFolder } from './folder-place.ts';
export { type ListedBackup, listBackups, pruneBackups, type Retention } from './inventory.ts';
export { filesFolder, listBases, listLogFiles, logFolder, pruneLog } from './log-place.ts';
export {
  type BackupFile,
  type BackupKind,
  type BackupManifest,
  type BackupSequence,
  type BackupTable,
  readChecksummed,
  writeManifest,
} from './manifest.ts';
export {
  BackupDamage,
  type BackupPlace,
  MANIFEST,
  putSealed,
  putText,
  type ReadablePlace,
  readChecked,
  readParts,
  readText,
} from './place.ts';
export { restoreBackup } from './restore.ts';
export { type RestoredMoment, restoreMoment } from './restore-moment.ts';
export { plainValuesSql } from './snapshot.ts';
export { inParallel, listKeys, putFiles, readFileList } from './stored-files.ts';
export { type VerifiedBackup, verifyBackup } from './verify.ts';
export { openArchive } from './zip-place.ts';
export const loadEncryption = () => import('./encryption.ts');
export const loadBucket = () => import('./bucket-place.ts');
