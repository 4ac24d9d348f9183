-- What lists cost, by their shape: from this the index adviser speaks (docs/adr/0010-index-adviser.md).

-- A row is what all lists of one shape in one community took in one day. The shape is the kinds of the filters, the ids of
-- the fields and the order, as JSON; never a value. Without foreign keys: these are figures, forgotten after 30 days.
CREATE TABLE list_shapes (
  tenant_id bigint NOT NULL,
  -- Days since 1970-01-01, UTC.
  day integer NOT NULL,
  community_id bigint NOT NULL,
  shape text NOT NULL,
  lists bigint NOT NULL DEFAULT 0,
  total_ms double precision NOT NULL DEFAULT 0,
  slowest_ms double precision NOT NULL DEFAULT 0,
  -- Ids of posts found; for totals nothing.
  found bigint NOT NULL DEFAULT 0,
  -- Ways taken (ADR 0005): walks of the order, pages driven from filters, and lists that failed in the database.
  walks bigint NOT NULL DEFAULT 0,
  drives bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, day, community_id, shape)
);
SELECT portico_secure_table('list_shapes');
