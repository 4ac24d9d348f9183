/**
 * Serving a file to the holder of a link (docs/decisions/types.md). Users' content is sent so that a browser cannot
 * run it as
 * the portal: an opaque origin (sandbox), no sniffing, and kinds that could carry script to be saved, not shown.
 */
import type { Readable } from 'node:stream';
import { PorticoError } from '../../kernel/errors.ts';
import { type FileLinkPurpose, readFileLink } from '../../kernel/file-links.ts';
import type { TenantScope } from '../../kernel/scope.ts';
import { matchesEtag } from '../../platform/etags.ts';
import { type FileStorage, hasPreview, type PreviewKind, previewBits, sentAs } from '../../platform/files/index.ts';
import { allowsRange, readRange } from './file-headers.ts';
import { findServed, type ServedBytes } from './files.repository.ts';

/** Which bytes of a file a client asks for, and which it has. */
export interface ByteRequest {
  readonly head: boolean;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** What a client asks for. */
interface FileRequest extends ByteRequest {
  readonly token: string;
  /** Takes in what was sent past the server. @returns whether there is something now that was not there before */
  readonly takeIn?: ((contentRef: string) => Promise<boolean>) | undefined;
}

/** An answer, ready to be sent. */
interface FileAnswer {
  readonly status: 200 | 206 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for answers without a body. */
  readonly body?: Readable;
}

const POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

/**
 * Answers a link.
 * @throws PorticoError INVALID_LINK for a link that was altered, has expired or is of another tenant, NOT_FOUND when what
 *   it leads to is gone or has not come yet, RANGE_NOT_SATISFIABLE for a range outside the file
 */
export async function serveFile(scope: TenantScope, storage: FileStorage, request: FileRequest): Promise<FileAnswer> {
  const link = readFileLink(scope, request.token);
  if (!link) throw new PorticoError('INVALID_LINK');
  const { a, v, c, o, p } = link;
  const wanted = { contentRef: c, purpose: p, postId: o, ...(a !== 0 && { attachment: { id: a, version: v } }) };
  let content = await findContent(scope, wanted);
  // What was just sent to the storage itself, and its sender opens before it is attached.
  if (!content && a === 0 && (await request.takeIn?.(c))) content = await findContent(scope, wanted);
  if (!content) throw new PorticoError('NOT_FOUND');
  const remaining = Math.max(0, Math.floor((link.e - scope.clock.now()) / 1000));
  return answerWith(storage, content, request, {
    cacheControl: `private, max-age=${remaining}`,
    download: p === 'download',
  });
}

/**
 * Answers with a picture that the caller has found the client may see: the preview that is asked for, or the file where
 * there is none of that kind.
 * @throws PorticoError NOT_FOUND when it is gone, RANGE_NOT_SATISFIABLE for a range outside the file
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
  // Whoever may change the file has forbidden its download since the link was given out.
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
    ...(!request.head && { body: await storage.open(content.storageKey, range) }),
  };
}

/** The bytes that are asked for: the file itself, or a preview, for which the file itself is sent until the preview is made. */
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
