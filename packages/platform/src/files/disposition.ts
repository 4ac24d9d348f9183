/**
 * Headers of a response that carries a file: its type, and the name to save it under (RFC 6266, RFC
 * 8187).
 */
import { isReadAsText, isShownInPlace } from './kinds.ts';

/** Longest name that is offered for saving, in characters; its ending is kept. */
const MAX_NAME = 150;
const MAX_ENDING = 20;

/** Characters that turn the direction of text: they make `exe.png` of `gnp.exe`. They are made visible. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns a name that is safe to save under: one component of a path, of bounded length, with its
 * characters visible.
 */
export function savedName(name: string): string {
  const clean = name
    .toWellFormed()
    .replaceAll(DIRECTION, '\ufffd')
    .replaceAll(/\p{Cc}/gu, '')
    .replaceAll(/[/\\]/g, '_')
    .replace(/^[.\s]+/, '')
    .trim();
  const characters = [...(clean === '' ? 'file' : clean)];
  if (characters.length <= MAX_NAME) return characters.join('');
  const dot = characters.lastIndexOf('.');
  const ending = dot > 0 && characters.length - dot <= MAX_ENDING ? characters.slice(dot) : [];
  return [...characters.slice(0, MAX_NAME - ending.length), ...ending].join('');
}

/** Content-Disposition with the name in UTF-8 (RFC 8187), and in ASCII for older clients. */
export function contentDisposition(type: 'inline' | 'attachment', name: string): string {
  const saved = savedName(name);
  const plain = saved.replaceAll(/[^\x20-\x7e]/gu, '_').replaceAll(/["\\%]/g, '_');
  const exact = encodeURIComponent(saved).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return plain === saved ? `${type}; filename="${plain}"` : `${type}; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/**
 * Content-Disposition of a stored file: a file that could carry script is saved, never shown.
 * @param name null when it has none
 */
export function dispositionOf(file: { mimeType: string; name: string | null }, download: boolean): string {
  const type = download || !isShownInPlace(file.mimeType) ? 'attachment' : 'inline';
  return file.name === null ? type : contentDisposition(type, file.name);
}

/** Content-Type of a stored file. Text is taken for UTF-8, which nearly all of it is. */
function contentTypeOf(mimeType: string): string {
  return mimeType === 'text/plain' ? 'text/plain; charset=utf-8' : mimeType;
}

/** How a file is sent: to be saved, to be shown, or refused. */
interface SentAs {
  readonly contentType: string;
  readonly disposition: string;
}

/**
 * How a link serves a file.
 * @param file `downloadable` false: the file is shown and not given away, so only where a viewer shows its media type
 * @param download the link is for saving the file, not for showing it
 * @returns undefined where the file is not served so at all
 */
export function sentAs(
  file: { mimeType: string; name: string | null; downloadable?: boolean | undefined },
  download: boolean,
): SentAs | undefined {
  const { mimeType, name } = file;
  if (file.downloadable !== false) {
    return { contentType: contentTypeOf(mimeType), disposition: dispositionOf(file, download) };
  }
  if (download) return undefined;
  const disposition = name === null ? 'inline' : contentDisposition('inline', name);
  if (isShownInPlace(mimeType)) return { contentType: contentTypeOf(mimeType), disposition };
  return isReadAsText(mimeType) ? { contentType: contentTypeOf('text/plain'), disposition } : undefined;
}
