/** Families of media types: for counts, filters, previews, and what may be shown in a browser. */
import { MimeKind, MimeTypeCategory } from '@portico/contract';

/** Kinds by which attachments are counted (attachments.kind). */
export const AttachmentKind = { IMAGE: 1, VIDEO: 2, AUDIO: 3, DOCUMENT: 4 } as const;
export type AttachmentKind = (typeof AttachmentKind)[keyof typeof AttachmentKind];

/** The kind by which a file is counted: pictures, video, sound, and documents for everything else. */
export function attachmentKindOf(mimeType: string): AttachmentKind {
  if (mimeType.startsWith('image/')) return AttachmentKind.IMAGE;
  if (mimeType.startsWith('video/')) return AttachmentKind.VIDEO;
  if (mimeType.startsWith('audio/')) return AttachmentKind.AUDIO;
  return AttachmentKind.DOCUMENT;
}

/** Kinds of which a category of attachment filters consists. */
export function kindsOfCategory(category: MimeTypeCategory): AttachmentKind[] {
  return category === MimeTypeCategory.MULTIMEDIA
    ? [AttachmentKind.IMAGE, AttachmentKind.VIDEO, AttachmentKind.AUDIO]
    : [AttachmentKind.DOCUMENT];
}

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const SLIDES = 'application/vnd.openxmlformats-officedocument.presentationml';
const ODF = 'application/vnd.oasis.opendocument';
const GOOGLE = 'application/vnd.google-apps';

/** Patterns of SQL LIKE by family (codes of MimeKind); a media type may belong to two families. */
const PATTERNS: Readonly<Record<MimeKind, readonly string[]>> = {
  [MimeKind.AUDIO]: ['audio/%', `${GOOGLE}.audio`],
  [MimeKind.IMAGE]: ['image/%', `${GOOGLE}.photo`],
  [MimeKind.VIDEO]: ['video/%', `${GOOGLE}.video`],
  [MimeKind.PDF]: ['application/pdf'],
  [MimeKind.TEXT]: ['text/%', 'application/json', 'application/xhtml+xml'],
  [MimeKind.DOCUMENT]: [
    'application/msword',
    `${WORD}.%`,
    `${ODF}.text%`,
    'application/rtf',
    'application/epub+zip',
    `${GOOGLE}.document`,
  ],
  [MimeKind.SPREADSHEET]: [
    'application/vnd.ms-excel%',
    `${SHEET}.%`,
    `${ODF}.spreadsheet%`,
    'text/csv',
    `${GOOGLE}.spreadsheet`,
  ],
  [MimeKind.PRESENTATION]: [
    'application/vnd.ms-powerpoint%',
    `${SLIDES}.%`,
    `${ODF}.presentation%`,
    `${GOOGLE}.presentation`,
  ],
  [MimeKind.DRAWING]: [
    'application/vnd.visio',
    'application/vnd.ms-visio.%',
    'image/vnd.dwg',
    `${ODF}.graphics%`,
    `${GOOGLE}.drawing`,
  ],
  [MimeKind.ARCHIVE]: [
    'application/zip',
    'application/gzip',
    'application/x-tar',
    'application/x-bzip2',
    'application/x-xz',
    'application/x-7z-compressed',
    'application/vnd.rar',
    'application/zstd',
    'application/java-archive',
  ],
};

/**
 * LIKE patterns of the media types of some families, for `column LIKE ANY ($n::text[])`.
 * @param kinds codes of MimeKind; unknown ones match nothing
 */
export function mimePatternsOfKinds(kinds: readonly number[]): string[] {
  return kinds.flatMap((kind) => PATTERNS[kind as MimeKind] ?? []);
}

/** LIKE patterns of media types as clients name them: exact ones, and families such as `image/*`. */
export function mimePatternsOf(mimeTypes: readonly string[]): string[] {
  return mimeTypes.map((mimeType) => {
    const exact = mimeType.trim().toLowerCase();
    const escaped = exact.replaceAll(/[\\%_]/g, '\\$&');
    return exact.endsWith('/*') ? `${escaped.slice(0, -1)}%` : escaped;
  });
}

/** The media types whose text can be extracted (ruling 22: aiSupportedFilter); they hold no signs of SQL LIKE. */
export const EXTRACTABLE_PATTERNS: readonly string[] = [
  'application/pdf',
  `${WORD}.document`,
  `${SHEET}.sheet`,
  `${ODF}.text`,
  'text/plain',
  'application/json',
];

/** Media types that can be shown as their own preview until one is made. */
const OWN_PREVIEW = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']);
/** Those of them that can move. */
const ANIMATED = new Set(['image/gif', 'image/webp']);

/** Whether a file of this media type can stand in for a preview that is not made yet. @param animated moving ones */
export function hasPreview(mimeType: string, animated: boolean): boolean {
  return (animated ? ANIMATED : OWN_PREVIEW).has(mimeType);
}

/**
 * Media types that a browser shows without running anything of them. All others are served to be saved: what can carry
 * script (HTML, SVG, XML) and whatever nobody thought of.
 */
const SHOWN =
  /^(?:image\/(?:jpeg|png|gif|webp|avif|bmp|tiff|x-icon|heic|heif|jxl|jp2)|(?:video|audio)\/[\w.+-]+|application\/pdf|text\/plain|application\/json)$/;

/** Media types that are text to be read, whatever a browser would make of them: HTML, SVG and XML among them. */
const READ_AS_TEXT = /^(?:text\/[\w.+-]+|image\/svg\+xml|application\/(?:xml|javascript|ecmascript|[\w.-]+\+xml))$/;

/** Whether a file of this media type can be shown as plain text, for its reader and not for a browser to run. */
export function isReadAsText(mimeType: string): boolean {
  return READ_AS_TEXT.test(mimeType);
}

/** Whether a browser may show a file of this media type in place. */
export function isShownInPlace(mimeType: string): boolean {
  return SHOWN.test(mimeType);
}
