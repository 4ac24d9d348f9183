-- An assertion of the older line of clients is answered again for two seconds after its first use. The token of that use is encrypted with
-- a key that follows from the assertion, which is not stored. NULL where the first use cannot be repeated.
ALTER TABLE used_assertions
  ADD COLUMN used_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN sealed_token bytea;

-- Service accounts follow nothing by writing it.
DO $$
DECLARE tenant bigint;
BEGIN
  FOR tenant IN SELECT id FROM tenants LOOP
    PERFORM set_config('app.tenant_id', tenant::text, true);
    UPDATE post_user_state s
       SET follows = false
      FROM users u
     WHERE u.tenant_id = tenant AND u.service_account AND s.tenant_id = tenant AND s.user_id = u.id AND s.follows;
  END LOOP;
  PERFORM set_config('app.tenant_id', '', true);
END $$;
