-- A row gives the members of a group a role in every community of the tenant, also in those made later. Users have such roles in
-- `standing_roles`.
CREATE TABLE group_standing_roles (
  tenant_id bigint NOT NULL,
  group_id bigint NOT NULL,
  role_id integer NOT NULL CHECK (role_id > 0 AND role_id <> 4),
  given_by bigint,
  given_at timestamptz,
  PRIMARY KEY (tenant_id, group_id),
  FOREIGN KEY (tenant_id, group_id) REFERENCES groups (tenant_id, id) ON DELETE CASCADE
);
SELECT portico_secure_table('group_standing_roles');
