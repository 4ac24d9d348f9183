/**
 * Plans the file changes of a write before anything is written, so that their errors join the other
 * errors of the body. Elements: an existing attachment by `attachmentId` (its content is attached
 * to this post too), an uploaded file by `contentRef`, a file in Google Drive by `drive` with
 * `type` 2.
 */
import {
  type AttachmentEntityType,
  AttachmentType,
  type DriveAttachmentData,
  type InputPostAttachment,
  listLimits,
} from '@portico/contract';
import { safeLink } from '@portico/platform/richtext';
import { isLongerThan, storableText } from '@portico/platform/text';
import {
  communitiesWith,
  Parameters,
  seenPostSql,
  seesCommentsSql,
  type WriteScope,
} from '../../../kernel/access/index.ts';
import { type FieldErrors, unknownElements } from '../../../kernel/errors.ts';
import { sqlColumns } from '../../columns.ts';
import { lockUsableUploads, type UsableUpload } from '../store/claim-uploads.ts';

const c = sqlColumns('communities', 'c');
const hashtagsColumns = sqlColumns('hashtags');
const p = sqlColumns('posts', 'p');

/** Maximum length of a file name, in code points. */
const MAX_FILE_NAME_LENGTH = 255;
/** Maximum number of attachments that one write adds, updates or removes. */
const MAX_FILES_PER_WRITE = listLimits.attachments;

const UNKNOWN_MIME_TYPE = 'application/octet-stream';

/**
 * The entity to which files are attached. `postId` is absent for a post that does not exist yet.
 */
export interface FileTarget {
  communityId: number;
  postId?: number;
  /**
   * AttachmentEntityType of the contract; writes of posts (1) also reach file pickers (4 and 5).
   */
  entityType: AttachmentEntityType;
  commentId?: number;
  taskId?: number;
  /** The file-picker field, for entity types 4 and 5. */
  fieldId?: number;
}

/** The three lists of a body. */
export interface FileChanges {
  add?: readonly InputPostAttachment[] | undefined;
  update?: readonly InputPostAttachment[] | undefined;
  removeIds?: readonly number[] | undefined;
  /** Removed attachments that are attached again; attachments that are not removed are ignored. */
  restoreIds?: readonly number[] | undefined;
  /** Whether unknown `restoreIds` are ignored; otherwise each is an error. */
  ignoreUnknownRestored?: boolean;
}

/** Field paths of the lists, for errors. */
export interface FilePaths {
  add: string;
  update?: string;
  remove?: string;
  restore?: string;
}

/** Limits set by the community. */
export interface FileLimits {
  attachmentEnabled: boolean;
  /** Bytes; null: the limit of the server applies. */
  attachmentMaxSize: number | null;
}

/** Bytes, or a reference to bytes elsewhere. */
interface FileContent {
  type: AttachmentType;
  mimeType: string;
  size: number;
  contentRef: string | null;
  drive: DriveAttachmentData | null;
}

/** A file to attach. */
interface PlannedAdd extends FileContent {
  name: string;
  referencedId: number | null;
  downloadable: boolean;
  hashtagIds: readonly number[];
  /** Whether the element uses the upload up. */
  claims: boolean;
  /** Field path of the element, for errors. */
  path: string;
}

/** A change of an attachment; `content` makes a new version. */
interface PlannedUpdate {
  id: number;
  name: string;
  content: FileContent | null;
  /** Null: unchanged. */
  downloadable: boolean | null;
  hashtagIds: readonly number[] | null;
  claims: boolean;
  path: string;
}

/** Changes that {@link applyFiles} applies. */
export interface FilePlan {
  target: FileTarget;
  add: PlannedAdd[];
  update: PlannedUpdate[];
  removeIds: number[];
  /** Removed attachments to attach again. */
  restore: { id: number; contentRef: string | null; path: string }[];
}

interface ExistingRow extends FileContent {
  id: number;
  name: string;
  postId: number;
  entityType: AttachmentEntityType;
  commentId: number | null;
  taskId: number | null;
  deleted: boolean;
  downloadable: boolean;
  /** Whether its content was copied from an attachment that may not be downloaded. */
  withheld: boolean;
}

/** Objects to which the elements of a body refer. */
interface Found {
  existing: ReadonlyMap<number, ExistingRow>;
  uploads: ReadonlyMap<string, UsableUpload>;
  hashtags: ReadonlySet<number>;
}

/** Context for reading elements. */
interface Reading extends Found {
  limits: FileLimits;
  /** Uploads that an earlier element has used up. */
  used: Set<string>;
  errors: FieldErrors;
}

