-- The erasure of a post looks for its tasks and attachments, deleted ones too, and for the records of imports. Without an index
-- that holds all of them it read every such row of the tenant, for each post. INCLUDE: who lists those that are there need not
-- look at the deleted ones.
DROP INDEX tasks__post;
CREATE INDEX tasks__post ON tasks (tenant_id, post_id, id) INCLUDE (deleted_at);
DROP INDEX attachments__post;
CREATE INDEX attachments__post ON attachments (tenant_id, post_id, created_at, id) INCLUDE (deleted_at);
CREATE INDEX import_records__post ON import_records (tenant_id, post_id);
