/** Files: uploads, links, previews, and what removes files that nobody uses. */

export { type FileFigures, type FileWork, readFileFigures } from './file-figures.ts';
export { byteRequestOf, type FileRoutesOptions, registerFileRoutes } from './files.http.ts';
export { fileHandlers } from './files.routes.ts';
export { makePreviews } from './make-previews.ts';
export { type ClaimedUpload, requireRoom } from './quota.ts';
export { readTexts } from './read-texts.ts';
export {
  type RemovedFiles,
  removeReleasedFiles,
  removeUnattachedFiles,
  removeUnusedFiles,
  UNATTACHED_MS,
} from './remove-unattached.ts';
export { servePicture } from './serve-file.ts';
export { type StoredFile, storeFile } from './store-file.ts';
export { type TakeInOptions, takeInUploads, tryUploads } from './take-in.ts';
export { POLICY_LIFETIME_MS, UPLOAD_PATH } from './upload-policy.ts';
