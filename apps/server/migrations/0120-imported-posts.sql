-- Archives of communities: marks of imported posts and people, and the state of their imports.

-- Time of the import of a post: it, and its comments and events up to this time, came from another
-- portal. NULL: the post was written here.
ALTER TABLE posts ADD COLUMN imported_at timestamptz;

-- Time at which an import created a person as the author of imported posts.
ALTER TABLE users ADD COLUMN imported_at timestamptz;

-- Of the import of an archive: users by the keys of the archive. NULL: another import.
ALTER TABLE imports ADD COLUMN archived_people jsonb;
