-- Bytes that bodies which come in for an upload hold of what its user may have in flight; 0 when none comes.
ALTER TABLE file_contents ADD COLUMN receiving bigint NOT NULL DEFAULT 0;

-- What a user has begun to upload and nothing refers to yet.
CREATE INDEX file_contents__pending ON file_contents (tenant_id, creator_id) WHERE attached_at IS NULL;
