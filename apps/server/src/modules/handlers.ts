/** Every module's share of the operations, together. */

import { FailureLimit } from '../platform/failure-limit.ts';
import { fileLinks } from '../platform/files/index.ts';
import type { Handlers } from '../platform/operations.ts';
import type { Scope } from '../platform/scope.ts';
import type { Services } from '../services.ts';
import { authHandlers, DEFAULT_TOKEN_INFO_URL } from './auth/index.ts';
import { catalogHandlers } from './catalogs/index.ts';
import { commentsHandlers } from './comments/index.ts';
import { createCommunityHandlers } from './communities/index.ts';
import { fileHandlers } from './files/index.ts';
import { historyHandlers } from './history/index.ts';
import { peopleHandlers } from './people/index.ts';
import { attachmentHandlers } from './posts/attachments/index.ts';
import { postReadingHandlers } from './posts/reading/index.ts';
import { postWritingHandlers } from './posts/writing/index.ts';
import { streamHandlers } from './stream/index.ts';
import { tasksHandlers } from './tasks/index.ts';
import { workflowHandlers } from './workflow/index.ts';
import { createWorkspaceHandlers } from './workspaces/index.ts';

/** Links to pictures that hang on no post: covers and logos. */
const pictureLink = (scope: Scope, contentRef: string) => fileLinks(scope).view({ contentRef, mimeType: null });

/** All handlers; an operation that none answers is a 501. */
export function handlersOf(services: Services): Handlers {
  const { config } = services;
  return {
    ...authHandlers(
      services.tokens,
      {
        tokenInfoUrl: config.providerTokenInfoUrl ?? DEFAULT_TOKEN_INFO_URL,
        timeoutMs: config.providerTimeoutMs,
        ...(config.providerClient && { client: config.providerClient }),
      },
      new FailureLimit(config.signInFailures),
    ),
    ...catalogHandlers,
    ...commentsHandlers,
    ...attachmentHandlers,
    ...createCommunityHandlers({ coverLink: pictureLink }),
    ...fileHandlers({
      maxUploadBytes: config.maxUploadBytes,
      storage: services.storage,
      direct: services.storage.direct,
    }),
    ...historyHandlers,
    ...peopleHandlers,
    ...postReadingHandlers,
    ...postWritingHandlers,
    ...streamHandlers,
    ...tasksHandlers,
    ...workflowHandlers,
    ...createWorkspaceHandlers({ pictureLink }),
  };
}
