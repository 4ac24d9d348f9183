/** Tables of calendars. */
import { defineTables, internal } from '../../../kernel/tables/define-tables.ts';

export const calendarTables = defineTables({
  calendar_feeds: {
    distribution: 'distributed',
    entity: 'calendarFeed',
    people: { user_id: 'remove' },
    // A renewed address differs only in its secret.
    audit: { secret: ['secret_hash'], also: ['secret_hash'] },
    columns: {
      ...internal('tenant_id', 'id', 'user_id', 'session_version', 'secret_hash'),
      community_id: 'communityId',
      created_at: 'creationTimestamp',
    },
  },
});
