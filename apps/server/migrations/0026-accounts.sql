-- Accounts as existing clients know them.
--
-- Licences: every user was given one by default, and no operation assigned any. Nobody has one who was not given it.
-- Ways of signing in: there are set up ones and none. A stored one that was disabled is removed, not enabled; the person's
-- photo stays. Whoever has a credentials form open learns of it by its token.
ALTER TABLE users ALTER COLUMN licence_types SET DEFAULT '{}';

DO $$
DECLARE
  tenant bigint;
  google bigint;
  microsoft bigint;
  custom bigint;
  removed bigint := 0;
BEGIN
  FOR tenant IN SELECT id FROM tenants LOOP
    PERFORM set_config('app.tenant_id', tenant::text, true);
    UPDATE users SET licence_types = '{}' WHERE tenant_id = tenant AND licence_types = '{1}';

    -- A line each, Google first: what the list of users looks for an account in.
    UPDATE user_search s
       SET provider_doc = CASE
             WHEN u.google_account_id IS NOT NULL AND u.google_enabled THEN split_part(s.provider_doc, E'\n', 1)
             WHEN u.microsoft_account_id IS NOT NULL AND u.microsoft_enabled THEN
               split_part(s.provider_doc, E'\n', CASE WHEN u.google_account_id IS NULL THEN 1 ELSE 2 END)
             ELSE '' END
      FROM users u
     WHERE u.tenant_id = tenant AND s.tenant_id = tenant AND s.user_id = u.id
       AND (u.google_account_id IS NOT NULL AND NOT u.google_enabled
            OR u.microsoft_account_id IS NOT NULL AND NOT u.microsoft_enabled);

    UPDATE users SET google_account_id = NULL, credentials_version = credentials_version + 1,
           credentials_modified_at = now(), credentials_modified_by = NULL
     WHERE tenant_id = tenant AND google_account_id IS NOT NULL AND NOT google_enabled;
    GET DIAGNOSTICS google = ROW_COUNT;
    UPDATE users SET microsoft_account_id = NULL, credentials_version = credentials_version + 1,
           credentials_modified_at = now(), credentials_modified_by = NULL
     WHERE tenant_id = tenant AND microsoft_account_id IS NOT NULL AND NOT microsoft_enabled;
    GET DIAGNOSTICS microsoft = ROW_COUNT;
    UPDATE users SET custom_username = NULL, custom_can_manage = false, password_hash = NULL, password_expired = false,
           credentials_version = credentials_version + 1, credentials_modified_at = now(), credentials_modified_by = NULL
     WHERE tenant_id = tenant AND custom_username IS NOT NULL AND NOT custom_active;
    GET DIAGNOSTICS custom = ROW_COUNT;
    removed := removed + google + microsoft + custom;
  END LOOP;
  PERFORM set_config('app.tenant_id', '', true);
  IF removed > 0 THEN
    RAISE NOTICE 'removed % disabled ways of signing in', removed;
  END IF;
END $$;