/**
 * Validates the files of a body.
 * @param errors receives the errors; if there are any, the plan must not be applied
 */
export async function planFiles(
  write: WriteScope,
  target: FileTarget,
  changes: FileChanges,
  limits: FileLimits,
  paths: FilePaths,
  errors: FieldErrors,
): Promise<FilePlan> {
  const { add = [], update = [], removeIds = [], restoreIds = [] } = changes;
  const plan: FilePlan = { target, add: [], update: [], removeIds: [], restore: [] };
  if ([add, update, removeIds, restoreIds].every((list) => list.length === 0)) return plan;
  for (const [list, path] of [
    [add, paths.add],
    [update, paths.update],
    [removeIds, paths.remove],
    [restoreIds, paths.restore],
  ] as const) {
    if (list.length > MAX_FILES_PER_WRITE) {
      errors.add(path ?? paths.add, 'TOO_MANY_ITEMS', undefined, [MAX_FILES_PER_WRITE]);
      return plan;
    }
  }
  if (!limits.attachmentEnabled && add.length + update.length > 0) {
    errors.add(
      add.length > 0 ? paths.add : (paths.update ?? paths.add),
      'INVALID_VALUE',
      'This community has no attachments.',
    );
    return plan;
  }
  const found = await findAttachments(write, target.communityId, [...add, ...update], [...removeIds, ...restoreIds]);
  const reading: Reading = { ...found, limits, used: new Set(), errors };
  plan.add = add.flatMap((element, index) => readAdd(element, `${paths.add}[${index}]`, reading) ?? []);
  plan.update = update.flatMap(
    (element, index) => readUpdate(element, `${paths.update ?? 'updateAttachments'}[${index}]`, target, reading) ?? [],
  );
  removeIds.forEach((id, index) => {
    const row = found.existing.get(id);
    if (!row || !isAttachedTo(row, target)) {
      errors.add(`${paths.remove ?? 'removeAttachmentIds'}[${index}]`, 'UNKNOWN_REFERENCE', undefined, [id]);
    } else if (!row.deleted && !plan.removeIds.includes(id)) plan.removeIds.push(id);
  });
  plan.restore = planRestored(changes, target, found, paths.restore ?? 'restoreAttachmentIds', errors);
  if (plan.restore.length > 0 && !limits.attachmentEnabled)
    errors.add(plan.restore[0]!.path, 'INVALID_VALUE', 'This community has no attachments.');
  return plan;
}

function planRestored(
  { restoreIds = [], ignoreUnknownRestored = false }: FileChanges,
  target: FileTarget,
  { existing }: Found,
  path: string,
  errors: FieldErrors,
): FilePlan['restore'] {
  const planned = new Map<number, FilePlan['restore'][number]>();
  restoreIds.forEach((id, index) => {
    const row = existing.get(id);
    if (row && isAttachedTo(row, target)) {
      if (row.deleted) planned.set(id, { id, contentRef: row.contentRef, path });
    } else if (!ignoreUnknownRestored) errors.add(`${path}[${index}]`, 'UNKNOWN_REFERENCE', undefined, [id]);
  });
  return [...planned.values()];
}

/** Returns whether a plan changes nothing. */
export const changesNothing = ({ add, update, removeIds, restore }: FilePlan): boolean =>
  add.length + update.length + removeIds.length + restore.length === 0;

