/** A tenant in which every set of administrative rights is held in every way, for attacks on the policy of rights. */
import { administrativeRights, loadActor, writeTransaction } from '../../src/kernel/access/index.ts';
import type { AdministrativeRight } from '../../src/kernel/scope.ts';
import {
  createCommunity,
  createWorkspace,
  setCommunityRole,
  setWorkspaceMembers,
} from '../../src/modules/communities/index.ts';
import { createGroupRecord, createServiceAccount, createUserRecord } from '../../src/modules/people/index.ts';
import type { TestAnswer, TestPortal, TestTenant } from '../support/index.ts';

const ADMIN = '/portal/api/external/v2/admin';

type Rights = readonly AdministrativeRight[];

/** Every set of administrative rights. */
export const rightSets: Rights[] = Array.from({ length: 2 ** administrativeRights.length }, (_, bits) =>
  administrativeRights.filter((_right, index) => bits & (1 << index)),
);

/** `manageUsers+manageDigitalWorplace`, or `none`. */
export const nameOf = (rights: Rights): string => rights.join('+') || 'none';
export const within = (inner: Iterable<AdministrativeRight>, outer: Rights): boolean =>
  [...inner].every((right) => outer.includes(right));

const fieldsOf = (rights: Rights) => ({
  managesUsers: rights.includes('manageUsers'),
  managesWorkplace: rights.includes('manageDigitalWorplace'),
});

export interface RightsWorld {
  tenant: TestTenant;
  /** For each set of rights, by {@link nameOf}: somebody who holds it directly, by a group, and that group. */
  direct: Readonly<Record<string, number>>;
  byGroup: Readonly<Record<string, number>>;
  groups: Readonly<Record<string, number>>;
  /** For each right: a group that gives it to a direct holder of all other rights. */
  mixedGroups: number[];
  /** Service accounts with no right and with all. */
  programs: number[];
  keys: number[];
  /** A person with no rights. */
  person: number;
  workspaceId: number;
  communityId: number;
  /** Give a role in the community, in the workspace, or none. */
  groupOfManagers: number;
  groupOfWorkspace: number;
  plainGroup: number;
  request(actor: number, method: string, path: string, body?: unknown): Promise<TestAnswer>;
  rows<R>(sql: string, values?: readonly unknown[]): Promise<R[]>;
}

export async function makeRightsWorld(portal: TestPortal): Promise<RightsWorld> {
  const tenant = await portal.createTenant();
  const system = await tenant.scope(tenant.systemUserId);
  const db = portal.services.databases.for(tenant.tenant.id);
  const made = await writeTransaction(system, 'access', async (write) => {
    const direct: Record<string, number> = {};
    const byGroup: Record<string, number> = {};
    const groups: Record<string, number> = {};
    const person = await createUserRecord(write, { lastName: 'Person', contactEmail: `person@${tenant.host}` });
    for (const rights of rightSets) {
      const name = nameOf(rights);
      direct[name] = await createUserRecord(write, {
        lastName: name,
        contactEmail: `direct-${name}@${tenant.host}`,
        googleAccountId: `account-${name}`,
        ...fieldsOf(rights),
      });
      byGroup[name] = await createUserRecord(write, { lastName: `Member ${name}`, customUsername: `member-${name}` });
      groups[name] = await createGroupRecord(write, { name, memberIds: [byGroup[name]], ...fieldsOf(rights) });
    }
    const mixedGroups: number[] = [];
    for (const right of administrativeRights) {
      const others = administrativeRights.filter((other) => other !== right);
      const member = await createUserRecord(write, { lastName: `Mixed ${right}`, ...fieldsOf(others) });
      const group = { name: `Mixed ${right}`, memberIds: [member], ...fieldsOf([right]) };
      mixedGroups.push(await createGroupRecord(write, group));
    }
    const programs = [
      await createServiceAccount(write, { name: 'Program', admin: false }),
      await createServiceAccount(write, { name: 'Administering program', admin: true }),
    ];
    const groupOfManagers = await createGroupRecord(write, { name: 'Managers', memberIds: [person] });
    const groupOfWorkspace = await createGroupRecord(write, { name: 'Workspace' });
    const plainGroup = await createGroupRecord(write, { name: 'Plain' });
    return { direct, byGroup, groups, mixedGroups, programs, person, groupOfManagers, groupOfWorkspace, plainGroup };
  });
  const keys: number[] = [];
  for (const program of made.programs) {
    // Nobody signs in with it.
    const [key] = await db.query<{ id: number }>(
      `INSERT INTO service_account_keys (tenant_id, user_id, public_key) VALUES ($1, $2, 'none') RETURNING id`,
      [db.tenantId, program],
    );
    keys.push(key!.id);
  }
  const fresh = await tenant.scope(tenant.systemUserId);
  const workspaceId = await createWorkspace(fresh, { name: 'Workspace' });
  const communityId = await createCommunity(fresh, { workspaceId, name: 'Community', descriptionEnabled: 1 });
  await setCommunityRole(fresh, communityId, [-made.groupOfManagers], 1);
  await setWorkspaceMembers(fresh, workspaceId, [{ principal: -made.groupOfWorkspace, roleId: 4 }]);
  return {
    ...made,
    tenant,
    keys,
    workspaceId,
    communityId,
    request: (actor, method, path, body) => tenant.request(actor, method, `${ADMIN}${path}`, body),
    rows: (sql, values = []) => db.query(sql, [db.tenantId, ...values]),
  };
}

interface Account {
  id: number;
  rights: AdministrativeRight[];
  /** Ways to sign in, and whether it may: only holders of all its rights may change them. */
  guarded: string;
}

/** Every account, with its rights as the server reads them. */
export async function accountsOf(world: RightsWorld): Promise<Map<number, Account>> {
  const { db } = await world.tenant.scope(world.tenant.systemUserId);
  const rows = await world.rows<{ id: number; guarded: string }>(
    `SELECT u.id, jsonb_build_array(u.blocked, u.deleted_at, u.session_version, u.google_account_id, u.custom_username,
              u.contact_email, u.private_email, u.password_hash,
              (SELECT jsonb_agg(k.id ORDER BY k.id) FROM service_account_keys k
                WHERE k.tenant_id = $1 AND k.user_id = u.id AND k.revoked_at IS NULL))::text AS guarded
       FROM users u WHERE u.tenant_id = $1 AND NOT u.system_account`,
  );
  const found = new Map<number, Account>();
  for (const { id, guarded } of rows) {
    const actor = await loadActor(db, id);
    found.set(id, { id, guarded, rights: [...(actor?.rights ?? [])] });
  }
  return found;
}
