/** The four preview pictures of a file, and of which files they are made. */

/** The preview that a link shows: small or large, still or moving. */
export type PreviewKind = 'preview' | 'preview-animated' | 'preview-hires' | 'preview-hires-animated';

/** Preview pictures as they are counted in `file_contents.previews`: a sum of these. */
export const PreviewBit = { STILL: 1, MOVING: 2, LARGE_STILL: 4, LARGE_MOVING: 8 } as const;
export type PreviewBit = (typeof PreviewBit)[keyof typeof PreviewBit];

/** The picture that each kind of link shows. */
export const previewBits: Readonly<Record<PreviewKind, PreviewBit>> = {
  preview: PreviewBit.STILL,
  'preview-animated': PreviewBit.MOVING,
  'preview-hires': PreviewBit.LARGE_STILL,
  'preview-hires-animated': PreviewBit.LARGE_MOVING,
};

/** How large a picture is made, and whether it moves. */
export interface PreviewShape {
  readonly bit: PreviewBit;
  /** Largest width and height. Pixels. */
  readonly pixels: number;
  readonly moving: boolean;
}

export const previewShapes: readonly PreviewShape[] = [
  { bit: PreviewBit.STILL, pixels: 400, moving: false },
  { bit: PreviewBit.LARGE_STILL, pixels: 1_600, moving: false },
  { bit: PreviewBit.MOVING, pixels: 400, moving: true },
  { bit: PreviewBit.LARGE_MOVING, pixels: 1_000, moving: true },
];

/** Media type of all preview pictures. */
export const PREVIEW_MIME_TYPE = 'image/webp';

export const PDF_MIME_TYPE = 'application/pdf';

/**
 * Media types that previews can be made from. Videos have no previews: no well-kept package of npm
 * alone decodes them.
 */
export const PREVIEWED_MIME_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
  'image/svg+xml',
  PDF_MIME_TYPE,
];
