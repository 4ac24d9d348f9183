/**
 * Archives communities and moves them between workspaces (operations archiveCommunity,
 * moveCommunity).
 */

import {
  type ArchiveCommunityRequest,
  type ArchiveCommunityResponse,
  listLimits,
  type MoveCommunityRequest,
  type MoveCommunityResponse,
  type User,
} from '@portico/contract';
import { writeTransaction } from '../../kernel/access/index.ts';
import { invalid, notFound } from '../../kernel/errors.ts';
import { requireFields } from '../../kernel/missing-fields.ts';
import type { Scope } from '../../kernel/scope.ts';
import { loadUserViews } from '../people/index.ts';
import { requireDefinitionRight } from './communities.policy.ts';
import { readCommunityHead, updateCommunityRow, workspaceExists } from './community-rows.ts';
import { sightByWorkspace } from './sight-by-workspace.ts';

/**
 * Archives or restores a community. Changes nothing if the community is already in that state.
 * @throws PorticoError FORBIDDEN without the right manageDigitalWorplace, NOT_FOUND;
 * ValidationError
 */
export async function archiveCommunity(
  scope: Scope,
  communityId: number,
  { archived }: ArchiveCommunityRequest,
): Promise<ArchiveCommunityResponse> {
  requireFields(scope);
  return writeTransaction(scope, 'definitions', async (write) => {
    requireDefinitionRight(write.actor);
    const before = await readCommunityHead(write.tx, communityId, true);
    if (!before) throw notFound();
    const since = archived ? (before.ownArchivedAt ?? write.now) : null;
    const same = since === before.ownArchivedAt;
    const withWorkspace = before.ownArchivedAt === null ? before.archivedAt : null;
    if (!same) await updateCommunityRow(write, communityId, { archived_at: since === null ? null : new Date(since) });
    return {
      communityId,
      archivedTimestamp: (since ?? withWorkspace) !== null ? (since ?? withWorkspace!) : undefined,
      nextOccToken: before.etag + (same ? 0 : 1),
    };
  });
}

/**
 * Moves a community to another workspace, and returns how many accounts gain or lose sight of it.
 * @throws PorticoError FORBIDDEN without the right manageDigitalWorplace, NOT_FOUND;
 * ValidationError
 */
export async function moveCommunity(
  scope: Scope,
  communityId: number,
  form: MoveCommunityRequest,
): Promise<MoveCommunityResponse> {
  requireFields(scope);
  const workspaceId = form.workspaceId!;
  return writeTransaction(scope, 'both', async (write) => {
    const { tx } = write;
    requireDefinitionRight(write.actor);
    const before = await readCommunityHead(tx, communityId, true);
    if (!before) throw notFound();
    if (!(await workspaceExists(tx, workspaceId)))
      throw invalid('workspaceId', 'UNKNOWN_REFERENCE', 'There is no such workspace.');
    const same = workspaceId === before.workspaceId;
    const { gaining, losing } = same
      ? { gaining: [], losing: [] }
      : await sightByWorkspace(tx, communityId, workspaceId);
    if (!same) await updateCommunityRow(write, communityId, { workspace_id: workspaceId });
    const [gains, loses] = [gaining, losing].map((ids) => ids.slice(0, listLimits.items)) as [number[], number[]];
    const users = await loadUserViews(write, tx, [...gains, ...loses]);
    const shown = (ids: readonly number[]) =>
      ids.map((id) => users.get(id)).filter((user): user is User => user !== undefined);
    return {
      communityId,
      workspaceId,
      gainingUsers: shown(gains),
      gainingUsersCount: gaining.length,
      losingUsers: shown(loses),
      losingUsersCount: losing.length,
      nextOccToken: before.etag + (same ? 0 : 1),
    };
  });
}
