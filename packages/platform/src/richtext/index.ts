/** Rich text: Quill deltas in and out, their plain text, and the mentions and hashtags in them. */
export { parseDelta, serialiseDelta } from './delta.ts';
export { RichTextError } from './errors.ts';
export { extractHashtags, extractMentions, MAX_HASHTAGS } from './extract.ts';
export { safeLink, safeMedia } from './links.ts';
export { markdownToDelta } from './markdown.ts';
export { deltaToPlainText, plainTextToDelta } from './plain.ts';
export { describeDelta, type RichText, readRichText } from './read.ts';
export type { DeltaOp } from './types.ts';
