-- What totals of the list take off the index ranges of their filters, and how fresh these indexes are kept.

-- Drafts and deleted posts have value rows like others.
CREATE INDEX posts__not_live ON posts (tenant_id, community_id, id) WHERE NOT live;
-- Lists of references with more than one element: those that are not EQUAL to one of them.
CREATE INDEX post_values__second ON post_values (tenant_id, field_id, post_id) WHERE ord = 1;

-- Totals and walks read these indexes without their tables, as far as the visibility map says that all transactions see
-- the rows. By default a vacuum, which keeps that map, waits until a fifth of the table has changed.
ALTER TABLE posts SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER TABLE post_values SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
ALTER TABLE post_grants SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
