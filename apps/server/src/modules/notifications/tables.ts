/** Tables of notifications. */
import { defineTables, internal } from '../../kernel/tables/define-tables.ts';

export const notificationTables = defineTables({
  notifications: {
    distribution: 'distributed',
    entity: 'notification',
    parent: { table: 'posts', column: 'post_id' },
    people: { user_id: 'remove' },
    columns: {
      ...internal('tenant_id', 'id', 'user_id', 'type_id', 'author_id', 'event_id'),
      kind: 'kind',
      post_id: 'postId',
      at: 'timestamp',
      comment_id: 'commentId',
      task_id: 'taskId',
      transition_id: 'transitionName',
      read_at: 'read',
      done_at: 'done',
      due_at: 'expirationTimestamp',
      overdue: 'overdue',
    },
  },
  following: {
    distribution: 'distributed',
    entity: 'following',
    parent: { table: 'posts', column: 'post_id' },
    people: { user_id: 'remove' },
    columns: {
      ...internal('tenant_id', 'id', 'user_id'),
      community_id: 'communityId',
      post_id: 'postId',
      following: 'following',
    },
  },
  notification_preferences: {
    distribution: 'distributed',
    entity: 'notificationPreference',
    people: { user_id: 'remove' },
    columns: {
      ...internal('tenant_id', 'id', 'user_id'),
      community_id: 'communityId',
      kind: 'kind',
      enabled: 'enabled',
    },
  },
});
