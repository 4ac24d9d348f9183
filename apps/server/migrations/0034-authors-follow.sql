-- Who writes a post follows it from then on, without being one of its watchers.
ALTER TABLE post_user_state ADD COLUMN follows boolean NOT NULL DEFAULT false;
CREATE INDEX post_user_state__follows ON post_user_state (tenant_id, user_id, post_id) WHERE follows;
