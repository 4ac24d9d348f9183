-- A row is a version of the definition of a community that another one has replaced: the rows that it was made of.
CREATE TABLE definition_versions (
  tenant_id bigint NOT NULL,
  community_id bigint NOT NULL,
  -- The token that the community had.
  version bigint NOT NULL,
  made_by bigint NOT NULL,
  made_at timestamptz NOT NULL,
  definition jsonb NOT NULL,
  PRIMARY KEY (tenant_id, community_id, version),
  FOREIGN KEY (tenant_id, community_id) REFERENCES communities (tenant_id, id) ON DELETE CASCADE
);
SELECT portico_secure_table('definition_versions');

-- posts: those of the community when the change began. error: why it ended without effect.
ALTER TABLE definition_changes
  ADD COLUMN field_id bigint,
  ADD COLUMN posts bigint NOT NULL DEFAULT 0,
  ADD COLUMN error text;

-- The field of another type whose place this one has taken.
ALTER TABLE fields ADD COLUMN successor_of bigint;
