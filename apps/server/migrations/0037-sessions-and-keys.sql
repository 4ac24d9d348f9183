-- What ends sign-ins before their time, and secrets that can be replaced.

-- Raised when the user is blocked or signed out, or a credential of theirs is removed or replaced: access tokens carry the
-- version of their sign-in, and an older one is refused. Tokens without one are those of version 1.
ALTER TABLE users ADD COLUMN session_version bigint NOT NULL DEFAULT 1;

-- Raised when signing keys come or go: read with the first statement of every request, it voids what nodes remember.
ALTER TABLE tenant_versions ADD COLUMN keys_version bigint NOT NULL DEFAULT 1;

-- A row is a secret that signs page and sync tokens (page) or links to files (link). The newest whose time has come signs;
-- all that are there verify.
CREATE TABLE tenant_secrets (
  tenant_id bigint NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('page', 'link')),
  secret bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  signs_from timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id)
);
SELECT portico_secure_table('tenant_secrets');

-- Row security binds the owner too: tenant by tenant.
DO $$
DECLARE
  tenant record;
BEGIN
  FOR tenant IN SELECT id, created_at FROM tenants LOOP
    PERFORM set_config('app.tenant_id', tenant.id::text, true);
    INSERT INTO tenant_secrets (tenant_id, id, kind, secret, created_at, signs_from)
      SELECT tenant_id, 'page-1', 'page', opaque_secret, tenant.created_at, tenant.created_at
        FROM tenant_settings WHERE tenant_id = tenant.id
      UNION ALL
      SELECT tenant_id, 'link-1', 'link', link_secret, tenant.created_at, tenant.created_at
        FROM tenant_settings WHERE tenant_id = tenant.id;
  END LOOP;
  PERFORM set_config('app.tenant_id', '0', true);
END $$;

-- Only nodes of the version before still read these, while they are replaced; a secret that is withdrawn is emptied here too.
ALTER TABLE tenant_settings ALTER COLUMN opaque_secret DROP NOT NULL, ALTER COLUMN link_secret DROP NOT NULL;
