/** Files: uploads, links, previews, and the removal of unused files. */

export { UploadChecksums } from './checksums.ts';
export {
  claimPicture,
  claimUploads,
  isClaimablePicture,
  lockUsableUploads,
  releaseUpload,
  type UsableUpload,
} from './claim-uploads.ts';
export { readFileFigures } from './file-figures.ts';
export { previewsDue, textsDue } from './files.repository.ts';
export { fileHandlers } from './files.routes.ts';
export { withStoredFile } from './local-copy.ts';
export { makePreviews } from './make-previews.ts';
export type { PendingLimits } from './pending-uploads.ts';
export { type PolicyWaitLimits, PolicyWaits } from './policy-waits.ts';
export type { ClaimedUpload } from './quota.ts';
export { readTexts } from './read-texts.ts';
export { receiveUpload } from './receive-upload.ts';
export {
  removeReleasedFiles,
  removeUnattachedFiles,
  removeUnusedFiles,
  unattachedDue,
} from './remove-unattached.ts';
export { type ByteRequest, serveFile, servePicture } from './serve-file.ts';
export { storeFile } from './store-file.ts';
export { type TakeInOptions, takeInLinked, takeInUploads, tryUploads } from './take-in.ts';
export { UploadForm } from './upload-form.ts';
export { UPLOAD_PATH } from './upload-policy.ts';
