/** Tables of a person's own work across communities. */
import { defineTables, internal } from '../../../kernel/tables/define-tables.ts';

export const ownWorkTables = defineTables({
  community_visits: {
    distribution: 'distributed',
    entity: 'communityVisit',
    people: { user_id: 'remove' },
    columns: { ...internal('tenant_id', 'id', 'user_id'), community_id: 'communityId', visited_at: 'visitTimestamp' },
  },
  waiting_marks: {
    distribution: 'distributed',
    entity: 'waitingMark',
    parent: { table: 'posts', column: 'post_id' },
    people: { user_id: 'remove' },
    columns: {
      ...internal('tenant_id', 'id', 'user_id'),
      kind: 'kind',
      item_id: 'id',
      post_id: 'postId',
      done_at: 'done',
    },
  },
});
