/**
 * SQL for the effective roles of one user: rows (community_id, role_id), the strongest of what is given in the community
 * itself, in every community (to service accounts), in its workspace, and by membership of the workspace (docs/decisions/people.md). Administrators of a
 * workspace (role 4) administer
 * it and are members like others.
 * @param tenant SQL of the tenant id  @param principals SQL of the user's principals, a bigint[]
 */
export function effectiveRolesSql(tenant: string, principals: string): string {
  return `SELECT community_id, min(role_id)::smallint AS role_id FROM (
      SELECT r.community_id, r.role_id FROM community_roles r
       WHERE r.tenant_id = ${tenant} AND r.principal = ANY (${principals})
      UNION ALL
      SELECT c.id, s.role_id FROM standing_roles s JOIN communities c ON c.tenant_id = s.tenant_id
       WHERE s.tenant_id = ${tenant} AND s.user_id = ANY (${principals})
      UNION ALL
      SELECT c.id, coalesce(nullif(m.role_id, 4), c.workspace_member_role) FROM workspace_members m
        JOIN communities c ON c.tenant_id = m.tenant_id AND c.workspace_id = m.workspace_id
       WHERE m.tenant_id = ${tenant} AND m.principal = ANY (${principals})
    ) given WHERE role_id IS NOT NULL GROUP BY community_id`;
}
