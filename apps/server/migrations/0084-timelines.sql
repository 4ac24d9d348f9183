-- The timeline of the server that holds a row, 0 on a standby: a new leader begins a new one. A function of a column of a row is
-- called on the node that holds it; one in SQL would be inlined.
CREATE FUNCTION portico_timeline(tenant_id bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF pg_is_in_recovery() THEN RETURN 0; END IF;
  RETURN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint;
END $$;
