/**
 * Whether the stored answer to a write may be sent once more to the caller who repeats it with the same `Idempotency-Key`. A
 * repeat is a request of its own: where the caller may no longer see the object it is a 404, where they have lost the right to
 * administer it a 403. A repeated deletion gets its stored answer: the object is gone because the caller deleted it.
 */
import type { Operation } from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { administrativeRights, hasPermission, holds, Parameters, seenPostSql } from './access/index.ts';
import { forbidden, notFound } from './errors.ts';
import type { Actor } from './scope.ts';

/** @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function mustStillSee(
  tx: TenantTx,
  actor: Actor,
  operation: Operation,
  params: Readonly<Record<string, unknown>>,
  answer: unknown,
): Promise<void> {
  const { permission } = operation;
  const asked = administrativeRights.filter((right) => [right, 'everyAdministrativeRight'].includes(permission));
  if (asked.some((right) => !holds(actor, right))) throw forbidden();
  const made = (answer ?? {}) as { postId?: number; communityId?: number };
  const named = params['communityId'] ?? (permission === 'editCommunity' ? made.communityId : undefined);
  const communityId = named === undefined ? undefined : Number(named);
  // Administrators of the workplace edit communities that they do not see; managers their own ones.
  const administers =
    holds(actor, 'manageDigitalWorplace') && ['manageDigitalWorplace', 'editCommunity'].includes(permission);
  if (communityId !== undefined && !administers) {
    if (!actor.roles.has(communityId)) throw notFound();
    if (permission === 'editCommunity' && !hasPermission(actor, communityId, 'manageCommunity')) throw forbidden();
  }
  if (permission === 'deletePost') return;
  const ofView = permission === 'seeView' || permission === 'editView';
  if (ofView && made.communityId !== undefined && !actor.roles.has(made.communityId)) throw notFound();
  if (permission === 'importPosts') {
    const into = communityId ?? made.communityId ?? 0;
    if (!actor.roles.has(into)) throw notFound();
    if (!hasPermission(actor, into, 'manageCommunity')) throw forbidden();
  }
  if (permission === 'applyCommunityFile' && !holds(actor, 'manageDigitalWorplace')) {
    if (!hasPermission(actor, made.communityId ?? 0, 'manageCommunity')) throw forbidden();
  }
  const postIds = [...new Set([params['postId'], made.postId].filter((id) => id !== undefined).map(Number))];
  const idOf = (name: string) => (params[name] === undefined ? null : Number(params[name]));
  const [taskId, commentId] = [idOf('taskId'), idOf('commentId')];
  const ofPart = taskId !== null || commentId !== null;
  if (postIds.length === 0 && !ofPart) return;
  const parameters = new Parameters([tx.tenantId]);
  const ids = parameters.add(postIds);
  const task = parameters.add(taskId);
  const comment = parameters.add(commentId);
  const [row] = await tx.query<{ seen: number }>(
    `SELECT count(*) AS seen FROM posts p
      WHERE p.tenant_id = $1
        AND (p.id = ANY (${ids}::bigint[])
             OR p.id = (SELECT t.post_id FROM tasks t WHERE t.tenant_id = $1 AND t.id = ${task}::bigint)
             OR p.id = (SELECT c.post_id FROM comments c WHERE c.tenant_id = $1 AND c.id = ${comment}::bigint))
        AND ${seenPostSql('p', actor, parameters)}`,
    parameters.values,
  );
  const wanted = postIds.length + (!ofPart || postIds.length > 0 ? 0 : 1);
  if ((row?.seen ?? 0) < wanted) throw notFound();
}
