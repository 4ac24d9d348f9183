/**
 * Detects the kind of a file from its bytes alone, never from a name or from a client's claim. Used
 * to describe files, to count them by kind, and to decide whether a browser may show them.
 */
import { isCompoundFile, type SniffedFile, sniffCompoundFile } from './sniff-compound.ts';
import { isMail } from './sniff-mail.ts';
import { sniffMedia } from './sniff-media.ts';
import { sniffText } from './sniff-text.ts';
import { sniffZip } from './sniff-zip.ts';

/** Media type of an unknown kind. */
const UNKNOWN_MIME_TYPE = 'application/octet-stream';

/** How much of the beginning, and for archives of the end, is looked at. */
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 64 * 1024;

/** Signatures at fixed places, the longer ones of a common beginning first. */
const SIGNATURES: readonly [offset: number, bytes: string, mimeType: string][] = [
  [0, '\x89PNG\r\n\x1a\n', 'image/png'],
  [0, '\xff\xd8\xff', 'image/jpeg'],
  [0, 'GIF87a', 'image/gif'],
  [0, 'GIF89a', 'image/gif'],
  [0, 'II*\0', 'image/tiff'],
  [0, 'MM\0*', 'image/tiff'],
  [0, '\0\0\x01\0', 'image/x-icon'],
  [0, '\xff\x0a', 'image/jxl'],
  [0, '\0\0\0\x0cJXL \r\n\x87\n', 'image/jxl'],
  [0, '\0\0\0\x0cjP  \r\n\x87\n', 'image/jp2'],
  [0, '8BPS', 'image/vnd.adobe.photoshop'],
  [0, 'AC10', 'image/vnd.dwg'],
  [0, '%!PS', 'application/postscript'],
  [0, '\xc5\xd0\xd3\xc6', 'application/postscript'],
  [0, '{\\rtf', 'application/rtf'],
  [0, '\x1f\x8b\x08', 'application/gzip'],
  [0, 'BZh', 'application/x-bzip2'],
  [0, '\xfd7zXZ\0', 'application/x-xz'],
  [0, "7z\xbc\xaf'\x1c", 'application/x-7z-compressed'],
  [0, 'Rar!\x1a\x07', 'application/vnd.rar'],
  [0, '\x28\xb5\x2f\xfd', 'application/zstd'],
  [257, 'ustar', 'application/x-tar'],
  [0, 'MZ', 'application/vnd.microsoft.portable-executable'],
  [0, '\x7fELF', 'application/x-elf'],
  [0, '\0asm', 'application/wasm'],
  [0, 'SQLite format 3\0', 'application/vnd.sqlite3'],
  [0, 'wOFF', 'font/woff'],
  [0, 'wOF2', 'font/woff2'],
  [0, 'OTTO', 'font/otf'],
  [0, '\0\x01\0\0\0', 'font/ttf'],
];

/**
 * The media type of a file; {@link UNKNOWN_MIME_TYPE} for an unknown kind, and for an empty file.
 */
export async function sniffMimeType(file: SniffedFile): Promise<string> {
  const head = await file.read(0, HEAD_BYTES);
  if (head.length === 0) return UNKNOWN_MIME_TYPE;
  const media = sniffMedia(head);
  if (media) return media;
  if (startsWith(head, 0, 'PK\x03\x04') || startsWith(head, 0, 'PK\x05\x06')) {
    const tail = file.size <= HEAD_BYTES ? head : await file.read(Math.max(0, file.size - TAIL_BYTES), TAIL_BYTES);
    return sniffZip(head, tail);
  }
  if (isCompoundFile(head)) return sniffCompoundFile(file, head);
  for (const [offset, bytes, mimeType] of SIGNATURES) {
    if (startsWith(head, offset, bytes) && isPlausible(mimeType, head)) return mimeType;
  }
  // Readers accept a PDF whose header is within the first kilobyte.
  if (head.subarray(0, 1024).includes('%PDF-', 0, 'latin1')) return 'application/pdf';
  if (isMail(head)) return 'message/rfc822';
  return sniffText(head, file.size === head.length) ?? UNKNOWN_MIME_TYPE;
}

/** Short signatures are ordinary beginnings of text too. */
function isPlausible(mimeType: string, head: Buffer): boolean {
  switch (mimeType) {
    case 'application/vnd.microsoft.portable-executable':
      return head.length >= 64 && sniffText(head, false) === undefined;
    case 'application/x-bzip2':
      return head.length > 4 && head[3]! >= 0x31 && head[3]! <= 0x39 && sniffText(head, false) === undefined;
    case 'image/vnd.dwg':
      return sniffText(head, false) === undefined;
    default:
      return true;
  }
}

/** @param bytes each character is one byte */
function startsWith(data: Buffer, offset: number, bytes: string): boolean {
  return data.length >= offset + bytes.length && data.toString('latin1', offset, offset + bytes.length) === bytes;
}
