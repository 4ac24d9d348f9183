/** Attachments: files that hang on posts, comments and tasks. */
export { type AppliedFiles, applyFiles, attachFiles, fileKind, recount } from './attach.ts';
export {
  type FileChanges,
  type FileLimits,
  type FilePaths,
  type FilePlan,
  type FileTarget,
  MAX_FILE_NAME_LENGTH,
  planFiles,
} from './plan-files.ts';
