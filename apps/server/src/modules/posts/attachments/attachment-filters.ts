/** Filters and orders of the attachments of a post (operation listPostAttachmentsByPostId; docs/decisions/lists.md). */
import { AttachmentEntityType, AttachmentType, type ListPostAttachmentsByPostIdRequest } from '@portico/contract';
import type { Parameters } from '../../../kernel/access/index.ts';
import { kindsOfCategory } from '../../../kernel/media-families.ts';
import type { SortColumn } from '../../../kernel/paging/index.ts';
import { EXTRACTABLE_PATTERNS, mimePatternsOf } from '../../../platform/files/index.ts';
import type { PlacedAttachmentRow } from './attachments.repository.ts';

const DEFAULT_TYPES: readonly number[] = [AttachmentType.STORAGE];
const DEFAULT_ENTITY_TYPES: readonly number[] = [
  AttachmentEntityType.POST,
  AttachmentEntityType.POST_FILE_PICKER,
  AttachmentEntityType.SCREEN_FILE_PICKER,
];

/**
 * The conditions on `a` that a body sets. Left out, `types` and `entityTypes` have their defaults; an empty list filters
 * nothing.
 * @param comments whether the caller sees comments: without, their attachments are not there
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
    const readable = `(a.content_ref IS NOT NULL AND a.mime_type LIKE ANY (${parameters.add(EXTRACTABLE_PATTERNS)}::text[]))`;
    where.push(body.aiSupportedFilter ? readable : `NOT ${readable}`);
  }
  return where;
}

/** An order: the column, its type, and how its value is taken from a row for the page token. */
interface Order {
  sql: string;
  type: string;
  value(row: PlacedAttachmentRow): string | number;
}

const ORDERS: Readonly<Record<string, Order>> = {
  name: { sql: 'a.name_key', type: 'text', value: (row) => row.nameKey },
  mimeType: { sql: 'a.mime_type COLLATE "C"', type: 'text', value: (row) => row.mimeType },
  size: { sql: 'a.size', type: 'bigint', value: (row) => row.size },
  creatorUserId: { sql: 'a.creator_id', type: 'bigint', value: (row) => row.creatorId },
  creationTimestamp: { sql: 'a.created_at', type: 'timestamptz', value: (row) => row.createdAt },
  entityType: { sql: 'a.entity_type', type: 'smallint', value: (row) => row.entityType },
};

/** Sort key of an attachment, as page tokens carry it. */
export type AttachmentKey = readonly [value: string | number, id: number];

/** An order of the list: by the column, then by id, both in the same direction. */
interface AttachmentOrder {
  readonly columns: readonly SortColumn[];
  /** SQL of the values of a key. */
  placeholders(key: AttachmentKey, parameters: Parameters): string[];
  keyOf(row: PlacedAttachmentRow): AttachmentKey;
}

/** @param orderBy one of `attachmentOrders` of the contract, which input validation has made sure of */
export function attachmentOrder(orderBy: string | undefined, desc: boolean): AttachmentOrder {
  const order = ORDERS[orderBy ?? 'creationTimestamp'] ?? ORDERS['creationTimestamp']!;
  return {
    columns: [
      { sql: order.sql, desc },
      { sql: 'a.id', desc },
    ],
    placeholders: ([value, id], parameters) => [
      `${parameters.add(order.type === 'timestamptz' ? new Date(value) : value)}::${order.type}`,
      `${parameters.add(id)}::bigint`,
    ],
    keyOf: (row) => [order.value(row), row.id],
  };
}
