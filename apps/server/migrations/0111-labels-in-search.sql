-- Raised when the label of a catalog entry changes: the search reads the posts of the tenant again.
ALTER TABLE tenant_versions ADD COLUMN labels_version bigint NOT NULL DEFAULT 1;
-- The labels that the entries of the index have. Indexes of earlier versions lack labels.
ALTER TABLE search_state ADD COLUMN labels_version bigint NOT NULL DEFAULT 0;
