-- When background work is due for each tenant next. A tenant without a row is looked after at once. No row security: a node
-- reads those of all tenants. No foreign key: on a cluster the table is on the coordinator alone.
CREATE TABLE tenant_work (
  tenant bigint PRIMARY KEY,
  due_at timestamptz NOT NULL,
  marked_at timestamptz NOT NULL,
  marks bigint NOT NULL,
  watched_until timestamptz
);
-- Nodes of the version before write without a mark while they serve beside this one.
INSERT INTO tenant_work (tenant, due_at, marked_at, marks, watched_until)
  SELECT id, now(), now(), 1, now() + interval '1 hour' FROM tenants;
