/**
 * Visibility of notifications: users see notifications of visible posts, and of comments where they
 * see comments.
 */
import { communitiesWith, Parameters, seesCommentsSql, visiblePostSql } from '../../kernel/access/index.ts';
import type { Actor } from '../../kernel/scope.ts';

/**
 * Returns the parameters of a statement on notifications of the actor (`$1` the tenant, `$2` the
 * user), and the conditions of visibility.
 */
export function visibleNotifications(tenantId: number, actor: Actor): { parameters: Parameters; where: string[] } {
  const parameters = new Parameters([tenantId, actor.userId]);
  const visible = visiblePostSql('p', actor, parameters);
  const comments = `p.community_id = ANY (${parameters.add(communitiesWith(actor, 'comment'))}::bigint[])`;
  return { parameters, where: [visible, `(n.comment_id IS NULL OR ${seesCommentsSql('c', comments)})`] };
}
