-- Who did what recent_at tells the time of: it is no news to them. NULL for what happened before this column was there.
ALTER TABLE posts ADD COLUMN recent_by bigint;
