-- The search over everything finds people by the caption below their name.
ALTER TABLE user_search ADD COLUMN caption_doc text NOT NULL DEFAULT '';
-- Nearly the normal form of the service, which replaces it with the next change of the person.
UPDATE user_search s
   SET caption_doc = ' ' || lower(regexp_replace(normalize(u.caption, NFKD), '[\u0300-\u036f]', '', 'g'))
  FROM users u
 WHERE u.tenant_id = s.tenant_id AND u.id = s.user_id AND u.caption IS NOT NULL AND u.deleted_at IS NULL;
CREATE INDEX user_search__caption ON user_search USING gin (tenant_id, caption_doc gin_trgm_ops);
CREATE OR REPLACE VIEW user_search_view AS
  SELECT tenant_id, user_id, doc, role_doc, place_doc, external_doc, personal_doc, provider_doc, caption_doc
    FROM user_search WHERE tenant_id = current_setting('app.tenant_id')::bigint
  WITH CASCADED CHECK OPTION;
