/** Tables of the change stream. */
import { defineTables, internal } from '../../../kernel/tables/define-tables.ts';

export const streamTables = defineTables({
  access_snapshots: {
    distribution: 'distributed',
    people: { user_id: 'remove' },
    columns: internal(
      'tenant_id',
      'id',
      'user_id',
      'digest',
      'community_ids',
      'role_ids',
      'group_ids',
      'created_at',
      'used_at',
    ),
  },
});
