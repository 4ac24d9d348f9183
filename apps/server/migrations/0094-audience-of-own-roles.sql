-- Roles of a tenant have numbers above those of the built-in ones. Tables of definitions are small.
ALTER TABLE fields ALTER COLUMN visible_roles TYPE integer[];
ALTER TABLE workflow_transitions ALTER COLUMN roles TYPE integer[];
ALTER TABLE workflow_states ALTER COLUMN edit_roles TYPE integer[];
-- By the external id files of communities find a role.
ALTER TABLE own_roles ADD COLUMN external_id text;
CREATE UNIQUE INDEX own_roles_external_id ON own_roles (tenant_id, external_id);
