-- Indexes that filters of the list of posts are driven from: requests to confirm a post as read, and who attached what.

CREATE INDEX tasks__acknowledgements ON tasks (tenant_id, post_id) WHERE deleted_at IS NULL AND type = 2;
CREATE INDEX attachments__creator ON attachments (tenant_id, community_id, creator_id) WHERE deleted_at IS NULL;
CREATE INDEX attachments__modifier ON attachments (tenant_id, community_id, modifier_id) WHERE deleted_at IS NULL;
