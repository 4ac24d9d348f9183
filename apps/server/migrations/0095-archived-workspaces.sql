-- Since when a workspace can only be read, with its communities; NULL while it is in use.
ALTER TABLE workspaces ADD COLUMN archived_at timestamptz;
