-- Place of an entry among those of its catalog, which files of communities give. Entries without one
-- come last, by label.
ALTER TABLE catalog_entries ADD COLUMN position integer NOT NULL DEFAULT 2147483647;
CREATE INDEX catalog_entries__position ON catalog_entries (tenant_id, catalog_id, position, label_key, id);
