-- Who gave a role in a workspace or in every community, and when, and who put a member into a group: members of a community see who
-- gave themselves a role, in whichever way. NULL on rows of earlier versions.
ALTER TABLE workspace_members ADD COLUMN given_by bigint, ADD COLUMN given_at timestamptz;
ALTER TABLE standing_roles ADD COLUMN given_by bigint, ADD COLUMN given_at timestamptz;
ALTER TABLE group_members ADD COLUMN added_by bigint;
CREATE INDEX group_members__self_added ON group_members (tenant_id, group_id, user_id) WHERE added_by = user_id;
