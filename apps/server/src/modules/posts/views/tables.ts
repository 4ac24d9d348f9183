/** Tables of saved views and favourites. */
import { CREATED, defineTables, internal, MODIFIED, OWN } from '../../../kernel/tables/define-tables.ts';

export const viewTables = defineTables({
  saved_views: {
    distribution: 'distributed',
    entity: 'savedView',
    people: { user_id: 'remove' },
    columns: {
      ...OWN,
      ...CREATED,
      ...MODIFIED,
      community_id: 'communityId',
      user_id: null,
      name: 'name',
      post_filters: 'communityPostFilters',
      attachment_filters: 'communityAttachmentFilters',
      order_by: 'orderBy',
      order_desc: 'orderDesc',
      pinned_first: 'pinnedFirst',
      columns: 'columns',
      layout: 'layout',
      group_by: 'groupBy',
      date_field: 'dateField',
      second_group_by: 'secondGroupBy',
      measure: 'measure',
      measure_of: 'measureOf',
      in_overview: 'inOverview',
      version: 'occToken',
    },
  },
  favourite_views: {
    distribution: 'distributed',
    parent: { table: 'saved_views', column: 'view_id' },
    field: `'favourite'`,
    people: { user_id: 'remove' },
    columns: internal('tenant_id', 'user_id', 'view_id', 'created_at'),
  },
  favourite_communities: {
    distribution: 'distributed',
    entity: 'favouriteCommunity',
    people: { user_id: 'remove' },
    columns: { ...internal('tenant_id', 'id', 'user_id', 'created_at'), community_id: 'communityId' },
  },
  default_views: {
    distribution: 'distributed',
    parent: { table: 'saved_views', column: 'view_id' },
    field: `CASE WHEN user_id = 0 THEN 'defaultForCommunity' ELSE 'defaultForMe' END`,
    people: { user_id: 'remove' },
    columns: internal('tenant_id', 'community_id', 'user_id', 'view_id'),
  },
});
