-- The file whose rows an import knows by their lines: another file under the same name and prefix would change its posts.
CREATE TABLE import_files (
  tenant_id bigint NOT NULL,
  source text NOT NULL,
  -- Prefix and suffix of the external ids.
  prefix text NOT NULL,
  suffix text NOT NULL,
  digest text NOT NULL,
  PRIMARY KEY (tenant_id, source, prefix, suffix)
);
SELECT portico_secure_table('import_files');

-- Objects other than posts that an import made because they were missing: an undo removes those that nothing uses.
CREATE TABLE import_made (
  tenant_id bigint NOT NULL,
  import_id bigint NOT NULL,
  kind text NOT NULL,
  object_id bigint NOT NULL,
  PRIMARY KEY (tenant_id, import_id, kind, object_id),
  FOREIGN KEY (tenant_id, import_id) REFERENCES imports (tenant_id, id) ON DELETE CASCADE
);
SELECT portico_secure_table('import_made');

-- The import that this one takes back.
ALTER TABLE imports ADD COLUMN undoes bigint;
CREATE INDEX import_records__import ON import_records (tenant_id, import_id, post_id) WHERE import_id IS NOT NULL;
