/** The tables that are filled by COPY, and their columns. What is left out takes its default. */
import type pg from 'pg';
import { CopyTable } from './copy-table.ts';

export const tableColumns = {
  posts:
    'tenant_id id community_id version screen_version custom_no type visibility announcement pinned draft title title_key description_delta description_text custom_data state_id init_state_id creator_id created_at modifier_id modified_at token_by token_at screen_token_by screen_token_at operated_at active_at published_at recent_at comments_count attachments_count image_attachments_count document_attachments_count tasks_count standard_tasks_count watchers_count main_attachment_id event_start_at event_end_at event_timezone event_all_day event_location event_notify_invited',
  post_search: 'tenant_id post_id community_id title description doc',
  post_values: 'tenant_id field_id post_id ord empty big num txt ref ref_community',
  post_texts: 'tenant_id field_id post_id norm',
  post_grants: 'tenant_id post_id principal source source_id',
  post_watchers: 'tenant_id post_id principal',
  post_hashtags: 'tenant_id post_id hashtag_id',
  post_mentions: 'tenant_id post_id comment_id user_id',
  post_user_state: 'tenant_id user_id post_id community_id viewed_at views_count modified_at commented_at follows',
  post_view_counts: 'tenant_id post_id views_count viewers_count',
  comments: 'tenant_id id post_id parent_id delta plain creator_id created_at modified_at',
  attachments:
    'tenant_id id post_id community_id entity_type type kind name name_key mime_type size content_ref searched_ref creator_id created_at modifier_id modified_at',
  attachment_versions: 'tenant_id attachment_id version_number name mime_type size content_ref creator_id created_at',
  tasks:
    'tenant_id id post_id type state priority title description_delta description_text expires_at expires_local expires_timezone assignee creator_id created_at modifier_id modified_at first_review_at last_review_at last_reviewer_id closed_at closed_by',
  history_events:
    'tenant_id id post_id community_id type_id at author_id target_user_id transition_id comment_id attachment_id attachment_version task_ids details',
  event_invitations: 'tenant_id post_id principal type_id',
  changes:
    'tenant_id id xid seq at post_id community_id kind acl_changed before_live before_visibility before_principals',
} as const;

export type TableName = keyof typeof tableColumns;
export const tableNames = Object.keys(tableColumns) as TableName[];
export type Tables = Readonly<Record<TableName, CopyTable>>;

/** Opens all of them, a connection each. */
export async function openTables(connection: pg.ClientConfig): Promise<Tables> {
  const opened = await Promise.all(
    tableNames.map(
      async (name) => [name, await CopyTable.open(connection, name, tableColumns[name].split(' '))] as const,
    ),
  );
  return Object.fromEntries(opened) as Record<TableName, CopyTable>;
}
