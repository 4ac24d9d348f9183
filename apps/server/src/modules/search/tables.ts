/** Tables of the search index; `search_pending` belongs to posts, whose features write it. */
import { defineTables, internal } from '../../kernel/tables/define-tables.ts';

export const searchTables = defineTables({
  search_entries: {
    distribution: 'distributed',
    parent: { table: 'posts', column: 'post_id' },
    analyze: true,
    columns: internal(
      'tenant_id',
      'kind',
      'object_id',
      'post_id',
      'community_id',
      'author_id',
      'at',
      'of_comment',
      'stamp',
      'words',
    ),
  },
  search_words: {
    distribution: 'distributed',
    analyze: true,
    columns: internal('tenant_id', 'word'),
  },
  search_state: {
    distribution: 'distributed',
    columns: internal('tenant_id', 'generation', 'seq', 'built_from', 'complete', 'labels_version'),
  },
});
