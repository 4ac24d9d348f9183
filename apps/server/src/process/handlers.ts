/** The handlers of all modules, put together. */

import { FailureLimit } from '../kernel/failure-limit.ts';
import type { AllHandlers } from '../kernel/operations.ts';
import { auditHandlers } from '../modules/audit/index.ts';
import { authHandlers, DEFAULT_TOKEN_INFO_URL, personalTokenHandlers, sessionHandlers } from '../modules/auth/index.ts';
import { calendarsHandlers } from '../modules/calendars/index.ts';
import { catalogHandlers } from '../modules/catalogs/index.ts';
import { commentsHandlers } from '../modules/comments/index.ts';
import { communityHandlers } from '../modules/communities/index.ts';
import { communityFileHandlers } from '../modules/community-files/index.ts';
import { definitionChangeHandlers } from '../modules/definition-changes/index.ts';
import { explainHandlers } from '../modules/explain/index.ts';
import { fileHandlers } from '../modules/files/index.ts';
import { historyHandlers } from '../modules/history/index.ts';
import { identityProviderHandlers } from '../modules/identity-providers/index.ts';
import { importHandlers } from '../modules/imports/index.ts';
import { leavingHandlers } from '../modules/leaving/index.ts';
import { mailHandlers } from '../modules/mail/index.ts';
import { notificationsHandlers } from '../modules/notifications/index.ts';
import { ownWorkHandlers } from '../modules/own-work/index.ts';
import {
  ACCOUNT_FAILURES,
  passwordLinkHandlers,
  peopleHandlers,
  RESET_REQUESTS,
  signInHandlers,
} from '../modules/people/index.ts';
import { attachmentHandlers } from '../modules/posts/attachments/index.ts';
import { postMovingHandlers } from '../modules/posts/moving/index.ts';
import { postReadingHandlers } from '../modules/posts/reading/index.ts';
import { postTemplateHandlers } from '../modules/posts/templates/index.ts';
import { postVersionHandlers } from '../modules/posts/versions/index.ts';
import { postWritingHandlers } from '../modules/posts/writing/index.ts';
import { roleHandlers } from '../modules/roles/index.ts';
import { serviceAccountHandlers } from '../modules/service-accounts/index.ts';
import { streamHandlers } from '../modules/stream/index.ts';
import { tasksHandlers } from '../modules/tasks/index.ts';
import { tenantSettingsHandlers } from '../modules/tenants/index.ts';
import { viewHandlers } from '../modules/views/index.ts';
import { workflowHandlers } from '../modules/workflow/index.ts';
import { workspaceHandlers } from '../modules/workspaces/index.ts';
import type { Services } from './services.ts';

/**
 * The handlers of all operations. An operation without a handler is a type error here; handlers
 * belong in the `*.routes.ts` of a module.
 */
export function handlersOf(services: Services): AllHandlers {
  const { config, limits } = services;
  // Where failures have no limit, these have none.
  const limited = (most: number) => (config.signInFailures === 0 ? 0 : most);
  return {
    ...sessionHandlers,
    ...personalTokenHandlers,
    ...authHandlers(
      services.tokens,
      {
        tokenInfoUrl: config.providerTokenInfoUrl ?? DEFAULT_TOKEN_INFO_URL,
        timeoutMs: config.providerTimeoutMs,
        ...(config.providerClient && { client: config.providerClient }),
      },
      new FailureLimit({ node: limits, of: 'keys', most: config.signInFailures }),
      services.accesses,
    ),
    ...auditHandlers,
    ...catalogHandlers,
    ...commentsHandlers,
    ...attachmentHandlers,
    ...communityHandlers,
    ...communityFileHandlers,
    ...definitionChangeHandlers,
    ...fileHandlers({
      maxUploadBytes: config.maxUploadBytes,
      storage: services.storage,
      direct: services.storage.direct,
      pending: config.pendingUploads,
    }),
    ...explainHandlers,
    ...historyHandlers,
    ...postMovingHandlers,
    ...peopleHandlers,
    ...roleHandlers,
    ...serviceAccountHandlers,
    ...identityProviderHandlers(config.internalProviders),
    ...signInHandlers(
      services.tokens,
      new FailureLimit({ node: limits, of: 'accounts', most: limited(ACCOUNT_FAILURES) }),
    ),
    ...passwordLinkHandlers(
      new FailureLimit({
        node: limits,
        of: 'names',
        most: limited(RESET_REQUESTS),
        counted: 'requests for a new password',
      }),
    ),
    ...postReadingHandlers,
    ...postWritingHandlers,
    ...postVersionHandlers,
    ...postTemplateHandlers,
    ...calendarsHandlers,
    ...streamHandlers,
    ...tasksHandlers,
    ...notificationsHandlers,
    ...ownWorkHandlers,
    ...viewHandlers,
    ...importHandlers,
    ...leavingHandlers,
    ...mailHandlers,
    ...tenantSettingsHandlers,
    ...workflowHandlers,
    ...workspaceHandlers,
  };
}
