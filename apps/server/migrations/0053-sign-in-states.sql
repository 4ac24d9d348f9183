-- A row is the state (its SHA-256) of a sign-in by a provider that came back: it is accepted once.
CREATE TABLE used_sign_in_states (
  tenant_id bigint NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  state_hash bytea NOT NULL CHECK (octet_length(state_hash) = 32),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, state_hash)
);
CREATE INDEX used_sign_in_states__expired ON used_sign_in_states (tenant_id, expires_at);
SELECT portico_secure_table('used_sign_in_states');
