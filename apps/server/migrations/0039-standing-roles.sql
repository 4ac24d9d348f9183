-- A row gives a service account a role in every community of its tenant, also in those made later (1 manager,
-- 2 contributor, 3 reader). A stronger role that it has in a community counts there.
CREATE TABLE standing_roles (
  tenant_id bigint NOT NULL,
  user_id bigint NOT NULL,
  role_id smallint NOT NULL CHECK (role_id BETWEEN 1 AND 3),
  PRIMARY KEY (tenant_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
SELECT portico_secure_table('standing_roles');
