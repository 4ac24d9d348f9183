/** Attachments: files that hang on posts, comments and tasks. */
export { type AppliedFiles, applyFiles, attachFiles, fileKind } from './attach.ts';
export {
  ALL_LINKS,
  type AttachmentLinkFlags,
  type AttachmentReferences,
  type AttachmentRow,
  attachmentColumnsSql,
  CONTENT_LINKS,
  type CoverRow,
  presentAttachment,
  presentCover,
  presentLinks,
} from './attachment.presenter.ts';
export { findOutdatedSearch, markSearched, type OutdatedSearch } from './outdated-search.ts';
export {
  type FileChanges,
  type FileLimits,
  type FilePaths,
  type FilePlan,
  type FileTarget,
  MAX_FILE_NAME_LENGTH,
  planFiles,
} from './plan-files.ts';
