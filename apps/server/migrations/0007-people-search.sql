-- What the lists of people are searched and ordered by. Keys and documents are normalised by the service on write.

-- Sort keys of columns that the list of users is ordered by; NULL stands for an empty value, which is listed last.
ALTER TABLE users
  ADD COLUMN email_key text COLLATE "C",
  ADD COLUMN external_key text COLLATE "C",
  ADD COLUMN role_key text COLLATE "C",
  ADD COLUMN place_key text COLLATE "C";
CREATE INDEX users__tenant_first_key ON users (tenant_id, first_key);
CREATE INDEX users__tenant_email_key ON users (tenant_id, email_key);
CREATE INDEX users__tenant_created ON users (tenant_id, created_at);
CREATE INDEX users__tenant_area ON users (tenant_id, area_id) WHERE area_id IS NOT NULL;
CREATE INDEX users__tenant_business_unit ON users (tenant_id, business_unit_id) WHERE business_unit_id IS NOT NULL;
CREATE INDEX users__tenant_language ON users (tenant_id, language) WHERE language IS NOT NULL;
CREATE INDEX users__tenant_timezone ON users (tenant_id, timezone) WHERE timezone IS NOT NULL;
CREATE INDEX users__tenant_deleted ON users (tenant_id, id) WHERE deleted_at IS NOT NULL;
-- last_access_at has no index on purpose: it changes all the time, and without one the change stays within the page.

ALTER TABLE areas ADD COLUMN name_key text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE business_units ADD COLUMN name_key text COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX areas__name ON areas (tenant_id, name_key);
CREATE INDEX business_units__name ON business_units (tenant_id, name_key);

-- One document per filter of the list of users; doc holds first name, last name and contact address.
ALTER TABLE user_search
  ADD COLUMN role_doc text NOT NULL DEFAULT '',
  ADD COLUMN place_doc text NOT NULL DEFAULT '',
  ADD COLUMN external_doc text NOT NULL DEFAULT '',
  ADD COLUMN personal_doc text NOT NULL DEFAULT '',
  ADD COLUMN provider_doc text NOT NULL DEFAULT '';
DROP INDEX user_search__doc;
CREATE INDEX user_search__docs ON user_search USING gin (
  tenant_id, doc gin_trgm_ops, role_doc gin_trgm_ops, place_doc gin_trgm_ops, external_doc gin_trgm_ops,
  personal_doc gin_trgm_ops, provider_doc gin_trgm_ops);
CREATE OR REPLACE VIEW user_search_view AS
  SELECT tenant_id, user_id, doc, role_doc, place_doc, external_doc, personal_doc, provider_doc
    FROM user_search WHERE tenant_id = current_setting('app.tenant_id')::bigint;

-- A group may give its members the rights of administrators, beside those a user holds in person.
ALTER TABLE groups
  ADD COLUMN manages_users boolean NOT NULL DEFAULT false,
  ADD COLUMN manages_workplace boolean NOT NULL DEFAULT false;
CREATE INDEX groups__tenant_email_key ON groups (tenant_id, email_key, id);

-- A row holds the normalised name and address of one group, which the list of groups is searched by.
CREATE TABLE group_search (
  tenant_id bigint NOT NULL,
  group_id bigint NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (tenant_id, group_id),
  FOREIGN KEY (tenant_id, group_id) REFERENCES groups (tenant_id, id) ON DELETE CASCADE
);
SELECT portico_secure_viewed_table('group_search');
CREATE INDEX group_search__doc ON group_search USING gin (tenant_id, doc gin_trgm_ops);
CREATE VIEW group_search_view AS
  SELECT tenant_id, group_id, doc FROM group_search WHERE tenant_id = current_setting('app.tenant_id')::bigint;
