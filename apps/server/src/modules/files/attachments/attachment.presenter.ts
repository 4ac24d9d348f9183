/**
 * Presents an attachment, the same way in every read (contract: PostAttachmentData, PostCoverImage;
 * docs/decisions/types.md).
 */
import {
  AttachmentType,
  type DriveAttachmentData,
  type Hashtag,
  type PostAttachmentData,
  type PostCoverImage,
  type User,
} from '@portico/contract';
import type { FileLinks, LinkedFile } from '../../../kernel/file-links.ts';
import { sqlColumns } from '../../columns.ts';

const t = sqlColumns('hashtags', 't');

/**
 * An attachment (or one of its versions) with the metadata of its bytes. Times are epoch
 * milliseconds.
 */
export interface AttachmentRow {
  readonly id: number;
  readonly communityId: number;
  readonly type: AttachmentType;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly contentRef: string | null;
  readonly md5: string | null;
  /** Existing previews (file_contents.previews); omitted or null: not known. */
  readonly previews?: number | null;
  /** Key of the bytes in the storage; omitted or null: not known. */
  readonly storageKey?: string | null;
  readonly versionNumber: number;
  readonly drive: DriveAttachmentData | null;
  readonly referencedId: number | null;
  /** False: a stored file can be viewed but not downloaded. */
  readonly downloadable: boolean;
  readonly creatorId: number;
  readonly createdAt: number;
  readonly modifierId: number;
  readonly modifiedAt: number;
}

/** An attachment with its hashtags, as selected by {@link attachmentHashtagsSql}. */
export interface TaggedAttachmentRow extends AttachmentRow {
  readonly hashtags: { id: number; name: string; externalId: string | null; deleted: boolean }[];
}

/** Flags that select the links of an attachment. */
export interface AttachmentLinkFlags {
  readonly view: boolean;
  readonly download: boolean;
  readonly preview: boolean;
  readonly previewAnimated: boolean;
  readonly previewHiRes: boolean;
  readonly previewHiResAnimated: boolean;
}

/** All links: used by comments, history and covers. */
export const ALL_LINKS: AttachmentLinkFlags = {
  view: true,
  download: true,
  preview: true,
  previewAnimated: true,
  previewHiRes: true,
  previewHiResAnimated: true,
};

/** View and download links: always present in attachment details and lists. */
export const CONTENT_LINKS: AttachmentLinkFlags = {
  view: true,
  download: true,
  preview: false,
  previewAnimated: false,
  previewHiRes: false,
  previewHiResAnimated: false,
};

/** Objects that a row refers to: people and hashtags, loaded in bulk by the caller. */
interface AttachmentReferences {
  readonly users: ReadonlyMap<number, User>;
  /** Hashtags by attachment; absent when they were not requested. */
  readonly hashtags?: ReadonlyMap<number, readonly Hashtag[]>;
}

interface Links {
  temporaryContentViewLink?: string;
  temporaryContentDownloadLink?: string;
  temporaryContentPreviewImageLink?: string;
  temporaryContentPreviewImageAnimatedLink?: string;
  temporaryContentPreviewImageHiResLink?: string;
  temporaryContentPreviewImageHiResAnimatedLink?: string;
}

/** Returns the existing links of a file that the flags request. */
function presentLinks(file: LinkedFile, links: FileLinks, flags: AttachmentLinkFlags): Links {
  return {
    temporaryContentViewLink: flags.view ? links.view(file) : undefined,
    temporaryContentDownloadLink: flags.download ? links.download(file) : undefined,
    temporaryContentPreviewImageLink: flags.preview ? links.preview(file, 'preview') : undefined,
    temporaryContentPreviewImageAnimatedLink: flags.previewAnimated
      ? links.preview(file, 'preview-animated')
      : undefined,
    temporaryContentPreviewImageHiResLink: flags.previewHiRes ? links.preview(file, 'preview-hires') : undefined,
    temporaryContentPreviewImageHiResAnimatedLink: flags.previewHiResAnimated
      ? links.preview(file, 'preview-hires-animated')
      : undefined,
  };
}

/**
 * Returns the addresses that open and download a file in Google Drive: the stored ones, else the
 * addresses derived from its id.
 */
