/** SQL of workspaces and their members. */

import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { STANDING_ROLES, type WriteScope } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { type LastChange, staleToken } from '../../../kernel/stale-token.ts';
import { sqlColumns } from '../../columns.ts';

const g = sqlColumns('groups', 'g');
const u = sqlColumns('users', 'u');

/** Texts by language code. */
export type LanguageMap = Readonly<Record<string, string>>;

export interface WorkspaceRow {
  id: number;
  version: number;
  name: string;
  translations: LanguageMap;
  description: LanguageMap;
  coverContentRef: string | null;
  logoContentRef: string | null;
  creatorId: number;
  createdAt: number;
  modifierId: number;
  modifiedAt: number;
  /** Time since when it is read-only; null while it is not archived. */
  archivedAt: number | null;
}

const COLUMNS = `id, version, name, translations, description, cover_content_ref AS "coverContentRef",
  logo_content_ref AS "logoContentRef", creator_id AS "creatorId", created_at AS "createdAt",
  modifier_id AS "modifierId", modified_at AS "modifiedAt", archived_at AS "archivedAt"`;

/** Workspaces by id, in one statement. Unknown ids are missing. */
export async function loadWorkspaces(db: TenantExecutor, ids: Iterable<number>): Promise<Map<number, WorkspaceRow>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const rows = await db.query<WorkspaceRow>(
    `SELECT ${COLUMNS} FROM workspaces WHERE tenant_id = $1 AND id = ANY ($2::bigint[])`,
    [db.tenantId, wanted],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Locks one workspace for the rest of the write. @throws PorticoError NOT_FOUND */
export async function lockWorkspace(tx: TenantTx, workspaceId: number): Promise<WorkspaceRow> {
  const [row] = await tx.query<WorkspaceRow>(
    `SELECT ${COLUMNS} FROM workspaces WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
    [tx.tenantId, workspaceId],
  );
  if (!row) throw notFound();
  return row;
}

/** Returns one workspace. @throws PorticoError NOT_FOUND */
export async function readWorkspace(db: TenantExecutor, workspaceId: number): Promise<WorkspaceRow> {
  const row = (await loadWorkspaces(db, [workspaceId])).get(workspaceId);
  if (!row) throw notFound();
  return row;
}

/** A row of `workspace_members` whose user or group is not deleted. */
export interface MemberRow {
  /** Id of the assignment. */
  id: number;
  /** A user's id, or a group's id negated. */
  principal: number;
  /** null: plain membership. */
  roleId: number | null;
  /** Whether the user or group itself has a role in a community of the workspace. */
  inCommunity: boolean;
  /** Whether a user may sign in and holds a licence; false for groups. */
  licensed: boolean;
}

/**
 * Returns the members of a workspace and the holders of its roles: users by name, then groups by
 * name.
 */
export async function listMemberRows(db: TenantExecutor, workspaceId: number): Promise<MemberRow[]> {
  return db.query<MemberRow>(
    `SELECT m.id, m.principal, m.role_id AS "roleId",
            EXISTS (SELECT FROM communities c JOIN community_roles r ON r.tenant_id = c.tenant_id AND r.community_id = c.id
                     WHERE c.tenant_id = $1 AND c.workspace_id = m.workspace_id AND r.principal = m.principal)
              OR EXISTS (SELECT FROM communities c JOIN (${STANDING_ROLES}) s ON s.tenant_id = c.tenant_id
                     WHERE c.tenant_id = $1 AND c.workspace_id = m.workspace_id AND s.principal = m.principal) AS "inCommunity",
            ${u.id} IS NOT NULL AND NOT ${u.blocked} AND ${u.licence_types} <> '{}' AS licensed
       FROM workspace_members m
       LEFT JOIN users u ON u.tenant_id = m.tenant_id AND ${u.id} = m.principal AND ${u.deleted_at} IS NULL
       LEFT JOIN groups g ON g.tenant_id = m.tenant_id AND ${g.id} = -m.principal AND ${g.deleted_at} IS NULL
      WHERE m.tenant_id = $1 AND m.workspace_id = $2 AND (${u.id} IS NOT NULL OR ${g.id} IS NOT NULL)
      ORDER BY ${u.id} IS NULL, ${u.last_key}, ${u.first_key}, ${g.name_key}, m.principal, m.role_id NULLS LAST`,
    [db.tenantId, workspaceId],
  );
}

/** A membership to add: plain (`roleId` null) or of a role. */
export interface NewMember {
  principal: number;
  roleId: number | null;
}

/** Adds memberships, given by the actor; existing ones are kept. */
export async function addMembers(
  { tx, actor, now }: Pick<WriteScope, 'tx' | 'actor' | 'now'>,
  workspaceId: number,
  members: readonly NewMember[],
): Promise<void> {
  if (members.length === 0) return;
  await tx.sendChange(
    'workspaces',
    [workspaceId],
    `INSERT INTO workspace_members (tenant_id, id, workspace_id, principal, role_id, given_by, given_at)
     SELECT a.tenant_id, m.id, $2, m.principal, m.role_id, $6, $7
       FROM tenant_versions a, unnest($3::bigint[], $4::bigint[], $5::integer[]) AS m (id, principal, role_id)
      WHERE a.tenant_id = $1
     ON CONFLICT DO NOTHING`,
    [
      tx.tenantId,
      workspaceId,
      await takeIds(tx, 'workspace_members', members.length),
      members.map(({ principal }) => principal),
      members.map(({ roleId }) => roleId),
      actor.userId,
      new Date(now),
    ],
  );
}

/** Ends plain memberships; principals without one are ignored. */
export async function removePlainMembers(
  tx: TenantTx,
  workspaceId: number,
  principals: readonly number[],
): Promise<void> {
  if (principals.length === 0) return;
  await tx.sendChange(
    'workspaces',
    [workspaceId],
    `DELETE FROM workspace_members
      WHERE tenant_id = $1 AND workspace_id = $2 AND role_id IS NULL AND principal = ANY ($3::bigint[])`,
    [tx.tenantId, workspaceId, principals],
  );
}

/** Ends the roles and the membership of a principal, and raises the token of the workspace. */
export async function removeMember(
  { tx, actor, now }: Pick<WriteScope, 'tx' | 'actor' | 'now'>,
  workspaceId: number,
  principal: number,
): Promise<void> {
  await tx.sendChange(
    'workspaces',
    [workspaceId],
    'DELETE FROM workspace_members WHERE tenant_id = $1 AND workspace_id = $2 AND principal = $3',
    [tx.tenantId, workspaceId, principal],
  );
  await tx.sendChange(
    'workspaces',
    [workspaceId],
    `UPDATE workspaces SET version = version + 1, modifier_id = $3, modified_at = $4 WHERE tenant_id = $1 AND id = $2`,
    [tx.tenantId, workspaceId, actor.userId, new Date(now)],
  );
}

/**
 * Deletes roles by the id of their assignment. @returns ids that are no such assignment of this
 * workspace
 */
export async function removeRoles(tx: TenantTx, workspaceId: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const removed = await tx.changeRows<{ id: number }>(
    'workspaces',
    [workspaceId],
    `DELETE FROM workspace_members
      WHERE tenant_id = $1 AND workspace_id = $2 AND role_id IS NOT NULL AND id = ANY ($3::bigint[]) RETURNING id`,
    [tx.tenantId, workspaceId, ids],
  );
  const known = new Set(removed.map((row) => row.id));
  return [...new Set(ids)].filter((id) => !known.has(id));
}

/**
 * @throws PorticoError CONFLICT_STALE_TOKEN with the last editor of the workspace and the time;
 *   NOT_FOUND
 */
export async function refuseStale(tx: TenantTx, workspaceId: number): Promise<never> {
  const [row] = await tx.query<LastChange>(
    `SELECT version, modified_at AS "modifiedAt", modifier_id AS "modifierId" FROM workspaces WHERE tenant_id = $1 AND id = $2`,
    [tx.tenantId, workspaceId],
  );
  throw row ? await staleToken(tx, row) : notFound();
}
