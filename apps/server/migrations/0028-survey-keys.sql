-- Answers to questionnaires and remarks on them are kept by the id of the question: q1 becomes 1.
-- Row security binds the owner as well, so each tenant is named in turn.
DO $$
DECLARE
  tenant bigint;
BEGIN
  FOR tenant IN SELECT id FROM tenants LOOP
    PERFORM set_config('app.tenant_id', tenant::text, true);
    UPDATE tasks SET
      survey_data = coalesce((SELECT jsonb_object_agg(regexp_replace(key, '^q(\d+)$', '\1'), value) FROM jsonb_each(survey_data)), survey_data),
      survey_comments = coalesce((SELECT jsonb_object_agg(regexp_replace(key, '^q(\d+)$', '\1'), value) FROM jsonb_each(survey_comments)), survey_comments)
     WHERE tenant_id = tenant AND (survey_data IS NOT NULL OR survey_comments IS NOT NULL);
  END LOOP;
  PERFORM set_config('app.tenant_id', '', true);
END $$;
