/** Every module's share of the operations, together. */
import type { Handlers } from '../platform/operations.ts';
import type { Services } from '../services.ts';
import { authHandlers, DEFAULT_TOKEN_INFO_URL } from './auth/index.ts';
import { catalogHandlers } from './catalogs/index.ts';
import { commentsHandlers } from './comments/index.ts';
import { communityHandlers } from './communities/index.ts';
import { historyHandlers } from './history/index.ts';
import { peopleHandlers } from './people/index.ts';
import { postReadingHandlers } from './posts/reading/index.ts';
import { postWritingHandlers } from './posts/writing/index.ts';
import { streamHandlers } from './stream/index.ts';
import { tasksHandlers } from './tasks/index.ts';
import { workflowHandlers } from './workflow/index.ts';
import { workspaceHandlers } from './workspaces/index.ts';

/** All handlers; an operation that none answers is a 501. */
export function handlersOf(services: Services): Handlers {
  const { config } = services;
  return {
    ...authHandlers(services.tokens, {
      tokenInfoUrl: config.providerTokenInfoUrl ?? DEFAULT_TOKEN_INFO_URL,
      timeoutMs: config.providerTimeoutMs,
      ...(config.providerClient && { client: config.providerClient }),
    }),
    ...catalogHandlers,
    ...commentsHandlers,
    ...communityHandlers,
    ...historyHandlers,
    ...peopleHandlers,
    ...postReadingHandlers,
    ...postWritingHandlers,
    ...streamHandlers,
    ...tasksHandlers,
    ...workflowHandlers,
    ...workspaceHandlers,
  };
}
