-- A reference to a post that a caller does not see is as if it were not there, so filters look for posts whose references are
-- hidden: deleted, private, or in a community where the caller has no role.

-- Of a value that refers to a post: the community of that post, which never changes; 0 when the post does not exist.
ALTER TABLE post_values ADD COLUMN ref_community bigint;
CREATE INDEX post_values__ref_community ON post_values (tenant_id, field_id, ref_community, post_id) WHERE ref_community IS NOT NULL;

-- People and groups that were deleted: references to them are hidden from everybody.
CREATE INDEX users__deleted ON users (tenant_id, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX groups__deleted ON groups (tenant_id, id) WHERE deleted_at IS NOT NULL;
