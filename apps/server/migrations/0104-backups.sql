-- Backups of the whole installation, of Portico and of other tools. The owner writes the rows; the service reads how old the newest
-- is. No row security: a backup belongs to no tenant.
CREATE TABLE portico_backups (
  tool text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  place text NOT NULL,
  -- The time whose state a restored installation has.
  moment timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  bytes bigint,
  PRIMARY KEY (tool, name)
);
CREATE INDEX portico_backups__moment ON portico_backups (moment);
