-- Rules of custom fields have the numbers of existing definitions where these have the rule: 1 required, 5 at most so many
-- items, 10 shown under a condition. The rules that only Portico has begin at 1000, and 10, which was one of them, with them.
-- Row security binds the owner as well, so each tenant is named in turn.
DO $$
DECLARE
  tenant bigint;
BEGIN
  FOR tenant IN SELECT id FROM tenants LOOP
    PERFORM set_config('app.tenant_id', tenant::text, true);
    UPDATE field_validations SET type_id = type_id + 1000
     WHERE tenant_id = tenant AND type_id NOT IN (1, 5) AND type_id < 1000;
    IF FOUND THEN
      -- What was read before is not kept: definitions in memory, and what clients know by the version of the community.
      UPDATE tenant_versions SET definitions_version = definitions_version + 1 WHERE tenant_id = tenant;
      UPDATE communities SET etag = etag + 1 WHERE tenant_id = tenant;
    END IF;
  END LOOP;
END $$;
