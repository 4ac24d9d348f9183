-- A row is a device that asks to sign in (RFC 8628), until its codes expire. Only the SHA-256 of the
-- device's code and of the token that it will receive are stored. user_code: without hyphen.
CREATE TABLE device_sign_ins (
  tenant_id bigint NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  device_hash bytea NOT NULL CHECK (octet_length(device_hash) = 32),
  user_code text NOT NULL CHECK (octet_length(user_code) = 8),
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  name text NOT NULL,
  read_only boolean NOT NULL,
  valid_days integer NOT NULL,
  address text CHECK (octet_length(address) <= 64),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- NULL: nobody has decided.
  confirmed boolean,
  PRIMARY KEY (tenant_id, device_hash)
);
SELECT portico_secure_table('device_sign_ins');
CREATE UNIQUE INDEX device_sign_ins__user_code ON device_sign_ins (tenant_id, user_code);
CREATE INDEX device_sign_ins__expires ON device_sign_ins (tenant_id, expires_at);

-- True: a sign-in of a device that keeps the right manageUsers of its holder.
ALTER TABLE personal_tokens ADD COLUMN manages_users boolean NOT NULL DEFAULT false;
