/**
 * Posts that roles and groups took from an account after messages had told of them. Such a change
 * writes no change of a post, so the log of the webhook tells which posts its receiver knows.
 */
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { stableHash } from '@portico/platform/tokens';
import { Parameters, visiblePostSql } from '../../../kernel/access/index.ts';
import type { Actor } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import type { WebhookRow } from '../webhooks.repository.ts';

const p = sqlColumns('posts', 'p');

/** A post that an account no longer sees. */
interface LostPost {
  readonly postId: number;
  readonly communityId: number;
}

/** Returns a digest of all that decides which posts an account sees, grants of posts apart. */
export function reachOf({ roles, permissions, groupIds }: Actor): string {
  const byId = (map: ReadonlyMap<number, number> | undefined) => [...(map ?? [])].sort(([a], [b]) => a - b);
  return stableHash([byId(roles), byId(permissions), [...groupIds].sort((a, b) => a - b)]);
}

/** Returns whether a webhook receives `post.gone` for posts that roles and groups take. A chat keeps no copy of posts. */
export function followsSight({ form, events }: WebhookRow): boolean {
  return form === 'standard' && (events.length === 0 || events.includes('post.gone'));
}

/**
 * Returns posts that messages in the log of a webhook told of, the last one not as gone, and that
 * its account does not see, by id.
 */
export function lostPosts(tx: TenantTx, webhook: WebhookRow, actor: Actor, limit: number): Promise<LostPost[]> {
  const parameters = new Parameters([tx.tenantId, webhook.id]);
  const chosen =
    webhook.communityIds.length > 0
      ? `AND ${p.community_id} = ANY (${parameters.add(webhook.communityIds)}::bigint[])`
      : '';
  return tx.query<LostPost>(
    `SELECT told.post_id AS "postId", ${p.community_id} AS "communityId"
       FROM (SELECT DISTINCT ON (b.post_id) b.post_id, d.event
               FROM webhook_deliveries d JOIN webhook_bodies b ON b.tenant_id = d.tenant_id AND b.id = d.body_id
              WHERE d.tenant_id = $1 AND d.webhook_id = $2 AND b.post_id IS NOT NULL
              ORDER BY b.post_id, d.seq DESC, d.id DESC) told
       JOIN posts p ON p.tenant_id = $1 AND ${p.id} = told.post_id
      WHERE told.event <> 'post.gone' ${chosen} AND NOT ${visiblePostSql('p', actor, parameters)}
      ORDER BY told.post_id LIMIT ${parameters.add(limit)}`,
    parameters.values,
  );
}

/** Stores the reach of the account up to which a webhook was told. */
export async function setReach(db: TenantExecutor, id: number, { accessVersion }: Actor, reach: string): Promise<void> {
  await db.execute('UPDATE webhooks SET access_version = $3, reach = $4 WHERE tenant_id = $1 AND id = $2', [
    db.tenantId,
    id,
    accessVersion,
    reach,
  ]);
}
