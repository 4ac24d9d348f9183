/**
 * Serving a file to whoever holds a link (rulings 6 and 20). Users' content is sent so that a browser cannot run it as
 * the portal: an opaque origin (sandbox), no sniffing, and kinds that could carry script to be saved, not shown.
 */
import type { Readable } from 'node:stream';
import { PorticoError } from '../../platform/errors.ts';
import { matchesEtag } from '../../platform/etags.ts';
import {
  contentTypeOf,
  dispositionOf,
  type FileLinkPayload,
  type FileStorage,
  hasPreview,
  previewBits,
  readFileLink,
} from '../../platform/files/index.ts';
import type { TenantScope } from '../../platform/scope.ts';
import { allowsRange, readRange } from './file-headers.ts';
import { findServed, type ServedBytes } from './files.repository.ts';

/** What a client asks for. */
export interface FileRequest {
  readonly token: string;
  readonly head: boolean;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Takes in what was sent past the server. @returns whether there is something now that was not there before */
  readonly takeIn?: ((contentRef: string) => Promise<boolean>) | undefined;
}

/** An answer, ready to be sent. */
export interface FileAnswer {
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
  let content = await findLinked(scope, link);
  // What was just sent to the storage itself, and its sender looks at before it is attached.
  if (!content && link.a === 0 && (await request.takeIn?.(link.c))) content = await findLinked(scope, link);
  if (!content) throw new PorticoError('NOT_FOUND');
  const remaining = Math.max(0, Math.floor((link.e - scope.clock.now()) / 1000));
  const etag = `"${content.sha256}"`;
  const common = {
    ETag: etag,
    'Cache-Control': `private, max-age=${remaining}`,
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Accept-Ranges': 'bytes',
  };
  if (matchesEtag(request.ifNoneMatch, etag)) return { status: 304, headers: common };
  // Ranges have a meaning for GET only (RFC 9110 §14.2).
  const wanted = request.head || !allowsRange(request.ifRange, etag) ? undefined : request.range;
  const range = readRange(wanted, content.size);
  if (range === 'unsatisfiable') {
    throw new PorticoError('RANGE_NOT_SATISFIABLE', { headers: { 'Content-Range': `bytes */${content.size}` } });
  }
  const headers = {
    ...common,
    'Content-Type': contentTypeOf(content.mimeType),
    'Content-Disposition': dispositionOf(content, link.p === 'download'),
    'Content-Length': String(range ? range.end - range.start + 1 : content.size),
    ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${content.size}` }),
  };
  return {
    status: range ? 206 : 200,
    headers,
    ...(!request.head && { body: await storage.open(content.storageKey, range) }),
  };
}

/** The bytes that a link leads to: the file itself, or a preview, in whose place the file stands until it is made. */
async function findLinked(
  scope: TenantScope,
  link: FileLinkPayload,
): Promise<(ServedBytes & { name: string | null }) | undefined> {
  const attachment = link.a === 0 ? undefined : { id: link.a, version: link.v };
  if (link.p === 'view' || link.p === 'download') return findServed(scope.db, link.c, attachment);
  const content = await findServed(scope.db, link.c, attachment, previewBits[link.p]);
  if (!content) return undefined;
  if (content.preview) return { ...content.preview, name: null };
  const standsIn = content.previews === null && hasPreview(content.mimeType, link.p.endsWith('animated'));
  return standsIn ? content : undefined;
}
