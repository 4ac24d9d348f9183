/**
 * Signed links to stored files. A link names tenant, file, version and purpose and expires; who holds it may read that
 * one file and nothing else (docs/decisions/types.md). The route `GET /portal/files/<token>` verifies and serves.
 */

import { hasPreview, type PreviewKind, previewBits, sentAs } from '@portico/platform/files';
import type { TenantScope } from './scope.ts';

/** Default lifetime of a link, in milliseconds. */
const FILE_LINK_LIFETIME_MS = 15 * 60_000;
/** The `kind` under which link tokens are signed. */
const FILE_LINK_KIND = 'file';
/** Path below which links are served, without trailing slash. */
export const FILE_LINK_PATH = '/portal/files';

/** Maximum length of a link token. */
const MAX_BODY = 1_024;

/** Purpose of a link: show in a page, download, or one of the four preview pictures. */
export type FileLinkPurpose = 'view' | 'download' | PreviewKind;

/** A file that a link can be made for: a version of an attachment, or a bare content (covers, logos, photos). */
export interface LinkedFile {
  /** Id of the attachment; absent for a bare content. */
  readonly attachmentId?: number;
  /** Version of the attachment; absent for a bare content. */
  readonly versionNumber?: number;
  /** Reference of the stored bytes; null when the bytes are elsewhere (Google Drive). */
  readonly contentRef: string | null;
  /** Media type; decides whether there are previews, and whether a file that may not be downloaded can be shown. */
  readonly mimeType: string | null;
  /** False: there is no link that downloads it, and one that shows it only where a viewer does. Left out: true. */
  readonly downloadable?: boolean | undefined;
  /** The post that a bare content belongs to: its links end with the post. Attachments have theirs. */
  readonly postId?: number | undefined;
  /**
   * Previews that exist (file_contents.previews); omitted or null: not known, the media type
   * decides.
   */
  readonly previews?: number | null | undefined;
  /**
   * Place of the bytes in the storage, and the name to save them under: links straight into a
   * storage are made of them.
   */
  readonly storageKey?: string | null | undefined;
  readonly name?: string | undefined;
}

/** Payload of a link's token. The names are short because every link contains them. */
interface FileLinkPayload {
  /** Tenant. */
  readonly t: number;
  /** Attachment, 0 for a bare content. */
  readonly a: number;
  /** Version of the attachment, 0 for a bare content. */
  readonly v: number;
  /** Content reference. */
  readonly c: string;
  /** Post that a bare content belongs to. */
  readonly o?: number;
  readonly p: FileLinkPurpose;
  /** Expiry, epoch milliseconds. */
  readonly e: number;
}

/** Makes links. Each returns undefined where there is nothing to serve: an external file, no preview of this kind. */
export interface FileLinks {
  view(file: LinkedFile): string | undefined;
  download(file: LinkedFile): string | undefined;
  preview(file: LinkedFile, kind: PreviewKind): string | undefined;
}

/**
 * Scope that links are created from. Any tenant scope will do; `linkSeconds` is the operator's
 * lifetime of links, `filesOrigin` the separate origin of files.
 */
type LinkScope = Pick<TenantScope, 'tenant' | 'settings' | 'clock' | 'baseUrl' | 'directLinks'> & {
  readonly linkSeconds?: number;
  readonly filesOrigin?: string;
};

/**
 * Links of one tenant, absolute on the address of files, else on the one its caller used, valid for
 * 15 minutes (or `linkSeconds`) from now on. Where clients read from a storage themselves, files
 * lead straight there if the row has the parts of such a link; previews, covers and pictures of
 * people go through the server.
 */
export function fileLinks(scope: LinkScope): FileLinks {
  const lifetime = scope.linkSeconds === undefined ? FILE_LINK_LIFETIME_MS : scope.linkSeconds * 1000;
  const expires = scope.clock.now() + lifetime;
  const link = (file: LinkedFile, purpose: FileLinkPurpose): string | undefined => {
    if (file.contentRef === null) return undefined;
    const payload: FileLinkPayload = {
      t: scope.tenant.id,
      a: file.attachmentId ?? 0,
      v: file.versionNumber ?? 0,
      c: file.contentRef,
      o: file.postId,
      p: purpose,
      e: expires,
    };
    return `${scope.filesOrigin ?? scope.baseUrl}${FILE_LINK_PATH}/${scope.settings.links.sign(FILE_LINK_KIND, payload)}`;
  };
  const direct = (file: LinkedFile, purpose: 'view' | 'download'): string | undefined => {
    const { storageKey, mimeType, name = null, downloadable } = file;
    const sent = sentAs({ mimeType: mimeType ?? '', name, downloadable }, purpose === 'download');
    if (!sent) return undefined;
    if (!scope.directLinks || typeof storageKey !== 'string' || mimeType === null) return link(file, purpose);
    return scope.directLinks.link(storageKey, {
      now: scope.clock.now(),
      seconds: Math.ceil(lifetime / 1000),
      ...sent,
    });
  };
  return {
    view: (file) => direct(file, 'view'),
    download: (file) => direct(file, 'download'),
    preview: (file, kind) => {
      const there =
        file.previews === undefined || file.previews === null
          ? file.mimeType !== null && hasPreview(file.mimeType, kind.endsWith('animated'))
          : (file.previews & previewBits[kind]) !== 0;
      return there ? link(file, kind) : undefined;
    },
  };
}

/** The link to a picture that belongs to no post, such as a cover or a logo; undefined for none. */
export function pictureLink(scope: LinkScope, contentRef: string | null): string | undefined {
  return fileLinks(scope).view({ contentRef, mimeType: null });
}

/** Reads the token of a link. @returns undefined for a token that was altered, belongs to another tenant or has expired */
export function readFileLink(
  scope: Pick<TenantScope, 'tenant' | 'settings' | 'clock'>,
  token: string,
): FileLinkPayload | undefined {
  const payload = scope.settings.links.verify<FileLinkPayload>(FILE_LINK_KIND, token);
  if (!payload || payload.t !== scope.tenant.id || payload.e <= scope.clock.now()) return undefined;
  return payload;
}

/**
 * Returns the tenant that a link names, before its signature is verified: only to choose the secret
 * that verifies it.
 * @returns undefined for a text that is not a link
 */
export function tenantIdOfLink(token: string): number | undefined {
  try {
    const body = Buffer.from(token.slice(0, MAX_BODY).split('.')[0] as string, 'base64url').toString('utf8');
    const id = (JSON.parse(body) as Partial<FileLinkPayload> | null)?.t;
    return Number.isSafeInteger(id) ? id : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