function driveLinks(drive: DriveAttachmentData, flags: AttachmentLinkFlags): Links {
  const id = encodeURIComponent(drive.driveId ?? '');
  return {
    temporaryContentViewLink: flags.view
      ? (drive.webViewLink ?? `https://drive.google.com/file/d/${id}/view`)
      : undefined,
    temporaryContentDownloadLink: flags.download
      ? (drive.webContentLink ?? `https://drive.google.com/uc?id=${id}&export=download`)
      : undefined,
  };
}

/**
 * Returns an MD5 as clients read it: 32 lower-case hexadecimal characters. @param stored in Base64,
 * or already in hexadecimal
 */
function presentMd5(stored: string | null): string | undefined {
  if (stored === null || /^[0-9a-f]{32}$/.test(stored)) return stored ?? undefined;
  return Buffer.from(stored, 'base64').toString('hex');
}

/** Presents an attachment. */
export function presentAttachment(
  row: AttachmentRow,
  references: AttachmentReferences,
  links: FileLinks,
  flags: AttachmentLinkFlags,
): PostAttachmentData {
  const file = {
    attachmentId: row.id,
    versionNumber: row.versionNumber,
    contentRef: row.contentRef,
    mimeType: row.mimeType,
    previews: row.previews,
    storageKey: row.storageKey,
    name: row.name,
    downloadable: row.downloadable,
  };
  return {
    contentRef: row.contentRef ?? undefined,
    ...(row.drive ? driveLinks(row.drive, flags) : presentLinks(file, links, flags)),
    contentMimeType: row.mimeType,
    etag: `${row.id}-${row.versionNumber}`,
    md5Hash: presentMd5(row.md5),
    size: row.size,
    id: row.id,
    name: row.name,
    creatorUser: references.users.get(row.creatorId),
    creationTimestamp: row.createdAt,
    lastModifyUser: references.users.get(row.modifierId),
    lastModifyTimestamp: row.modifiedAt,
    communityId: row.communityId,
    downloadable: row.type !== AttachmentType.DRIVE && row.downloadable,
    versionNumber: row.versionNumber,
    type: row.type,
    hashtags: [...(references.hashtags?.get(row.id) ?? [])],
    referencedId: row.referencedId ?? undefined,
    reference: row.referencedId !== null,
    drive: row.drive ?? undefined,
  };
}

/** A stored content outside of attachments: a cover. */
interface CoverRow {
  readonly postId: number;
  readonly contentRef: string;
  readonly mimeType: string | null;
  readonly md5: string | null;
  readonly size: number | null;
  /** Existing previews (file_contents.previews); null: not known. */
  readonly previews: number | null;
}

/** Presents a cover picture with all its links. */
export function presentCover(row: CoverRow, links: FileLinks): PostCoverImage {
  return {
    contentRef: row.contentRef,
    ...presentLinks(row, links, ALL_LINKS),
    contentMimeType: row.mimeType ?? undefined,
    etag: row.contentRef.slice(0, 16),
    md5Hash: presentMd5(row.md5),
    size: row.size ?? undefined,
  };
}

/**
 * Returns the columns of an {@link AttachmentRow}. @param a alias of attachments @param f alias of
 * file_contents, outer-joined
 */
export function attachmentColumnsSql(a: string, f: string): string {
  return `${a}.id, ${a}.community_id AS "communityId", ${a}.type, ${a}.name, ${a}.mime_type AS "mimeType", ${a}.size,
    ${a}.content_ref AS "contentRef", ${f}.md5, ${f}.previews, ${f}.storage_key AS "storageKey",
    ${a}.version_number AS "versionNumber", ${a}.drive, ${a}.referenced_id AS "referencedId", ${a}.downloadable, ${a}.creator_id AS "creatorId", ${a}.created_at AS "createdAt",
    ${a}.modifier_id AS "modifierId", ${a}.modified_at AS "modifiedAt"`;
}

/**
 * Returns SQL of the JSON of the hashtags of an attachment by name; `$1` is the tenant. @param a
 * alias of attachments
 */
export function attachmentHashtagsSql(a: string): string {
  return `(SELECT coalesce(jsonb_agg(jsonb_build_object('id', ${t.id}, 'name', ${t.name}, 'externalId', ${t.external_id},
             'deleted', ${t.deleted}) ORDER BY ${t.name_key}, ${t.id}), '[]')
      FROM attachment_hashtags h JOIN hashtags t ON t.tenant_id = h.tenant_id AND ${t.id} = h.hashtag_id
     WHERE h.tenant_id = $1 AND h.attachment_id = ${a}.id)`;
}
