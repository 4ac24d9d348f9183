/** Headers by which files are served: ranges (RFC 9110 §14), validators (§13), and the name to save under (RFC 6266). */
import type { ByteRange } from '../../platform/files/index.ts';

/** Longest name that is offered for saving, in characters; its ending is kept. */
const MAX_NAME = 150;
const MAX_ENDING = 20;

/**
 * Reads a Range header.
 * @returns the range, `unsatisfiable` when it lies outside the file, undefined when the whole file is to be sent: no
 *   header, one that is not understood, or several ranges, which RFC 9110 allows to ignore
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

/** Whether an If-None-Match header names this entity tag (weak comparison). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((item) => item.trim().replace(/^W\//, '') === etag);
}

/** Whether a range may be sent under an If-Range header: only for the very same bytes (a date never proves that). */
export function allowsRange(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}

/** Characters that turn the direction of text: they make `exe.png` of `gnp.exe`. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A name that is safe to save under: one component of a path, of bounded length, showing what it is. */
export function savedName(name: string): string {
  const clean = name
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .replaceAll(DIRECTION, '')
    .replaceAll(/[/\\]/g, '_')
    .replace(/^[.\s]+/, '')
    .trim();
  const characters = [...(clean === '' ? 'file' : clean)];
  if (characters.length <= MAX_NAME) return characters.join('');
  const dot = characters.lastIndexOf('.');
  const ending = dot > 0 && characters.length - dot <= MAX_ENDING ? characters.slice(dot) : [];
  return [...characters.slice(0, MAX_NAME - ending.length), ...ending].join('');
}

/** Content-Disposition with the name in UTF-8 (RFC 8187), and in ASCII for what knows only that. */
export function contentDisposition(type: 'inline' | 'attachment', name: string): string {
  const saved = savedName(name);
  const plain = saved.replaceAll(/[^\x20-\x7e]/gu, '_').replaceAll(/["\\%]/g, '_');
  const exact = encodeURIComponent(saved).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return plain === saved ? `${type}; filename="${plain}"` : `${type}; filename="${plain}"; filename*=UTF-8''${exact}`;
}
