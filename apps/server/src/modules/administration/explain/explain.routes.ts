/** Operations that explain and check. */
import type { Handlers } from '../../../kernel/operations.ts';
import { explainComment, explainCommunity, explainPost, explainRights, explainTask, explainView } from './explain.ts';
import { explainNotifications } from './explain-notifications.ts';

export const explainHandlers = {
  explainNotifications: ({ scope, params, query }) => explainNotifications(scope, params.postId, query),
  explainPost: ({ scope, params, query }) => explainPost(scope, params.postId, query),
  explainComment: ({ scope, params, query }) => explainComment(scope, params.commentId, query),
  explainTask: ({ scope, params, query }) => explainTask(scope, params.taskId, query),
  explainView: ({ scope, params, query }) => explainView(scope, params.viewId, query),
  explainCommunity: ({ scope, params, query }) => explainCommunity(scope, params.communityId, query),
  explainRights: ({ scope, query }) => explainRights(scope, query),
} satisfies Handlers;
