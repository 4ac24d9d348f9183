-- What a key is for, from when on it is refused, and when it was last used (within about a minute).
ALTER TABLE service_account_keys ADD COLUMN name text;
ALTER TABLE service_account_keys ADD COLUMN expires_at timestamptz;
ALTER TABLE service_account_keys ADD COLUMN last_used_at timestamptz;
CREATE INDEX users__service_accounts ON users (tenant_id, id) WHERE service_account;
