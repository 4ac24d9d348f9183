-- People who were erased: what names them is gone from the row at once, rows that record what they read and followed are
-- removed afterwards in small steps.
ALTER TABLE users ADD COLUMN erased_at timestamptz;
-- True until no row is left to remove.
ALTER TABLE users ADD COLUMN erasure_pending boolean NOT NULL DEFAULT false;
CREATE INDEX users__erasure_pending ON users (tenant_id, id) WHERE erasure_pending;
-- Mails to an address are removed with the person who had it.
CREATE INDEX outgoing_mails__recipient ON outgoing_mails (tenant_id, lower(recipient));
