/** Filters and orders of the attachments of a post (operation listPostAttachmentsByPostId; docs/decisions/lists.md). */
import { AttachmentEntityType, AttachmentType, type ListPostAttachmentsByPostIdRequest } from '@portico/contract';
import { EXTRACTABLE_PATTERNS, mimePatternsOf } from '@portico/platform/files';
import type { Parameters } from '../../../kernel/access/index.ts';
import { kindsOfCategory } from '../../../kernel/media-families.ts';
import type { SortColumn } from '../../../kernel/paging/index.ts';
import { sqlColumns } from '../../columns.ts';

const r = sqlColumns('file_contents', 'r');

const DEFAULT_TYPES: readonly number[] = [AttachmentType.STORAGE];
const DEFAULT_ENTITY_TYPES: readonly number[] = [
  AttachmentEntityType.POST,
  AttachmentEntityType.POST_FILE_PICKER,
  AttachmentEntityType.SCREEN_FILE_PICKER,
];

/**
 * Returns the conditions on `a` that a body sets. Omitted `types` and `entityTypes` have their
 * defaults; an empty list filters nothing.
 * @param comments whether the caller sees comments; otherwise attachments of comments are excluded
 */
export function attachmentConditions(
  body: ListPostAttachmentsByPostIdRequest,
  comments: boolean,
  parameters: Parameters,
): string[] {
  const where: string[] = [];
  const oneOf = (column: string, values: readonly number[]) => {
    if (values.length > 0) where.push(`a.${column} = ANY (${parameters.add(values)}::smallint[])`);
  };
  oneOf('type', body.types ?? DEFAULT_TYPES);
  oneOf('entity_type', body.entityTypes ?? DEFAULT_ENTITY_TYPES);
  if (!comments) where.push(`a.entity_type <> ${AttachmentEntityType.COMMENT}`);
  if (body.mimeTypes && body.mimeTypes.length > 0) {
    where.push(`lower(a.mime_type) LIKE ANY (${parameters.add(mimePatternsOf(body.mimeTypes))}::text[])`);
  }
  if (body.mimeTypeCategory !== undefined) {
    oneOf('kind', kindsOfCategory(body.mimeTypeCategory as 'multimedia' | 'other'));
  }
  for (const [fieldId, entityType] of [
    [body.postFilePickerFieldId, AttachmentEntityType.POST_FILE_PICKER],
    [body.wfScreenFilePickerFieldId, AttachmentEntityType.SCREEN_FILE_PICKER],
  ] as const) {
    if (fieldId === undefined) continue;
    where.push(`a.entity_type = ${entityType} AND a.field_id = ${parameters.add(fieldId)}::bigint`);
  }
  if (body.aiSupportedFilter !== undefined) {
    const types = `${parameters.add(EXTRACTABLE_PATTERNS)}::text[]`;
    // A file without readable text, for example an encrypted one, has an error instead.
    const readable = `(a.content_ref IS NOT NULL AND a.mime_type LIKE ANY (${types})
      AND NOT EXISTS (SELECT FROM file_contents r WHERE r.tenant_id = $1 AND ${r.content_ref} = a.content_ref
                         AND ${r.text_error} IS NOT NULL))`;
    where.push(body.aiSupportedFilter ? readable : `NOT ${readable}`);
  }
  return where;
}

const ORDERS: Readonly<Record<string, Omit<SortColumn, 'desc'>>> = {
  name: { sql: 'a.name_key', type: 'text' },
  mimeType: { sql: 'a.mime_type COLLATE "C"', type: 'text' },
  size: { sql: 'a.size', type: 'bigint' },
  creatorUserId: { sql: 'a.creator_id', type: 'bigint' },
  creationTimestamp: { sql: 'a.created_at', type: 'timestamptz' },
  entityType: { sql: 'a.entity_type', type: 'smallint' },
};

/**
 * Orders by the column, then by id. @param orderBy one of `attachmentOrders` of the contract,
 * ensured by input validation
 */
export function attachmentOrder(orderBy: string | undefined, desc: boolean): readonly SortColumn[] {
  const order = ORDERS[orderBy ?? 'creationTimestamp'] ?? ORDERS['creationTimestamp']!;
  return [
    { ...order, desc },
    { sql: 'a.id', desc, type: 'bigint' },
  ];
}
