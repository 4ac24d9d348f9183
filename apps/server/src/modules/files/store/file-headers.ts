/** Headers by which files are served: ranges (RFC 9110 §14), validators (§13), and the name to save under (RFC 6266). */
import type { ByteRange } from '@portico/platform/files';

/**
 * Reads a Range header.
 * @returns the range, `unsatisfiable` when it lies outside the file, undefined when the whole file
 * is to be sent: without a header, for an unknown unit or syntax, and for several ranges, which RFC
 * 9110 allows a server to ignore
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '');
  if (!match) return undefined;
  const [, first, last] = match as unknown as [string, string, string];
  if (first === '') {
    if (last === '') return undefined;
    const length = Number(last);
    return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/**
 * Returns whether a range may be sent under an If-Range header: only for identical bytes, which a
 * date never proves.
 */
export function allowsRange(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}
