-- The text of attached documents, read in the background and searched with the post they hang on.

-- text_state: 1 the text is in file_texts, 0 there is none, NULL not looked at yet. text_claimed_at: a node is at it since
-- then. text_error: why it could not be read.
ALTER TABLE file_contents ADD COLUMN text_state smallint;
ALTER TABLE file_contents ADD COLUMN text_claimed_at timestamptz;
ALTER TABLE file_contents ADD COLUMN text_error text;
CREATE INDEX file_contents__unread ON file_contents (tenant_id, uploaded_at) WHERE text_state IS NULL AND state = 1;

-- A row is the text of one document.
CREATE TABLE file_texts (
  tenant_id bigint NOT NULL,
  content_ref text NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (tenant_id, content_ref),
  FOREIGN KEY (tenant_id, content_ref) REFERENCES file_contents (tenant_id, content_ref) ON DELETE CASCADE
);
SELECT portico_secure_table('file_texts');

-- The content whose text the search row of the post holds (or that was found to have none): behind content_ref while the
-- background job has something to do; none is due for a removed attachment.
ALTER TABLE attachments ADD COLUMN searched_ref text;
CREATE INDEX attachments__unsearched ON attachments (tenant_id, id)
  WHERE searched_ref IS DISTINCT FROM (CASE WHEN deleted_at IS NULL THEN content_ref END);
