/** Gives the managers of an import's community and the writers of its rows roles there. */
import { RoleId } from '@portico/contract';
import { writeTransaction } from '../../kernel/access/index.ts';
import type { CommunityRole, Scope } from '../../kernel/scope.ts';
import { sqlColumns } from '../columns.ts';
import { setCommunityRoles } from '../communities/index.ts';
import { ensureUsers } from '../people/index.ts';
import type { Prepared } from './prepared.ts';

const communityRoles = sqlColumns('community_roles');
const users = sqlColumns('users');

/**
 * Makes the import itself and the named accounts managers of the community; gives writers without a
 * role theirs.
 * @param named ids; if omitted, the first administrator becomes a manager, but only with the first
 * import into a community or if it has no manager: later imports do not restore a removed role
 */
export async function prepareRoles(prepared: Prepared, named: readonly number[] | undefined): Promise<void> {
  const { scope, mapping } = prepared;
  const present = await presentRoles(prepared);
  const wanted = authorRoles(prepared, present);
  const managerIds = await writeTransaction(scope, 'none', (write) =>
    ensureUsers(
      write,
      mapping.community.managers.map((email) => ({ name: email.slice(0, email.indexOf('@')), contactEmail: email })),
    ),
  );
  managerIds.push(...(named ?? []));
  const managed = [...present].some(([principal, role]) => role === RoleId.MANAGER && principal !== scope.actor.userId);
  if (named === undefined && !(managed && present.has(scope.actor.userId))) {
    managerIds.push(...(await firstAdministrator(scope)));
  }
  for (const id of [...managerIds, scope.actor.userId])
    if (present.get(id) !== RoleId.MANAGER) wanted.set(id, RoleId.MANAGER);
  await giveRoles(prepared, wanted);
}

async function giveRoles({ scope, portalIds }: Prepared, wanted: ReadonlyMap<number, CommunityRole>): Promise<void> {
  const roles = [...wanted].map(([principal, role]) => ({ principal, role }));
  if (roles.length > 0) await setCommunityRoles(scope, portalIds.communityId, roles);
}

/** Roles that people and groups have in the community themselves, by principal. */
async function presentRoles({ scope, portalIds }: Prepared): Promise<Map<number, CommunityRole>> {
  const db = scope.db;
  const rows = await db.query<{ principal: number; role: CommunityRole }>(
    `SELECT ${communityRoles.principal}, ${communityRoles.role_id} AS role FROM community_roles WHERE tenant_id = $1 AND ${communityRoles.community_id} = $2`,
    [db.tenantId, portalIds.communityId],
  );
  return new Map(rows.map(({ principal, role }) => [principal, role]));
}

/** Returns the roles of writers who have none. */
function authorRoles(
  { mapping, survey, portalIds }: Prepared,
  present: ReadonlyMap<number, CommunityRole>,
): Map<number, CommunityRole> {
  const { authorRole = RoleId.CONTRIBUTOR } = mapping.community;
  const wanted = new Map<number, CommunityRole>();
  if (authorRole === null) return wanted;
  for (const key of survey.authors) {
    const id = portalIds.people.get(key);
    if (id !== undefined && !present.has(id)) wanted.set(id, authorRole);
  }
  return wanted;
}

/** Gives writers of a community that was there already a role in it, unless they have one. */
export async function giveAuthorRoles(prepared: Prepared): Promise<void> {
  if (prepared.survey.authors.size > 0) await giveRoles(prepared, authorRoles(prepared, await presentRoles(prepared)));
}

/** Returns the holder of both administrative rights with the lowest id, if any. */
async function firstAdministrator(scope: Scope): Promise<number[]> {
  const db = scope.db;
  const rows = await db.query<{ id: number }>(
    `SELECT ${users.id} FROM users
      WHERE tenant_id = $1 AND ${users.manages_users} AND ${users.manages_workplace} AND NOT ${users.system_account} AND NOT ${users.service_account}
        AND NOT ${users.blocked} AND ${users.deleted_at} IS NULL
      ORDER BY ${users.id} LIMIT 1`,
    [db.tenantId],
  );
  return rows.map(({ id }) => id);
}
