import type pg from 'pg';

/**
 * Returns the effects of the new tenant on host names: a single tenant answers at every host name;
 * once there are two, each tenant answers only at its registered host names. The result holds
 * sentences, each with a host that answers. There are none for a tenant that is disabled.
 */
export async function hostWarnings(owner: pg.Client, newTenantId: number): Promise<string[]> {
  const { rows } = await owner.query<{ id: string; name: string; hosts: string[] }>(
    `SELECT t.id, t.name, coalesce(array_agg(h.host ORDER BY h.is_primary DESC, h.host) FILTER (WHERE h.host IS NOT NULL), '{}') AS hosts
       FROM tenants t LEFT JOIN tenant_hosts h ON h.tenant_id = t.id
      WHERE t.disabled_at IS NULL GROUP BY t.id ORDER BY t.id`,
  );
  const made = rows.find((row) => Number(row.id) === newTenantId);
  if (!made) return [];
  const others = rows.filter((row) => row !== made);
  if (others.length === 0)
    return [
      `While "${made.name}" is the only tenant, it answers at every host name; once there is a second one, only at ${made.hosts.join(', ')}.`,
    ];
  if (others.length > 1) return [];
  const [first] = others;
  return [
    `Warning: until now every host name was answered by "${first!.name}". From now on host names that are not registered get 404 UNKNOWN_TENANT, localhost and 127.0.0.1 too; "portico admin tenant hosts" registers more.`,
    first!.hosts.length > 0
      ? `"${first!.name}" answers at ${first!.hosts.join(', ')}; "${made.name}" at ${made.hosts.join(', ')}.`
      : `"${first!.name}" has no registered host name and answers nowhere now; "${made.name}" answers at ${made.hosts.join(', ')}.`,
  ];
}
