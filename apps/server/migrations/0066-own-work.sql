-- Indexes of what concerns one person across communities: what they read last, and their drafts by the last edit.
CREATE INDEX post_user_state__recent ON post_user_state (tenant_id, user_id, viewed_at, post_id) WHERE viewed_at IS NOT NULL;
CREATE INDEX posts__drafts_modified ON posts (tenant_id, creator_id, modified_at, id) WHERE draft AND deleted_at IS NULL;
