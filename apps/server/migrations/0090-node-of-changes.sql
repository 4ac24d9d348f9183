-- Where a transaction is from: the group of the node in a cluster (Citus), 0 elsewhere. When a tenant has moved, transactions of
-- its changes are those of another node and cannot be compared. Citus replaces the body (platform/db/citus.ts).
CREATE FUNCTION portico_node(tenant_id bigint) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN 0;
END $$;

ALTER TABLE changes ADD COLUMN node integer NOT NULL DEFAULT 0;
