/** Creates workspaces (operation createWorkspace) and, for generators and imports, fills them. */

import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, invalid, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { optionalText, readTranslations, requiredText } from '../../../kernel/text-input.ts';
import { unknownPrincipals } from '../../people/index.ts';
import { MAX_EXTERNAL_ID, MAX_NAME, MAX_TEXT } from './workspace-input.ts';
import { requireWorkspaceAdministrator } from './workspaces.policy.ts';
import { addMembers, type LanguageMap, type NewMember, readWorkspace } from './workspaces.repository.ts';

interface NewWorkspace {
  name?: string;
  /** The name by language code. */
  translations?: LanguageMap;
  /** Purpose of the workspace, by language code. */
  description?: LanguageMap;
  coverContentRef?: string;
  logoContentRef?: string;
  /** Unique within the tenant; at most 255 code points; blank counts as absent. */
  externalId?: string;
}

/** Workspaces of one name that a message lists. */
const NAMESAKES = 10;

/**
 * Creates a workspace.
 * @returns its id
 * @throws PorticoError FORBIDDEN; ValidationError
 */
export async function createWorkspace(scope: Scope, workspace: NewWorkspace): Promise<number> {
  return writeTransaction(scope, 'none', (write) => insertWorkspace(write, workspace));
}

/**
 * Finds a workspace by its external id, else by its name, or creates it. An existing workspace
 * stays as it is.
 * @returns its id
 * @throws PorticoError CONFLICT where several have the name; FORBIDDEN; ValidationError
 */
export async function ensureWorkspace(scope: Scope, workspace: NewWorkspace): Promise<number> {
  return writeTransaction(scope, 'none', async (write) => {
    const rows = await write.tx.query<{ id: number }>(
      `SELECT id FROM workspaces WHERE tenant_id = $1 AND CASE WHEN $2::text IS NULL THEN name = $3 ELSE external_id = $2 END
        ORDER BY id LIMIT ${NAMESAKES}`,
      [write.tx.tenantId, workspace.externalId ?? null, workspace.name?.trim()],
    );
    if (rows.length > 1) {
      const ids = rows.map(({ id }) => id).join(', ');
      const message = `Several workspaces are called "${workspace.name}": ${ids}. Give the others another name first.`;
      throw new PorticoError('CONFLICT', { message });
    }
    return rows[0]?.id ?? insertWorkspace(write, workspace);
  });
}

async function insertWorkspace(write: WriteScope, workspace: NewWorkspace): Promise<number> {
  requireWorkspaceAdministrator(write.actor);
  const errors = new FieldErrors();
  const name = requiredText('name', workspace.name, MAX_NAME, errors);
  const translations = readTranslations('translations', workspace.translations, errors, MAX_TEXT);
  const description = readTranslations('description', workspace.description, errors, MAX_TEXT);
  const externalId = optionalText('externalId', workspace.externalId, MAX_EXTERNAL_ID, errors);
  errors.throwIfAny();
  const [row] = await write.tx.create<{ id: number }>(
    'workspaces',
    `INSERT INTO workspaces (tenant_id, name, translations, description, cover_content_ref, logo_content_ref, external_id,
       creator_id, created_at, modifier_id, modified_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8, $9) RETURNING id`,
    [
      write.tx.tenantId,
      name,
      JSON.stringify(translations),
      JSON.stringify(description),
      workspace.coverContentRef ?? null,
      workspace.logoContentRef ?? null,
      externalId,
      write.actor.userId,
      new Date(write.now),
    ],
  );
  return row!.id;
}

/** Write transactions change at most 500 rows. */
const BATCH = 400;

/**
 * Replaces the members of a workspace by the given people and groups. Raises the token of its form.
 * @param members users by id, groups by negated id; `roleId` null for plain membership. A
 *   principal may stand in the list with several roles.
 * @throws PorticoError FORBIDDEN, NOT_FOUND; ValidationError for unknown principals
 */
export async function setWorkspaceMembers(
  scope: Scope,
  workspaceId: number,
  members: readonly NewMember[],
): Promise<void> {
  for (let start = 0; start === 0 || start < members.length; start += BATCH) {
    const batch = members.slice(start, start + BATCH);
    await writeTransaction(scope, 'access', async (write) => {
      requireWorkspaceAdministrator(write.actor);
      await readWorkspace(write.tx, workspaceId);
      const unknown = await unknownPrincipals(
        write,
        batch.map(({ principal }) => principal),
      );
      if (unknown.size > 0) {
        throw invalid('members', 'UNKNOWN_REFERENCE', 'There are no such users or groups.', [...unknown]);
      }
      if (start === 0) await removeOthers(write, workspaceId, members);
      await addMembers(write, workspaceId, batch);
      await write.tx.sendChange(
        'workspaces',
        [workspaceId],
        `UPDATE workspaces SET version = version + 1, modifier_id = $3, modified_at = $4 WHERE tenant_id = $1 AND id = $2`,
        [write.tx.tenantId, workspaceId, write.actor.userId, new Date(write.now)],
      );
    });
  }
}

async function removeOthers(write: WriteScope, workspaceId: number, members: readonly NewMember[]): Promise<void> {
  await write.tx.sendChange(
    'workspaces',
    [workspaceId],
    `DELETE FROM workspace_members m
      WHERE m.tenant_id = $1 AND m.workspace_id = $2
        AND NOT EXISTS (SELECT FROM unnest($3::bigint[], $4::integer[]) AS k (principal, role_id)
                         WHERE k.principal = m.principal AND k.role_id IS NOT DISTINCT FROM m.role_id)`,
    [write.tx.tenantId, workspaceId, members.map(({ principal }) => principal), members.map(({ roleId }) => roleId)],
  );
}
