-- Nodes of an earlier version, which go on writing while an installation is upgraded node by node, do not say where a post that
-- a value refers to is. Their rows get 0, as those of posts that do not exist: filters then look at each of them.
ALTER TABLE post_values ALTER COLUMN ref_community SET DEFAULT 0;
DROP INDEX post_values__ref_community;
CREATE INDEX post_values__ref_community ON post_values (tenant_id, field_id, ref_community, post_id)
  WHERE ref IS NOT NULL AND ref_community IS NOT NULL;
