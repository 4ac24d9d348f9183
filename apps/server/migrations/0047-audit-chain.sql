-- A row gives an entry of the audit log its place in the chain: the hash is that of the entry together with the hash of the place
-- before. A job adds rows in batches. The service inserts and reads them, and neither changes nor removes them.
CREATE TABLE audit_links (
  tenant_id bigint NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  position bigint NOT NULL,
  entry_id bigint NOT NULL,
  hash text NOT NULL CHECK (octet_length(hash) <= 64),
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, position)
);
CREATE UNIQUE INDEX audit_links__entry ON audit_links (tenant_id, entry_id);
SELECT portico_secure_table('audit_links');

-- A row says with what hash the places of the chain end that were removed because of their age.
CREATE TABLE audit_checkpoints (
  tenant_id bigint NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  position bigint NOT NULL,
  hash text NOT NULL CHECK (octet_length(hash) <= 64),
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, position)
);
SELECT portico_secure_table('audit_checkpoints');
