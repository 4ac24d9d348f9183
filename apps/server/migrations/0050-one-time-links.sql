-- A row is a link by which a person sets a password, once. Only the SHA-256 of its token is kept. It is void when the sign-ins
-- of the account have ended since (session_version), or when its contact address is no longer the one that the link was sent to.
CREATE TABLE one_time_links (
  tenant_id bigint NOT NULL,
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  user_id bigint NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('invitation', 'password-reset')),
  session_version bigint NOT NULL,
  -- NULL where the link was shown to an operator.
  contact_email_folded text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (tenant_id, token_hash),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX one_time_links__user ON one_time_links (tenant_id, user_id, created_at);
CREATE INDEX one_time_links__expired ON one_time_links (tenant_id, expires_at);
SELECT portico_secure_table('one_time_links');
