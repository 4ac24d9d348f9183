-- Guests (role 5) see only posts that name them. Administrators of a workspace (role 4) have no role of their own in its communities.
ALTER TABLE community_roles DROP CONSTRAINT community_roles_role_id_check;
ALTER TABLE community_roles ADD CONSTRAINT community_roles_role_id_check CHECK (role_id > 0 AND role_id <> 4);
ALTER TABLE standing_roles DROP CONSTRAINT standing_roles_role_id_check;
ALTER TABLE standing_roles ADD CONSTRAINT standing_roles_role_id_check CHECK (role_id > 0 AND role_id <> 4);
