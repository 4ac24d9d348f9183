-- The one account of a tenant that signs in by password where a provider is required of everybody else.
ALTER TABLE users ADD COLUMN break_glass boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX users__break_glass ON users (tenant_id) WHERE break_glass AND deleted_at IS NULL;
ALTER TABLE tenant_settings ADD COLUMN require_provider boolean NOT NULL DEFAULT false;
