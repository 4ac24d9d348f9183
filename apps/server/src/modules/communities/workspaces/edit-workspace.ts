/** Editing a workspace (operation editWorkspace). */

import { type EditWorkspaceRequest, type GetWorkspaceForEditResponse, roles } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, PorticoError, unknownElements } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { readTranslations, requiredText } from '../../../kernel/text-input.ts';
import { claimPicture } from '../../files/index.ts';
import { unknownPrincipals } from '../../people/index.ts';
import { lockedRoles } from '../roles/roles.repository.ts';
import { loadWorkspaceForm } from './read-workspace.ts';
import { MAX_NAME, MAX_TEXT } from './workspace-input.ts';
import { requireWorkspaceAdministrator } from './workspaces.policy.ts';
import {
  addMembers,
  lockWorkspace,
  type NewMember,
  refuseStale,
  removePlainMembers,
  removeRoles,
} from './workspaces.repository.ts';

/**
 * Replaces name, translations and description (an omitted translations or description field is
 * emptied); omitted pictures are unchanged. Members change by the lists only: adding an existing
 * member or removing an absent one changes nothing.
 * @param occToken the version from the form
 * @returns the form after the edit
 * @throws PorticoError FORBIDDEN, NOT_FOUND, WORKSPACE_ARCHIVED, CONFLICT_STALE_TOKEN;
 *   ValidationError with every error
 */
export async function editWorkspace(
  scope: Scope,
  workspaceId: number,
  occToken: number,
  request: EditWorkspaceRequest,
): Promise<GetWorkspaceForEditResponse> {
  return writeTransaction(scope, changesPeople(request) ? 'access' : 'none', async (write) => {
    requireWorkspaceAdministrator(write.actor);
    const before = await lockWorkspace(write.tx, workspaceId);
    if (before.archivedAt !== null) throw new PorticoError('WORKSPACE_ARCHIVED');
    if (before.version !== occToken) await refuseStale(write.tx, workspaceId);
    const errors = new FieldErrors(write.missing);
    const name = requiredText('name', request.name, MAX_NAME, errors);
    const translations = readTranslations('translations', request.translations, errors, MAX_TEXT);
    const description = readTranslations('description', request.description, errors, MAX_TEXT);
    const added = await readMembers(write, request, errors);
    const cover = await readPicture(
      write,
      'newCoverImageContentRef',
      request.newCoverImageContentRef,
      before.coverContentRef,
      errors,
    );
    const logo = await readPicture(
      write,
      'newLogoContentRef',
      request.newLogoContentRef,
      before.logoContentRef,
      errors,
    );
    const removed = request.removeRoleAssociationIds ?? [];
    const unknownRoles = new Set(await removeRoles(write.tx, workspaceId, removed));
    const message = 'The workspace has no such role assignment.';
    errors.push(...unknownElements('removeRoleAssociationIds', removed, unknownRoles, message));
    // Thrown after rows may have been deleted: the rollback restores them.
    errors.throwIfAny();
    await removePlainMembers(write.tx, workspaceId, [
      ...(request.removeUserIds ?? []),
      ...(request.removeGroupIds ?? []).map((id) => -id),
    ]);
    await addMembers(write, workspaceId, added);
    await write.tx.sendChange(
      'workspaces',
      [workspaceId],
      `UPDATE workspaces SET name = $3, translations = $4, description = $5, cover_content_ref = $6, logo_content_ref = $7,
              version = version + 1, modifier_id = $8, modified_at = $9
        WHERE tenant_id = $1 AND id = $2`,
      [
        write.tx.tenantId,
        workspaceId,
        name,
        JSON.stringify(translations),
        JSON.stringify(description),
        cover,
        logo,
        write.actor.userId,
        new Date(write.now),
      ],
    );
    return loadWorkspaceForm(write, write.tx, workspaceId);
  });
}

/** Only changes of people affect rights. */
function changesPeople(request: EditWorkspaceRequest): boolean {
  return [
    request.addUserRoleAssociations,
    request.addGroupRoleAssociations,
    request.removeRoleAssociationIds,
    request.addUserIds,
    request.removeUserIds,
    request.addGroupIds,
    request.removeGroupIds,
  ].some((list) => list !== undefined && list.length > 0);
}

async function readMembers(
  write: WriteScope,
  request: EditWorkspaceRequest,
  errors: FieldErrors,
): Promise<NewMember[]> {
  const wanted: (NewMember & { field: string })[] = [];
  const given = [...(request.addUserRoleAssociations ?? []), ...(request.addGroupRoleAssociations ?? [])];
  const known = await lockedRoles(
    write.tx,
    given.flatMap(({ roleId }) => roleId ?? []),
    roles.map(({ id }) => id),
  );
  const role = (field: string, roleId: number | undefined) => {
    if (roleId !== undefined && !known.has(roleId)) {
      const allowed = roles.map(({ id, name }) => `${id} (${name})`).join(', ');
      errors.add(field, 'INVALID_VALUE', `One of: ${allowed}, or a role of the tenant.`);
    }
    return roleId ?? null;
  };
  const add = (field: string, principal: number | undefined, roleId: number | null) => {
    if (principal !== undefined) wanted.push({ field, principal, roleId });
  };
  for (const [index, { userId, roleId }] of (request.addUserRoleAssociations ?? []).entries()) {
    const at = `addUserRoleAssociations[${index}]`;
    add(`${at}.userId`, positive(userId), role(`${at}.roleId`, roleId));
  }
  for (const [index, { groupId, roleId }] of (request.addGroupRoleAssociations ?? []).entries()) {
    const at = `addGroupRoleAssociations[${index}]`;
    add(`${at}.groupId`, negated(groupId), role(`${at}.roleId`, roleId));
  }
  for (const [index, id] of (request.addUserIds ?? []).entries()) add(`addUserIds[${index}]`, positive(id), null);
  for (const [index, id] of (request.addGroupIds ?? []).entries()) add(`addGroupIds[${index}]`, negated(id), null);
  const unknown = await unknownPrincipals(
    write,
    wanted.map(({ principal }) => principal),
  );
  for (const { field, principal } of wanted) {
    if (unknown.has(principal)) errors.add(field, 'UNKNOWN_REFERENCE');
  }
  return wanted.map(({ principal, roleId }) => ({ principal, roleId }));
}

/** Ids below 1 are invalid: a negative user id must not be read as a group, nor a negative group id as a user. */
function positive(id: number | undefined): number | undefined {
  return id === undefined ? undefined : Math.max(id, 0);
}

function negated(id: number | undefined): number | undefined {
  return id === undefined ? undefined : -Math.max(id, 0);
}

/** @returns the picture of the workspace after the edit */
async function readPicture(
  write: WriteScope,
  field: string,
  contentRef: string | undefined,
  present: string | null,
  errors: FieldErrors,
): Promise<string | null> {
  if (contentRef === undefined || contentRef === '' || contentRef === present) return present;
  if (await claimPicture(write.tx, contentRef, write.actor.userId, write.now)) return contentRef;
  errors.add(field, 'CONTENT_REF_INVALID');
  return present;
}
