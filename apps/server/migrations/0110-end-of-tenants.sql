-- Tenants that end. An unfinished tenant is still being created: the next start replaces an
-- unfinished demo. The service deletes a tenant once delete_after has passed.
ALTER TABLE tenants ADD COLUMN unfinished boolean NOT NULL DEFAULT false;
ALTER TABLE tenants ADD COLUMN delete_after timestamptz;

-- A row is a deletion, and its certificate once it is finished. No row security: the tenant is gone.
CREATE TABLE portico_deleted_tenants (
  tenant bigint PRIMARY KEY,
  name text NOT NULL,
  display_name text NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- Numbers of deleted rows by table.
  deleted_rows jsonb NOT NULL DEFAULT '{}',
  files bigint NOT NULL DEFAULT 0,
  file_bytes bigint NOT NULL DEFAULT 0,
  -- SHA-256 of the certificate without this member, in hexadecimal.
  sha256 text
);
