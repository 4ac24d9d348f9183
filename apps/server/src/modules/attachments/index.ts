/** Attachments: files of posts, comments and tasks. */
export { type AppliedFiles, applyFiles, attachFiles, moveAttachments, restoreFiles } from './attach.ts';
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
} from './attachment.presenter.ts';
export { documentsDue, findOutdatedSearch, markSearched } from './outdated-search.ts';
export {
  type FilePlan,
  planFiles,
} from './plan-files.ts';
