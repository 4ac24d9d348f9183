-- Requests within a minute that a tenant, and each of its accounts, may send to one process; null: no limit.
ALTER TABLE tenant_settings
  ADD COLUMN requests_per_minute integer CHECK (requests_per_minute > 0),
  ADD COLUMN account_requests_per_minute integer CHECK (account_requests_per_minute > 0);
