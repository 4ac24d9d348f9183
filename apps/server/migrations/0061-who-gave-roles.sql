-- Who gave a role in a community, and when: its members see who gave one to themselves. NULL on roles of earlier versions.
ALTER TABLE community_roles ADD COLUMN given_by bigint, ADD COLUMN given_at timestamptz;
