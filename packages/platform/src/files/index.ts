/** Storage of files, their kinds, and the signed links by which they are read. */
export { openDirectoryStorage } from './directory-driver.ts';
export { contentDisposition, sentAs } from './disposition.ts';
export { chooseIsolation, isolationWarning, keepFrom } from './isolation/choose-isolation.ts';
export { IsolatedProcess } from './isolation/isolated-process.ts';
export type { JobFiles } from './isolation/workplace.ts';
export {
  AttachmentKind,
  EXAMINED_MIME_TYPES,
  EXTRACTABLE_PATTERNS,
  hasPreview,
  mimePatternsOf,
  ODF,
  SHEET,
  SLIDES,
  WORD,
} from './kinds.ts';
export {
  PDF_MIME_TYPE,
  PREVIEW_MIME_TYPE,
  PREVIEWED_MIME_TYPES,
  PreviewBit,
  type PreviewKind,
  previewBits,
  previewShapes,
} from './previews/preview-kinds.ts';
export { Renderer } from './previews/renderer.ts';
export {
  type AttachmentScanner,
  clamAvScanner,
  ScannerError,
  ScannerLimitError,
} from './scanner.ts';
export { sniffMimeType } from './sniff.ts';
export {
  type ByteRange,
  type DirectAccess,
  type FileBytes,
  FileChangedError,
  FileNotStoredError,
  type FileStorage,
  FileTooLargeError,
  type ReceivedFile,
  type SentFile,
  StorageUnavailableError,
} from './storage.ts';
export { ENCRYPTED } from './texts/encrypted.ts';
export { TextReader } from './texts/text-reader.ts';
