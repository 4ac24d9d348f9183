-- A row is the draft of the definition of a community: a community file that is being edited.
-- version: number of times that it was saved, the token of its editors.
CREATE TABLE community_drafts (
  tenant_id bigint NOT NULL,
  community_id bigint NOT NULL,
  version bigint NOT NULL,
  file jsonb NOT NULL,
  saved_by bigint NOT NULL,
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, community_id),
  FOREIGN KEY (tenant_id, community_id) REFERENCES communities (tenant_id, id) ON DELETE CASCADE
);
SELECT portico_secure_table('community_drafts');
