-- The erasure of a post looks for its tasks and attachments, deleted ones too, and for the records of imports. Without an index
-- that holds all of them it read every such row of the tenant, for each post. INCLUDE: who lists those that are there need not
-- look at the deleted ones. What was there before goes last: a DROP keeps readers out until the migration ends.
CREATE INDEX tasks__all_of_post ON tasks (tenant_id, post_id, id) INCLUDE (deleted_at);
CREATE INDEX attachments__all_of_post ON attachments (tenant_id, post_id, created_at, id) INCLUDE (deleted_at);
CREATE INDEX import_records__post ON import_records (tenant_id, post_id);
DROP INDEX tasks__post;
DROP INDEX attachments__post;
