-- Token of the edit of a comment, and who wrote the present text; NULL where its author did.
ALTER TABLE comments ADD COLUMN version integer NOT NULL DEFAULT 1, ADD COLUMN modifier_id bigint;

-- A row is a text that an edit of a comment replaced.
CREATE TABLE comment_versions (
  tenant_id bigint NOT NULL,
  comment_id bigint NOT NULL,
  version integer NOT NULL,
  delta text NOT NULL,
  plain text NOT NULL,
  creator_id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, comment_id, version),
  FOREIGN KEY (tenant_id, comment_id) REFERENCES comments (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, creator_id) REFERENCES users (tenant_id, id)
);
SELECT portico_secure_table('comment_versions');
