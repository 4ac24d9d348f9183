-- Since when a community can only be read; NULL while it is in use.
ALTER TABLE communities ADD COLUMN archived_at timestamptz;
