/** Tables of stored files. */
import { defineTables, internal } from '../../../kernel/tables/define-tables.ts';

export const fileTables = defineTables({
  file_contents: {
    distribution: 'distributed',
    columns: internal(
      'tenant_id',
      'content_ref',
      'storage_key',
      'mime_type',
      'size',
      'md5',
      'sha256',
      'state',
      'creator_id',
      'created_at',
      'uploaded_at',
      'attached_at',
      'previews',
      'previews_claimed_at',
      'previews_error',
      'text_state',
      'text_claimed_at',
      'text_error',
      'receiving',
    ),
  },
  file_previews: {
    distribution: 'distributed',
    columns: internal('tenant_id', 'content_ref', 'kind', 'storage_key', 'mime_type', 'size', 'sha256'),
  },
  file_texts: {
    distribution: 'distributed',
    columns: internal('tenant_id', 'content_ref', 'text'),
  },
});
