-- Settings of a tenant are edited with a token; a 409 for a stale one says who changed them last, and when.
ALTER TABLE tenant_settings
  ADD COLUMN version bigint NOT NULL DEFAULT 1,
  ADD COLUMN modifier_id bigint,
  ADD COLUMN modified_at timestamptz;
