-- Which rows use a stored file: asked for each file that is removed, and by its foreign keys.
CREATE INDEX attachments__content ON attachments (tenant_id, content_ref) WHERE content_ref IS NOT NULL;
CREATE INDEX attachment_versions__content ON attachment_versions (tenant_id, content_ref) WHERE content_ref IS NOT NULL;
CREATE INDEX file_contents__storage_key ON file_contents (tenant_id, storage_key) WHERE storage_key IS NOT NULL;
CREATE INDEX users__photo ON users (tenant_id, photo_content_ref) WHERE photo_content_ref IS NOT NULL;
CREATE INDEX posts__cover ON posts (tenant_id, cover_content_ref) WHERE cover_content_ref IS NOT NULL;
