/** Which notifications a user may see: of posts that they see, and of comments where they see these. */
import { communitiesWith, Parameters, seesCommentsSql, visiblePostSql } from '../../kernel/access/index.ts';
import type { Actor } from '../../kernel/scope.ts';

/** Parameters of a statement on notifications of the actor, `$1` the tenant and `$2` the user, and the conditions of visibility. */
export function visibleNotifications(tenantId: number, actor: Actor): { parameters: Parameters; where: string[] } {
  const parameters = new Parameters([tenantId, actor.userId]);
  const visible = visiblePostSql('p', actor, parameters);
  const comments = `p.community_id = ANY (${parameters.add(communitiesWith(actor, 'comment'))}::bigint[])`;
  return { parameters, where: [visible, `(n.comment_id IS NULL OR ${seesCommentsSql('c', comments)})`] };
}
