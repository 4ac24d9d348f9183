/** Families of media types as the interface names them, for filters of attachments. */
import { MimeKind, MimeTypeCategory } from '@portico/contract';
import { AttachmentKind, ODF, SHEET, SLIDES, WORD } from '@portico/platform/files';

const GOOGLE = 'application/vnd.google-apps';

/** Kinds of which a category of attachment filters consists. */
export function kindsOfCategory(category: MimeTypeCategory): AttachmentKind[] {
  return category === MimeTypeCategory.MULTIMEDIA
    ? [AttachmentKind.IMAGE, AttachmentKind.VIDEO, AttachmentKind.AUDIO]
    : [AttachmentKind.DOCUMENT];
}

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
