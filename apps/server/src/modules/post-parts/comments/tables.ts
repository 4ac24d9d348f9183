/** Tables of comments and likes. */
import { CREATED, defineTables, internal, OWN } from '../../../kernel/tables/define-tables.ts';

export const commentTables = defineTables({
  comments: {
    distribution: 'distributed',
    entity: 'comment',
    parent: { table: 'posts', column: 'post_id' },
    // Answers before the answered comments, so that no cascade deletes more rows than were counted.
    eraseOrder: 't.id DESC',
    analyze: true,
    columns: {
      ...OWN,
      ...CREATED,
      post_id: null,
      parent_id: 'parentComment',
      client_uid: 'clientUid',
      delta: 'comment',
      plain: 'comment',
      modified_at: 'lastModifyTimestamp',
      deleted_at: null,
      likes_count: 'likesCount',
      field_info: 'customFieldInfo',
      version: 'occToken',
      modifier_id: null,
    },
  },
  comment_versions: {
    distribution: 'distributed',
    parent: { table: 'comments', column: 'comment_id' },
    field: `'comment'`,
    columns: internal('tenant_id', 'comment_id', 'version', 'delta', 'plain', 'creator_id', 'created_at'),
  },
  deleted_comments: {
    distribution: 'distributed',
    parent: { table: 'comments', column: 'comment_id' },
    columns: internal(
      'tenant_id',
      'comment_id',
      'deleted_by',
      'deleted_at',
      'delta',
      'plain',
      'versions',
      'likes',
      'mentions',
    ),
  },
  comment_likes: {
    distribution: 'distributed',
    parent: { table: 'comments', column: 'comment_id' },
    field: `'likesCount'`,
    people: { user_id: 'keep' },
    columns: internal('tenant_id', 'comment_id', 'user_id', 'created_at'),
  },
  post_likes: {
    distribution: 'distributed',
    parent: { table: 'posts', column: 'post_id' },
    field: `'likesCount'`,
    people: { user_id: 'keep' },
    columns: internal('tenant_id', 'post_id', 'user_id', 'created_at'),
  },
});
