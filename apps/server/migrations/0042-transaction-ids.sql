-- The transaction that writes a row, as `changes` keeps it. On a cluster (Citus) pg_current_xact_id() in a statement is replaced
-- by that of the coordinator, but a row's xmin is that of the node which holds it. A function of a column of a row is called
-- there; one in SQL would be inlined. STABLE: within a statement it is the same.
CREATE FUNCTION portico_transaction(tenant_id bigint) RETURNS xid8 LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN pg_current_xact_id();
END $$;

-- Likewise the transaction before which all have ended.
CREATE FUNCTION portico_oldest_running(tenant_id bigint) RETURNS xid8 LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN pg_snapshot_xmin(pg_current_snapshot());
END $$;
