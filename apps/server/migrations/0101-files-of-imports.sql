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
