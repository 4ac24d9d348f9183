/**
 * Families of media types: for counts, filters, previews, and the types that a browser may show.
 */
/** Kinds by which attachments are counted (attachments.kind). */
export const AttachmentKind = { IMAGE: 1, VIDEO: 2, AUDIO: 3, DOCUMENT: 4 } as const;
export type AttachmentKind = (typeof AttachmentKind)[keyof typeof AttachmentKind];

/** Stems of media types of office documents. */
export const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
export const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
export const SLIDES = 'application/vnd.openxmlformats-officedocument.presentationml';
export const ODF = 'application/vnd.oasis.opendocument';

/** LIKE patterns of media types as clients name them: exact ones, and families such as `image/*`. */
export function mimePatternsOf(mimeTypes: readonly string[]): string[] {
  return mimeTypes.map((mimeType) => {
    const exact = mimeType.trim().toLowerCase();
    const escaped = exact.replaceAll(/[\\%_]/g, '\\$&');
    return exact.endsWith('/*') ? `${escaped.slice(0, -1)}%` : escaped;
  });
}

/**
 * The media types whose text can be extracted (aiSupportedFilter; docs/decisions/lists.md); they hold no signs of SQL
 * LIKE.
 */
export const EXTRACTABLE_PATTERNS: readonly string[] = [
  'application/pdf',
  `${WORD}.document`,
  `${SHEET}.sheet`,
  `${ODF}.text`,
  'message/rfc822',
  'text/plain',
  'application/json',
];

/** The media types of which no text is read, but whether they are encrypted is found out. */
export const EXAMINED_MIME_TYPES: readonly string[] = [
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.visio',
  // Documents of newer office programs with a password are such files.
  'application/x-ole-storage',
  `${ODF}.text-template`,
  `${ODF}.spreadsheet`,
  `${ODF}.presentation`,
  `${ODF}.graphics`,
];

/** Media types that can be shown as their own preview until one is made. */
const OWN_PREVIEW = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']);
/** Pictures that can be animated. */
const ANIMATED = new Set(['image/gif', 'image/webp']);

/** Whether a file of this media type can be sent in place of a preview that is not made yet. @param animated moving ones */
export function hasPreview(mimeType: string, animated: boolean): boolean {
  return (animated ? ANIMATED : OWN_PREVIEW).has(mimeType);
}

/**
 * Media types that a browser shows without running anything of them. All others are served to be
 * saved: types that can carry script (HTML, SVG, XML) and the rest.
 */
const SHOWN =
  /^(?:image\/(?:jpeg|png|gif|webp|avif|bmp|tiff|x-icon|heic|heif|jxl|jp2)|(?:video|audio)\/[\w.+-]+|application\/pdf|text\/plain|application\/json)$/;

/** Media types that are text to be read, regardless of how a browser would handle them: HTML, SVG and XML among them. */
const READ_AS_TEXT =
  /^(?:text\/[\w.+-]+|message\/rfc822|image\/svg\+xml|application\/(?:xml|javascript|ecmascript|[\w.-]+\+xml))$/;

/** Whether a file of this media type can be shown as plain text, for its reader and not for a browser to run. */
export function isReadAsText(mimeType: string): boolean {
  return READ_AS_TEXT.test(mimeType);
}

/** Whether a browser may show a file of this media type in place. */
export function isShownInPlace(mimeType: string): boolean {
  return SHOWN.test(mimeType);
}