/** Reads all objects that the elements name, in one statement per kind. */
async function findAttachments(
  write: WriteScope,
  communityId: number,
  elements: readonly InputPostAttachment[],
  removeIds: readonly number[],
): Promise<Found> {
  const { tx } = write;
  const ids = [...elements.flatMap((element) => [element.attachmentId, element.referencedAttachmentId]), ...removeIds];
  const wanted = [...new Set(ids.filter((id) => id !== undefined))];
  const existing = new Map<number, ExistingRow>();
  if (wanted.length > 0) {
    const parameters = new Parameters([tx.tenantId, wanted]);
    const visible = seenPostSql('p', write.actor, parameters);
    // Files of comments are visible to everybody who sees the comments (docs/decisions/people.md).
    const writable = parameters.add(communitiesWith(write.actor, 'comment'));
    const commentsSeen = `a.comment_id IS NULL OR ${seesCommentsSql('c', `c.id = ANY (${writable}::bigint[])`)}`;
    const rows = await tx.query<ExistingRow>(
      `SELECT a.id, a.name, a.type, a.mime_type AS "mimeType", a.size, a.content_ref AS "contentRef", a.drive,
              a.post_id AS "postId", a.entity_type AS "entityType", a.comment_id AS "commentId", a.task_id AS "taskId",
              a.deleted_at IS NOT NULL AS deleted, a.downloadable,
              EXISTS (SELECT FROM attachments s
                       WHERE s.tenant_id = $1 AND s.id = a.referenced_id AND s.content_ref = a.content_ref
                         AND NOT s.downloadable) AS withheld
         FROM attachments a JOIN posts p ON p.tenant_id = a.tenant_id AND ${p.id} = a.post_id
         JOIN communities c ON c.tenant_id = p.tenant_id AND ${c.id} = ${p.community_id}
        WHERE a.tenant_id = $1 AND a.id = ANY ($2::bigint[]) AND ${visible} AND (${commentsSeen})`,
      parameters.values,
    );
    for (const row of rows) existing.set(row.id, row);
  }
  const refs = elements.flatMap((element) => element.contentRef ?? []);
  const uploads = await lockUsableUploads(write, refs);
  const hashtagIds = elements.flatMap((element) => element.hashtagIds ?? []);
  const hashtags = new Set<number>();
  if (hashtagIds.length > 0) {
    const rows = await tx.query<{ id: number }>(
      `SELECT ${hashtagsColumns.id} FROM hashtags
        WHERE tenant_id = $1 AND ${hashtagsColumns.community_id} = $2 AND ${hashtagsColumns.id} = ANY ($3::bigint[]) AND NOT ${hashtagsColumns.deleted}`,
      [tx.tenantId, communityId, [...new Set(hashtagIds)]],
    );
    for (const row of rows) hashtags.add(row.id);
  }
  return { existing, uploads, hashtags };
}

function isAttachedTo(row: ExistingRow, target: FileTarget): boolean {
  if (row.postId !== target.postId) return false;
  if (target.commentId !== undefined) return row.commentId === target.commentId;
  if (target.taskId !== undefined) return row.taskId === target.taskId;
  return row.commentId === null && row.taskId === null;
}

function readAdd(element: InputPostAttachment, path: string, reading: Reading): PlannedAdd | undefined {
  const { existing, errors } = reading;
  const errorsBefore = errors.length;
  const sourceId = element.attachmentId ?? element.referencedAttachmentId;
  const source = sourceId === undefined ? undefined : existing.get(sourceId);
  if (sourceId !== undefined && (!source || source.deleted)) {
    const field = `${path}.${element.attachmentId === undefined ? 'referencedAttachmentId' : 'attachmentId'}`;
    errors.add(field, 'UNKNOWN_REFERENCE', undefined, [sourceId]);
  }
  const name = readName(element.name, source?.name, `${path}.name`, errors);
  const fresh = sourceId === undefined || element.contentRef !== undefined || element.drive !== undefined;
  const content = fresh ? readContent(element, path, reading) : source;
  const hashtagIds = readHashtags(element, path, reading) ?? [];
  if (errors.length > errorsBefore || !content) return undefined;
  return {
    ...contentOf(content),
    name,
    referencedId: source ? source.id : null,
    // Content copied from an attachment that may not be downloaded is not downloadable either,
    // whatever the body says.
    downloadable: (element.downloadable ?? source?.downloadable ?? true) && (fresh || source?.downloadable !== false),
    hashtagIds,
    claims: fresh && content.contentRef !== null,
    path,
  };
}

function readUpdate(
  element: InputPostAttachment,
  path: string,
  target: FileTarget,
  reading: Reading,
): PlannedUpdate | undefined {
  const { existing, errors } = reading;
  const errorsBefore = errors.length;
  const id = element.attachmentId;
  const row = id === undefined ? undefined : existing.get(id);
  if (id === undefined) errors.add(`${path}.attachmentId`, 'REQUIRED_FIELD');
  else if (!row || row.deleted || !isAttachedTo(row, target)) {
    errors.add(`${path}.attachmentId`, 'UNKNOWN_REFERENCE', undefined, [id]);
  }
  const name = readName(element.name, row?.name, `${path}.name`, errors);
  // Forms resend the present content; only a different content is a new version.
  const sameContent = element.contentRef === undefined || element.contentRef === row?.contentRef;
  const newDrive = element.drive?.driveId !== undefined && element.drive.driveId !== row?.drive?.driveId;
  const fresh = !sameContent || newDrive;
  const content = row && fresh ? readContent(element, path, reading) : undefined;
  if (element.downloadable === true && row?.withheld && !row.downloadable && !fresh) {
    errors.add(
      `${path}.downloadable`,
      'INVALID_VALUE',
      'The attachment that this one refers to may not be downloaded.',
    );
  }
  const hashtagIds = readHashtags(element, path, reading);
  if (errors.length > errorsBefore || id === undefined) return undefined;
  return {
    id,
    name,
    content: content ? contentOf(content) : null,
    downloadable: element.downloadable ?? null,
    hashtagIds: hashtagIds ?? null,
    claims: content !== undefined && content.contentRef !== null,
    path,
  };
}

