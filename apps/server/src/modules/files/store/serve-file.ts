/**
 * Serves a file to the holder of a link (docs/decisions/types.md). Responses are sent so that a
 * browser cannot run users' content as the portal: with an opaque origin (sandbox), without MIME
 * sniffing, and as a download if the MIME type could carry script.
 */
import type { Readable } from 'node:stream';
import { matchesEtag } from '@portico/platform/etags';
import { type FileStorage, hasPreview, type PreviewKind, previewBits, sentAs } from '@portico/platform/files';
import { PorticoError } from '../../../kernel/errors.ts';
import { type FileLinkPurpose, readFileLink } from '../../../kernel/file-links.ts';
import type { TenantScope } from '../../../kernel/scope.ts';
import { allowsRange, readRange } from './file-headers.ts';
import { findServed, type ServedBytes } from './files.repository.ts';

/** Conditional and range headers of a request for a file. */
export interface ByteRequest {
  readonly head: boolean;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** Request for a file. */
interface FileRequest extends ByteRequest {
  readonly token: string;
  /**
   * Takes in an upload that the client sent to the storage directly.
   * @returns whether the content now exists and did not before
   */
  readonly takeIn?: ((contentRef: string) => Promise<boolean>) | undefined;
}

/** Response, ready to be sent. */
interface FileAnswer {
  readonly status: 200 | 206 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for responses without a body. */
  readonly body?: Readable;
}

const POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/**
 * Serves the file of a link.
 * @throws PorticoError INVALID_LINK for a link that was altered, has expired or belongs to another
 * tenant, NOT_FOUND when its target no longer exists or has not arrived, RANGE_NOT_SATISFIABLE for
 * a range outside the file
 */
export async function serveFile(scope: TenantScope, storage: FileStorage, request: FileRequest): Promise<FileAnswer> {
  const link = readFileLink(scope, request.token);
  if (!link) throw new PorticoError('INVALID_LINK');
  const { a, v, c, o, p } = link;
  const wanted = { contentRef: c, purpose: p, postId: o, attachment: a !== 0 ? { id: a, version: v } : undefined };
  let content = await findContent(scope, wanted);
  // An upload sent directly to the storage, which its sender opens before it is attached.
  if (!content && a === 0 && (await request.takeIn?.(c))) content = await findContent(scope, wanted);
  if (!content) throw new PorticoError('NOT_FOUND');
  const remaining = Math.max(0, Math.floor((link.e - scope.clock.now()) / 1000));
  return answerWith(storage, content, request, {
    cacheControl: `private, max-age=${remaining}`,
    download: p === 'download',
  });
}

/**
 * Serves a picture that the client may see, as the caller has checked: the requested preview, or
 * the file if that preview does not exist.
 * @throws PorticoError NOT_FOUND when the picture no longer exists, RANGE_NOT_SATISFIABLE for a
 * range outside the file
 */
export async function servePicture(
  scope: TenantScope,
  storage: FileStorage,
  request: ByteRequest,
  wanted: { contentRef: string; purpose: PreviewKind; cacheControl: string },
): Promise<FileAnswer> {
  const content =
    (await findContent(scope, wanted)) ??
    (await findContent(scope, { contentRef: wanted.contentRef, purpose: 'view' }));
  if (!content) throw new PorticoError('NOT_FOUND');
  return answerWith(storage, content, request, { cacheControl: wanted.cacheControl, download: false });
}

type FoundContent = ServedBytes & { name: string | null; downloadable?: boolean };

async function answerWith(
  storage: FileStorage,
  content: FoundContent,
  request: ByteRequest,
  how: { cacheControl: string; download: boolean },
): Promise<FileAnswer> {
  const sent = sentAs(content, how.download);
  // Downloads of the file were forbidden after the link was issued.
  if (!sent) throw new PorticoError('INVALID_LINK');
  const etag = `"${content.sha256}"`;
  const common = {
    ETag: etag,
    'Cache-Control': how.cacheControl,
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Accept-Ranges': 'bytes',
  };
  if (matchesEtag(request.ifNoneMatch, etag)) return { status: 304, headers: common };
  // Ranges have a meaning for GET only (RFC 9110 §14.2).
  const part = request.head || !allowsRange(request.ifRange, etag) ? undefined : request.range;
  const range = readRange(part, content.size);
  if (range === 'unsatisfiable') {
    throw new PorticoError('RANGE_NOT_SATISFIABLE', { headers: { 'Content-Range': `bytes */${content.size}` } });
  }
  const headers = {
    ...common,
    'Content-Type': sent.contentType,
    'Content-Disposition': sent.disposition,
    'Content-Length': String(range ? range.end - range.start + 1 : content.size),
    ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${content.size}` }),
  };
  return {
    status: range ? 206 : 200,
    headers,
    body: !request.head ? await storage.open(content.storageKey, range) : undefined,
  };
}

/**
 * Finds the requested bytes: the file itself, or a preview. The file itself replaces a preview that
 * is not created yet.
 */
async function findContent(
  scope: TenantScope,
  wanted: {
    contentRef: string;
    purpose: FileLinkPurpose;
    attachment?: { id: number; version: number } | undefined;
    postId?: number | undefined;
  },
): Promise<FoundContent | undefined> {
  const { contentRef, purpose, attachment, postId } = wanted;
  const place = { attachment, postId };
  if (purpose === 'view' || purpose === 'download') return findServed(scope.db, contentRef, place);
  const content = await findServed(scope.db, contentRef, place, previewBits[purpose]);
  if (!content) return undefined;
  if (content.preview) return { ...content.preview, name: null };
  const standsIn = content.previews === null && hasPreview(content.mimeType, purpose.endsWith('animated'));
  return standsIn ? content : undefined;
}
