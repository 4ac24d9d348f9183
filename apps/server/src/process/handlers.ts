/** The handlers of all domains, put together. */

import { FailureLimit } from '../kernel/failure-limit.ts';
import type { AllHandlers } from '../kernel/operations.ts';
import type { Scope } from '../kernel/scope.ts';
import {
  communityPreviewHandlers,
  explainHandlers,
  groupAccessHandlers,
  healthHandlers,
  leavingHandlers,
  userAccessHandlers,
} from '../modules/administration/index.ts';
import {
  catalogHandlers,
  communityHandlers,
  hashtagHandlers,
  roleHandlers,
  serviceAccountHandlers,
  workspaceHandlers,
} from '../modules/communities/index.ts';
import {
  communityCheckHandlers,
  communityDraftHandlers,
  communityFileHandlers,
  definitionChangeHandlers,
} from '../modules/definitions/index.ts';
import { fileHandlers } from '../modules/files/index.ts';
import { importHandlers } from '../modules/imports/index.ts';
import {
  changeHandlers,
  communityFollowingHandlers,
  inboxHandlers,
  notificationsHandlers,
  ownCommunityHandlers,
  ownPostHandlers,
  postFollowingHandlers,
} from '../modules/notifications/index.ts';
import {
  ACCOUNT_FAILURES,
  areaHandlers,
  authHandlers,
  businessUnitHandlers,
  CODE_FAILURES,
  DEFAULT_TOKEN_INFO_URL,
  DEVICE_POLLS,
  DEVICE_REQUESTS,
  deviceSignInHandlers,
  groupHandlers,
  identityProviderHandlers,
  mailHandlers,
  ownIdentityHandlers,
  ownProfileHandlers,
  type ProviderSignIns,
  passwordLinkHandlers,
  personalTokenHandlers,
  RESET_REQUESTS,
  sessionHandlers,
  signInHandlers,
  userHandlers,
} from '../modules/people/index.ts';
import { commentsHandlers, tasksHandlers } from '../modules/post-parts/index.ts';
import {
  attachmentHandlers,
  calendarsHandlers,
  favouriteCommunityHandlers,
  historyHandlers,
  postMovingHandlers,
  postPartHandlers,
  postReadingHandlers,
  postTemplateHandlers,
  postVersionHandlers,
  postWritingHandlers,
  viewHandlers,
  workflowHandlers,
} from '../modules/posts/index.ts';
import { searchHandlers } from '../modules/search/index.ts';
import { auditHandlers, tenantSettingsHandlers } from '../modules/tenants/index.ts';
import { webhookHandlers } from '../modules/webhooks/index.ts';
import type { Services } from './services.ts';

/**
 * The handlers of all operations. An operation without a handler is a type error here; handlers
 * belong in the `*.routes.ts` of a domain.
 * @param takeIn takes in uploads that clients sent directly to the storage, for reads of them
 */
export function handlersOf(
  services: Services,
  providers: ProviderSignIns,
  takeIn?: (scope: Scope, body: unknown) => Promise<void>,
): AllHandlers {
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
    ...deviceSignInHandlers({
      requests: new FailureLimit({ node: limits, of: 'devices', most: limited(DEVICE_REQUESTS), counted: 'sign-ins' }),
      polls: new FailureLimit({ node: limits, of: 'results', most: limited(DEVICE_POLLS), counted: 'requests' }),
      guesses: new FailureLimit({ node: limits, of: 'codes', most: limited(CODE_FAILURES), counted: 'wrong codes' }),
    }),
    ...auditHandlers,
    ...catalogHandlers,
    ...commentsHandlers,
    ...attachmentHandlers,
    ...communityHandlers,
    ...communityFileHandlers,
    ...communityDraftHandlers,
    ...communityPreviewHandlers,
    ...definitionChangeHandlers,
    ...fileHandlers({
      maxUploadBytes: config.maxUploadBytes,
      storage: services.storage,
      direct: services.storage.direct,
      pending: config.pendingUploads,
    }),
    ...explainHandlers,
    ...communityCheckHandlers,
    ...historyHandlers,
    ...postMovingHandlers,
    ...userHandlers,
    ...groupHandlers,
    ...areaHandlers,
    ...businessUnitHandlers,
    ...ownProfileHandlers,
    ...ownIdentityHandlers,
    ...roleHandlers,
    ...hashtagHandlers,
    ...serviceAccountHandlers,
    ...identityProviderHandlers(config.internalProviders, providers),
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
    ...postPartHandlers,
    ...favouriteCommunityHandlers,
    ...postWritingHandlers,
    ...postVersionHandlers,
    ...postTemplateHandlers,
    ...calendarsHandlers,
    ...changeHandlers,
    ...tasksHandlers,
    ...notificationsHandlers(config.internalWebhooks),
    ...inboxHandlers,
    ...ownPostHandlers,
    ...ownCommunityHandlers,
    ...postFollowingHandlers,
    ...communityFollowingHandlers,
    ...viewHandlers,
    ...importHandlers({ storage: services.storage, takeIn }),
    ...healthHandlers,
    ...leavingHandlers,
    ...searchHandlers,
    ...groupAccessHandlers,
    ...userAccessHandlers,
    ...mailHandlers,
    ...tenantSettingsHandlers,
    ...workflowHandlers,
    ...workspaceHandlers,
    ...webhookHandlers(config.internalWebhooks),
  };
}
