-- An assertion is known by its key, jti, iat and exp together: some clients keep their jti for the life of a process and
-- sign anew. Rows of before, and of nodes of the version before, have zeros: they stand for a jti of any iat and exp.
ALTER TABLE used_assertions
  ADD COLUMN iat double precision NOT NULL DEFAULT 0,
  ADD COLUMN exp double precision NOT NULL DEFAULT 0,
  DROP CONSTRAINT used_assertions_pkey,
  ADD PRIMARY KEY (tenant_id, key_id, jti, iat, exp);
