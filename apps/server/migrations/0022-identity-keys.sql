-- What must be unique without regard to case, kept folded. The indexes were over lower(…), which is not leakproof: under row
-- security such an expression is never the condition of an index scan, so each check read all people of the tenant. A stored
-- column is compared with plain =, and index and check go by one folding.
ALTER TABLE users
  ADD COLUMN contact_email_folded text GENERATED ALWAYS AS (lower(contact_email)) STORED,
  ADD COLUMN google_account_folded text GENERATED ALWAYS AS (lower(google_account_id)) STORED,
  ADD COLUMN microsoft_account_folded text GENERATED ALWAYS AS (lower(microsoft_account_id)) STORED,
  ADD COLUMN custom_username_folded text GENERATED ALWAYS AS (lower(custom_username)) STORED;
ALTER TABLE groups ADD COLUMN email_folded text GENERATED ALWAYS AS (lower(email)) STORED;

DROP INDEX users__tenant_contact_email, users__tenant_google_account, users__tenant_microsoft_account,
  users__tenant_custom_username, groups__tenant_email;
CREATE UNIQUE INDEX users__tenant_contact_email ON users (tenant_id, contact_email_folded)
  WHERE contact_email_folded IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX users__tenant_google_account ON users (tenant_id, google_account_folded)
  WHERE google_account_folded IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX users__tenant_microsoft_account ON users (tenant_id, microsoft_account_folded)
  WHERE microsoft_account_folded IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX users__tenant_custom_username ON users (tenant_id, custom_username_folded)
  WHERE custom_username_folded IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX groups__tenant_email ON groups (tenant_id, email_folded)
  WHERE email_folded IS NOT NULL AND deleted_at IS NULL;
