/**
 * Who acts: read with the first statement of every request, so that blocking a user or revoking a key takes effect on
 * the very next one, on every node. Groups and roles are kept per user until the tenant's access version moves.
 */
import type { TenantExecutor } from '../../platform/db/tenant-db.ts';
import type { Actor, RoleId } from '../../platform/scope.ts';

/** What the first statement of a request says about its caller. */
export interface ActorState {
  blocked: boolean;
  deleted: boolean;
  /** True when the service-account key that the token came from is revoked. */
  keyRevoked: boolean;
  accessVersion: number;
  definitionsVersion: number;
}

/**
 * The state of a user and of the key they signed in with, and the tenant's versions.
 * @param keyId the service-account key of the token, or null for other sign-ins
 * @returns undefined when there is no such user
 */
export async function readActorState(
  db: TenantExecutor,
  userId: number,
  keyId: number | null,
): Promise<ActorState | undefined> {
  const rows = await db.query<ActorState>(
    `SELECT u.blocked, u.deleted_at IS NOT NULL AS deleted,
            ($3::bigint IS NOT NULL AND NOT EXISTS (
              SELECT FROM service_account_keys k
               WHERE k.tenant_id = $1 AND k.id = $3 AND k.user_id = u.id AND k.revoked_at IS NULL)) AS "keyRevoked",
            v.access_version AS "accessVersion", v.definitions_version AS "definitionsVersion"
       FROM users u JOIN tenant_versions v ON v.tenant_id = u.tenant_id
      WHERE u.tenant_id = $1 AND u.id = $2`,
    [db.tenantId, userId, keyId],
  );
  return rows[0];
}

interface ActorRow {
  name: string;
  managesUsers: boolean;
  managesWorkplace: boolean;
  groupIds: number[];
  communityIds: number[];
  roleIds: number[];
  accessVersion: number;
}

/**
 * SQL for the effective roles of one user: rows (community_id, role_id), the strongest of what is given in the community
 * itself, in its workspace, and by membership of the workspace (ruling 9). Administrators of a workspace (role 4) administer
 * it and are members like others.
 * @param tenant SQL of the tenant id  @param principals SQL of the user's principals, a bigint[]
 */
export function effectiveRolesSql(tenant: string, principals: string): string {
  return `SELECT community_id, min(role_id)::smallint AS role_id FROM (
      SELECT r.community_id, r.role_id FROM community_roles r
       WHERE r.tenant_id = ${tenant} AND r.principal = ANY (${principals})
      UNION ALL
      SELECT c.id, coalesce(nullif(m.role_id, 4), c.workspace_member_role) FROM workspace_members m
        JOIN communities c ON c.tenant_id = m.tenant_id AND c.workspace_id = m.workspace_id
       WHERE m.tenant_id = ${tenant} AND m.principal = ANY (${principals})
    ) given WHERE role_id IS NOT NULL GROUP BY community_id`;
}

/** Reads a user with groups and effective roles. @returns undefined when there is no such living, unblocked user. */
export async function loadActor(db: TenantExecutor, userId: number): Promise<Actor | undefined> {
  const rows = await db.query<ActorRow>(
    `WITH mine AS MATERIALIZED (
       SELECT coalesce(array_agg(m.group_id ORDER BY m.group_id), '{}') AS group_ids
         FROM group_members m JOIN groups g ON g.tenant_id = m.tenant_id AND g.id = m.group_id AND g.deleted_at IS NULL
        WHERE m.tenant_id = $1 AND m.user_id = $2),
     principals AS MATERIALIZED (
       SELECT ARRAY[$2::bigint] || (SELECT coalesce(array_agg(-g), '{}') FROM mine, unnest(mine.group_ids) AS g) AS ids),
     roles AS MATERIALIZED (${effectiveRolesSql('$1', '(SELECT ids FROM principals)::bigint[]')})
     SELECT concat_ws(' ', u.first_name, u.last_name) AS name, u.manages_users OR EXISTS (
              SELECT FROM groups g WHERE g.tenant_id = $1 AND g.id = ANY (mine.group_ids) AND g.manages_users) AS "managesUsers",
            u.manages_workplace OR EXISTS (
              SELECT FROM groups g WHERE g.tenant_id = $1 AND g.id = ANY (mine.group_ids) AND g.manages_workplace) AS "managesWorkplace", mine.group_ids AS "groupIds",
            (SELECT coalesce(array_agg(community_id ORDER BY community_id), '{}') FROM roles) AS "communityIds",
            (SELECT coalesce(array_agg(role_id ORDER BY community_id), '{}') FROM roles) AS "roleIds",
            v.access_version AS "accessVersion"
       FROM users u JOIN tenant_versions v ON v.tenant_id = u.tenant_id, mine
      WHERE u.tenant_id = $1 AND u.id = $2 AND u.deleted_at IS NULL AND NOT u.blocked`,
    [db.tenantId, userId],
  );
  const row = rows[0];
  if (!row) return undefined;
  return {
    userId,
    name: row.name,
    groupIds: row.groupIds,
    principals: [userId, ...row.groupIds.map((id) => -id)],
    roles: new Map(row.communityIds.map((id, index) => [id, row.roleIds[index] as RoleId])),
    managesUsers: row.managesUsers,
    managesWorkplace: row.managesWorkplace,
    accessVersion: row.accessVersion,
  };
}

/** Keeps actors per tenant and user for as long as the tenant's access version stands. */
export class ActorCache {
  readonly #actors = new Map<string, Actor>();
  readonly #limit: number;

  constructor(limit = 20_000) {
    this.#limit = limit;
  }

  /** The actor of a user at (or after) a version of the tenant's access rules. */
  async get(db: TenantExecutor, userId: number, accessVersion: number): Promise<Actor | undefined> {
    const key = `${db.tenantId}:${userId}`;
    const known = this.#actors.get(key);
    if (known && known.accessVersion >= accessVersion) return known;
    const actor = await loadActor(db, userId);
    this.#actors.delete(key);
    if (actor) {
      if (this.#actors.size >= this.#limit) this.#actors.delete(this.#actors.keys().next().value as string);
      this.#actors.set(key, actor);
    }
    return actor;
  }
}
