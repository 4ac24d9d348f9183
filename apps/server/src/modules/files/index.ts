/** Stored files: uploads, previews, downloads, and the attachments that use them. */
export { type AppliedFiles, applyFiles, attachFiles, moveAttachments, restoreFiles } from './attachments/attach.ts';
export {
  ALL_LINKS,
  type AttachmentLinkFlags,
  type AttachmentRow,
  attachmentColumnsSql,
  attachmentHashtagsSql,
  CONTENT_LINKS,
  presentAttachment,
  presentCover,
  type TaggedAttachmentRow,
} from './attachments/attachment.presenter.ts';
export { documentsDue, findOutdatedSearch, markSearched } from './attachments/outdated-search.ts';
export { changesNothing, type FilePlan, planFiles } from './attachments/plan-files.ts';
export { fileHandlers } from './store/attachments.routes.ts';
export { UploadChecksums } from './store/checksums.ts';
export {
  claimPicture,
  claimUploads,
  isClaimablePicture,
  lockUsableUploads,
  releaseUpload,
  usableSize,
} from './store/claim-uploads.ts';
export { readFileFigures } from './store/file-figures.ts';
export { previewsDue, storedPlace, textsDue } from './store/files.repository.ts';
export { withStoredFile } from './store/local-copy.ts';
export { makePreviews } from './store/make-previews.ts';
export { moveFilesSql } from './store/move-files.ts';
export type { PendingLimits } from './store/pending-uploads.ts';
export { type PolicyWaitLimits, PolicyWaits } from './store/policy-waits.ts';
export type { ClaimedUpload } from './store/quota.ts';
export { readTexts } from './store/read-texts.ts';
export { receiveUpload } from './store/receive-upload.ts';
export {
  removeReleasedFiles,
  removeUnattachedFiles,
  removeUnusedFiles,
  unattachedDue,
} from './store/remove-unattached.ts';
export { type ByteRequest, serveFile, servePicture } from './store/serve-file.ts';
export { storeFile } from './store/store-file.ts';
export { type TakeInOptions, takeInLinked, takeInUploads, tryUploads } from './store/take-in.ts';
export { UploadForm } from './store/upload-form.ts';
export { UPLOAD_PATH } from './store/upload-policy.ts';
