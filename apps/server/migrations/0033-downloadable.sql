-- Whether readers may download an attachment: all its versions, and what takes its content over.
ALTER TABLE attachments ADD COLUMN downloadable boolean NOT NULL DEFAULT true;
