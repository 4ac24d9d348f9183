-- Deleted posts that can be restored, by the time of their deletion.
CREATE INDEX posts__deleted ON posts (tenant_id, deleted_at, id) WHERE deleted_at IS NOT NULL AND erasable_at IS NULL;
