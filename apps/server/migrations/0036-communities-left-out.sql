-- The communities of posts that values refer to, of rows that nodes of an earlier version wrote before rows got 0. Row security
-- binds the owner as well, so each tenant is named in turn.
DO $$
DECLARE
  tenant bigint;
BEGIN
  FOR tenant IN SELECT id FROM tenants LOOP
    PERFORM set_config('app.tenant_id', tenant::text, true);
    UPDATE post_values v
       SET ref_community = coalesce((SELECT p.community_id FROM posts p WHERE p.tenant_id = tenant AND p.id = v.ref), 0)
      FROM fields f
     WHERE f.tenant_id = tenant AND f.type = 15 AND f.metadata ->> 'generic_entity_list_config_id' = 'communication.post'
       AND v.tenant_id = tenant AND v.field_id = f.id AND v.ref IS NOT NULL AND v.ref_community IS NULL;
  END LOOP;
END $$;