function contentOf({ type, mimeType, size, contentRef, drive }: FileContent): FileContent {
  return { type, mimeType, size, contentRef, drive };
}

/**
 * Returns the last part of a path, without characters that file systems or headers do not accept.
 */
function readName(value: string | undefined, before: string | undefined, field: string, errors: FieldErrors): string {
  if (value === undefined && before !== undefined) return before;
  const name = storableText(value ?? '')
    .replace(/\p{Cc}/gu, '')
    .split(/[/\\]/)
    .at(-1)!
    .trim();
  if (!value) errors.add(field, 'REQUIRED_FIELD', 'Send a file name such as report.pdf.');
  else if (name === '' || name === '.' || name === '..')
    errors.add(field, 'INVALID_VALUE', 'This is no file name: after the last / or \\ send one such as report.pdf.');
  else if (isLongerThan(name, MAX_FILE_NAME_LENGTH))
    errors.add(field, 'TEXT_TOO_LONG', undefined, [MAX_FILE_NAME_LENGTH]);
  return name;
}

function readContent(
  element: InputPostAttachment,
  path: string,
  { uploads, limits, used, errors }: Reading,
): FileContent | undefined {
  if (element.type === AttachmentType.DRIVE || (element.type === undefined && element.drive && !element.contentRef)) {
    return readDrive(element.drive, path, errors);
  }
  const { contentRef } = element;
  if (contentRef === undefined) {
    errors.add(`${path}.contentRef`, 'REQUIRED_FIELD');
    return undefined;
  }
  const upload = uploads.get(contentRef);
  if (!upload || used.has(contentRef)) {
    errors.add(`${path}.contentRef`, 'CONTENT_REF_INVALID');
    return undefined;
  }
  used.add(contentRef);
  const size = upload.size ?? 0;
  if (limits.attachmentMaxSize !== null && size > limits.attachmentMaxSize) {
    errors.add(`${path}.contentRef`, 'ATTACHMENT_TOO_LARGE', undefined, [limits.attachmentMaxSize]);
  }
  return {
    type: AttachmentType.STORAGE,
    mimeType: upload.mimeType ?? UNKNOWN_MIME_TYPE,
    size,
    contentRef,
    drive: null,
  };
}

function readDrive(drive: DriveAttachmentData | undefined, path: string, errors: FieldErrors): FileContent | undefined {
  const driveId = drive?.driveId?.trim();
  if (!driveId) {
    errors.add(`${path}.drive.driveId`, 'REQUIRED_FIELD');
    return undefined;
  }
  const kept: DriveAttachmentData = { driveId: storableText(driveId) };
  if (drive?.mimeType) kept.mimeType = storableText(drive.mimeType);
  if (drive?.size !== undefined) kept.size = drive.size;
  for (const key of ['webViewLink', 'webContentLink'] as const) {
    const link = drive?.[key];
    if (link === undefined) continue;
    const safe = safeLink(link);
    if (safe === null || !/^https?:/i.test(safe)) {
      errors.add(`${path}.drive.${key}`, 'INVALID_VALUE', 'Send an http or https address.');
    } else kept[key] = safe;
  }
  if (kept.size !== undefined && kept.size < 0) errors.add(`${path}.drive.size`, 'INVALID_VALUE');
  return {
    type: AttachmentType.DRIVE,
    mimeType: kept.mimeType ?? UNKNOWN_MIME_TYPE,
    size: kept.size ?? 0,
    contentRef: null,
    drive: kept,
  };
}

function readHashtags(
  element: InputPostAttachment,
  path: string,
  { hashtags, errors }: Reading,
): readonly number[] | undefined {
  const given = element.hashtagIds ?? [];
  const unknown = new Set(given.filter((id) => !hashtags.has(id)));
  errors.push(...unknownElements(`${path}.hashtagIds`, given, unknown));
  return element.hashtagIds && [...new Set(element.hashtagIds)];
}
