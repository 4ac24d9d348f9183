-- Preview pictures of files, made in the background.

-- previews: which pictures there are, as a sum of 1 small still, 2 small moving, 4 large still, 8 large moving; 0 none can
-- be made; NULL not looked at yet. previews_claimed_at: a node is at it since then. previews_error: why none could be made.
ALTER TABLE file_contents ADD COLUMN previews smallint;
ALTER TABLE file_contents ADD COLUMN previews_claimed_at timestamptz;
ALTER TABLE file_contents ADD COLUMN previews_error text;
CREATE INDEX file_contents__unpreviewed ON file_contents (tenant_id, uploaded_at) WHERE previews IS NULL AND state = 1;

-- A row is one preview picture of a file. kind: 1, 2, 4 or 8 as above.
CREATE TABLE file_previews (
  tenant_id bigint NOT NULL,
  content_ref text NOT NULL,
  kind smallint NOT NULL,
  storage_key text NOT NULL,
  mime_type text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  PRIMARY KEY (tenant_id, content_ref, kind),
  FOREIGN KEY (tenant_id, content_ref) REFERENCES file_contents (tenant_id, content_ref) ON DELETE CASCADE
);
SELECT portico_secure_table('file_previews');
CREATE INDEX file_previews__storage_key ON file_previews (tenant_id, storage_key);
