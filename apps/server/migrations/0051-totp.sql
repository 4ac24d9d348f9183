-- A row is the authenticator app of a person, whose codes are asked for beside the password once it is confirmed.
CREATE TABLE totp_factors (
  tenant_id bigint NOT NULL,
  user_id bigint NOT NULL,
  sealed_secret bytea NOT NULL,
  created_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  -- Number of the step of 30 seconds whose code was accepted last: each code is accepted once.
  last_step bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
SELECT portico_secure_table('totp_factors');

-- A row is a code that signs a person in once without their authenticator app; only its SHA-256 is kept.
CREATE TABLE recovery_codes (
  tenant_id bigint NOT NULL,
  user_id bigint NOT NULL,
  code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
  PRIMARY KEY (tenant_id, user_id, code_hash),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
SELECT portico_secure_table('recovery_codes');
