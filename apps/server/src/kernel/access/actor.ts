/**
 * Loads the actor of a request. The first statement of every request reads the actor, so blocking a
 * user or revoking a key takes effect on the next request, on every node. Groups and roles are
 * cached per user until the tenant's access version changes.
 */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { LRUCache } from 'lru-cache';
import { fullNameSql } from '../full-name.ts';
import type { Actor, ActorLimits, AdministrativeRight } from '../scope.ts';
import { isAtLeast, versionSql } from '../tenant-versions.ts';
import { heldRoles } from './permissions.ts';
import { heldRightsSql } from './rights.ts';
import { heldPermissionsSql } from './roles.ts';

/** State of the caller, as the first statement of a request reads it. */
export interface ActorState {
  blocked: boolean;
  deleted: boolean;
  /** True when the service-account key that the token came from is revoked. */
  keyRevoked: boolean;
  /** Sign-ins of an older version have ended. */
  sessionVersion: number;
  accessVersion: number;
  definitionsVersion: number;
  /** Raised whenever signing keys of the tenant come or go. */
  keysVersion: number;
}

/** SQL of the columns of {@link ActorState} but `keyRevoked`, of users `u` and tenant_versions `v`. */
export const actorStateColumns = `u.blocked, u.deleted_at IS NOT NULL AS deleted, u.session_version AS "sessionVersion",
  ${versionSql('access_version')} AS "accessVersion", ${versionSql('definitions_version')} AS "definitionsVersion",
  ${versionSql('keys_version')} AS "keysVersion"`;

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
    `SELECT ${actorStateColumns},
            ($3::bigint IS NOT NULL AND NOT EXISTS (
              SELECT FROM service_account_keys k
               WHERE k.tenant_id = $1 AND k.id = $3 AND k.user_id = u.id AND k.revoked_at IS NULL
                 AND (k.expires_at IS NULL OR k.expires_at > now()))) AS "keyRevoked"
       FROM users u JOIN tenant_versions v ON v.tenant_id = u.tenant_id
      WHERE u.tenant_id = $1 AND u.id = $2`,
    [db.tenantId, userId, keyId],
  );
  return rows[0];
}

interface ActorRow {
  name: string;
  rights: AdministrativeRight[];
  groupIds: number[];
  communityIds: number[];
  permissions: number[];
  /** Ids of roles of the tenant by community; null without any. */
  ownRoles: Record<string, number[]> | null;
  accessVersion: number;
  person: boolean;
  breakGlass: boolean;
  secondFactor: boolean;
}

/** Reads a user with groups and effective roles. @returns undefined when there is no such user, or the user is deleted or blocked. */
export async function loadActor(db: TenantExecutor, userId: number): Promise<Actor | undefined> {
  const rows = await db.query<ActorRow>(
    `WITH mine AS MATERIALIZED (
       SELECT coalesce(array_agg(m.group_id ORDER BY m.group_id), '{}') AS group_ids
         FROM group_members m JOIN groups g ON g.tenant_id = m.tenant_id AND g.id = m.group_id AND g.deleted_at IS NULL
        WHERE m.tenant_id = $1 AND m.user_id = $2),
     factors AS MATERIALIZED (
       SELECT count(*) AS number
         FROM (SELECT f.user_id FROM totp_factors f WHERE f.tenant_id = $1 AND f.user_id = $2 AND f.confirmed_at IS NOT NULL
               UNION ALL
               SELECT p.user_id FROM passkeys p WHERE p.tenant_id = $1 AND p.user_id = $2) held),
     principals AS MATERIALIZED (
       SELECT ARRAY[$2::bigint] || (SELECT coalesce(array_agg(-g), '{}') FROM mine, unnest(mine.group_ids) AS g) AS ids),
     roles AS MATERIALIZED (${heldPermissionsSql('(SELECT ids FROM principals)::bigint[]')})
     SELECT ${fullNameSql('u')} AS name, ${heldRightsSql('u')} AS rights, mine.group_ids AS "groupIds",
            (SELECT coalesce(array_agg(community_id ORDER BY community_id), '{}') FROM roles) AS "communityIds",
            (SELECT coalesce(array_agg(permissions ORDER BY community_id), '{}') FROM roles) AS permissions,
            (SELECT jsonb_object_agg(community_id, own_roles) FROM roles WHERE own_roles IS NOT NULL) AS "ownRoles",
            ${versionSql('access_version')} AS "accessVersion", NOT u.service_account AND NOT u.system_account AS person,
            u.break_glass AS "breakGlass",
            factors.number > 0 AS "secondFactor"
       FROM users u JOIN tenant_versions v ON v.tenant_id = u.tenant_id, mine, factors
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
    ...heldRoles(row.communityIds.map((communityId, index) => ({ communityId, bits: row.permissions[index]! }))),
    ...(row.ownRoles && { ownRoles: new Map(Object.entries(row.ownRoles).map(([id, held]) => [Number(id), held])) }),
    rights: new Set(row.rights),
    accessVersion: row.accessVersion,
    person: row.person,
    breakGlass: row.breakGlass,
    secondFactor: row.secondFactor,
  };
}

/** Returns an account without rights, roles and groups. */
export const nobody = (userId: number): Actor => ({
  userId,
  name: '',
  groupIds: [],
  principals: [],
  roles: new Map(),
  rights: new Set(),
  accessVersion: 0,
  person: true,
  breakGlass: false,
  secondFactor: false,
});

/**
 * Limits the actor to the permissions of a personal access token. Excluded, unless the sign-in of a
 * device was confirmed with it: the management of users, which could give others, or the holder,
 * another way to sign in. A token for chosen communities has the holder's roles there, and no
 * administrative right.
 */
export function limitActor(actor: Actor, limits: ActorLimits): Actor {
  const { communityIds, managesUsers } = limits;
  const rights =
    communityIds === null ? [...actor.rights].filter((right) => managesUsers || right !== 'manageUsers') : [];
  const kept = new Set(communityIds);
  const roles = communityIds === null ? actor.roles : new Map([...actor.roles].filter(([id]) => kept.has(id)));
  return { ...actor, roles, rights: new Set(rights), limits };
}

/** Reads an actor again, with the limits that it has. @returns undefined as {@link loadActor} */
export async function reloadActor(db: TenantExecutor, { userId, limits }: Actor): Promise<Actor | undefined> {
  const actor = await loadActor(db, userId);
  return actor && limits ? limitActor(actor, limits) : actor;
}

/** Keeps actors per tenant and user until the tenant's access version changes. */
export class ActorCache {
  readonly #actors = new LRUCache<string, Actor>({ max: 20_000 });

  /** The actor of a user at (or after) a version of the tenant's access rules. */
  async get(db: TenantExecutor, userId: number, accessVersion: number): Promise<Actor | undefined> {
    const key = `${db.tenantId}:${userId}`;
    const known = this.#actors.get(key);
    if (known && isAtLeast(known.accessVersion, accessVersion)) return known;
    const actor = await loadActor(db, userId);
    if (actor) this.#actors.set(key, actor);
    else this.#actors.delete(key);
    return actor;
  }
}
