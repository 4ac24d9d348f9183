-- The index of the search over posts, comments, tasks and files (docs/adr/0025-search.md). A
-- background job writes it; rows are of live posts only.

-- A row is a searchable object of a post. kind: 1 post, 2 comment, 3 task, 4 file. Words have
-- weights: A title or name, B text and fields, C text of a file, D title of the post that the object
-- belongs to. A lexeme with `=` is the stem of a word in a language.
CREATE TABLE search_entries (
  tenant_id bigint NOT NULL,
  kind smallint NOT NULL,
  object_id bigint NOT NULL,
  post_id bigint NOT NULL,
  community_id bigint NOT NULL,
  author_id bigint NOT NULL,
  at timestamptz NOT NULL,
  -- Comments and their files, which a community may hide from readers.
  of_comment boolean NOT NULL,
  -- Digest of the sources of the words.
  stamp text NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (tenant_id, kind, object_id),
  FOREIGN KEY (tenant_id, post_id) REFERENCES posts (tenant_id, id) ON DELETE CASCADE
);
SELECT portico_secure_viewed_table('search_entries');
CREATE INDEX search_entries__post ON search_entries (tenant_id, post_id);
CREATE INDEX search_entries__at ON search_entries (tenant_id, at, kind, object_id);
-- Without fastupdate, so that no read has to walk a list of entries that are not in the tree yet.
CREATE INDEX search_entries__words ON search_entries USING gin (tenant_id, words) WITH (fastupdate = off);
ALTER TABLE search_entries SET (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE VIEW search_entries_view AS
  SELECT tenant_id, kind, object_id, post_id, community_id, author_id, at, of_comment, words
    FROM search_entries
   WHERE tenant_id = current_setting('app.tenant_id')::bigint
  WITH CASCADED CHECK OPTION;

-- A row is a word of some entry, for typing errors and parts of words.
CREATE TABLE search_words (
  tenant_id bigint NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  word text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, word)
);
SELECT portico_secure_viewed_table('search_words');
CREATE INDEX search_words__parts ON search_words USING gin (tenant_id, word gin_trgm_ops);
CREATE VIEW search_words_view AS
  SELECT tenant_id, word FROM search_words
   WHERE tenant_id = current_setting('app.tenant_id')::bigint
  WITH CASCADED CHECK OPTION;

-- A row says how far the index of a tenant is: the changes up to seq of this generation of the
-- stream are in it, and so are the posts with ids of built_from and above. built_from NULL: all.
CREATE TABLE search_state (
  tenant_id bigint PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
  generation bigint NOT NULL,
  seq bigint NOT NULL,
  built_from bigint,
  -- Whether all posts were in the index once; until then the search of lists finds the others.
  complete boolean NOT NULL DEFAULT false
);
SELECT portico_secure_table('search_state');

-- A row is a post whose searchable texts changed without a change row.
CREATE TABLE search_pending (
  tenant_id bigint NOT NULL,
  post_id bigint NOT NULL,
  PRIMARY KEY (tenant_id, post_id),
  FOREIGN KEY (tenant_id, post_id) REFERENCES posts (tenant_id, id) ON DELETE CASCADE
);
SELECT portico_secure_table('search_pending');
