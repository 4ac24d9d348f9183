-- PDF documents have previews now: those that were stored before are looked at like new ones.
DO $$
DECLARE
  tenant bigint;
BEGIN
  FOR tenant IN SELECT id FROM tenants LOOP
    PERFORM set_config('app.tenant_id', tenant::text, true);
    UPDATE file_contents SET previews = NULL
     WHERE tenant_id = tenant AND state = 1 AND mime_type = 'application/pdf' AND previews = 0;
  END LOOP;
  PERFORM set_config('app.tenant_id', '', true);
END $$;
