/** Builds the HTTP application with all routes. It never listens. */
import { finished } from 'node:stream';
import compress from '@fastify/compress';
import { communitySchemas } from '@portico/contract';
import { clamAvScanner } from '@portico/platform/files';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { AnswerLimits } from '../http/answer-rate.ts';
import { authenticate, checkSignIn } from '../http/authentication.ts';
import { registerCalendarRoute } from '../http/calendar-route.ts';
import { registerCommunityArchiveRoute } from '../http/community-archive-route.ts';
import { registerCors } from '../http/cors.ts';
import { registerDocs } from '../http/docs.ts';
import { registerDocsSite } from '../http/docs-site.ts';
import { registerExportRoutes } from '../http/export-routes.ts';
import { registerFileRoutes } from '../http/file-routes.ts';
import { isFilesHost, registerFilesHost, tenantOfLink } from '../http/files-host.ts';
import { registerHealth } from '../http/health.ts';
import { registerLiveRoute } from '../http/live-route.ts';
import { registerLogoRoute } from '../http/logo-route.ts';
import { mountOperations } from '../http/mount.ts';
import { registerPages } from '../http/pages.ts';
import { registerPersonalDataRoutes } from '../http/personal-data-routes.ts';
import { registerPhotoRoute } from '../http/photo-routes.ts';
import { registerProviderRoutes } from '../http/provider-routes.ts';
import { createRateLimits } from '../http/rate-limits.ts';
import { REQUEST_MS, registerRequestLimits } from '../http/request-limits.ts';
import { registerRequestLog } from '../http/request-log.ts';
import { RunningRequests } from '../http/running-requests.ts';
import { createServer } from '../http/server.ts';
import { baseUrlOf, originOf, tenantOf } from '../http/tenancy.ts';
import { registerUnsentAnswers, UnsentAnswers } from '../http/unsent-answers.ts';
import { registerUnsubscribeRoute } from '../http/unsubscribe-route.ts';
import { registerWeb, type WebPage } from '../http/web.ts';
import { findLooks } from '../http/web-branding.ts';
import { FailureLimit } from '../kernel/failure-limit.ts';
import { runWrite } from '../kernel/run-write.ts';
import type { Scope, TenantScope } from '../kernel/scope.ts';
import { readPostDefinition } from '../modules/communities/index.ts';
import { takeInUploads, tryUploads } from '../modules/files/index.ts';
import { LiveFeed } from '../modules/notifications/index.ts';
import { loadProviderClient } from '../modules/people/index.ts';
import { tables } from '../modules/tables.ts';
import { findPersonScope, systemAccountOf, systemScope, tenantScope } from '../modules/tenants/index.ts';
import { handlersOf } from './handlers.ts';
import type { Metrics } from './metrics.ts';
import type { Services } from './services.ts';
import type { Telemetry } from './telemetry/telemetry.ts';

export interface AppOptions {
  services: Services;
  logger?: FastifyServerOptions['loggerInstance'];
  metrics?: Metrics;
  telemetry?: Telemetry;
  https?: { cert: Buffer; key: Buffer };
  /** How long an operation may take; default {@link REQUEST_MS}. */
  requestMs?: number;
  /** How fast clients must take answers; default that of the server. */
  answers?: AnswerLimits;
  /**
   * Time limit of an export of a list and of an archive about a person. Milliseconds; default: the
   * limits of the contract.
   */
  exportMs?: number;
  /** Most live connections of a tenant; default that of the contract. */
  liveOfTenant?: number;
  /** The portal in a browser; left out where it was not built. */
  web?: WebPage | undefined;
  /** Aborted when the process is to stop. */
  stopping?: AbortSignal;
  /**
   * Aborted when the process only waits for the requests in flight: endless requests are then
   * ended.
   */
  closing?: AbortSignal;
}

/** An answer smaller than this is sent as it is. Bytes. */
const COMPRESS_FROM = 8 * 1024;
const COMPRESSED_TYPES = /^text\/(?!event-stream)|[+/](?:json|text|xml)(?:;|$)/;

/** Builds the application. @returns a Fastify instance, ready to listen or to be asked with `inject` */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { services } = options;
  const { config } = services;
  const app = createServer({
    logger: options.logger ?? false,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    ...(options.https && { https: options.https }),
    answers: options.answers,
  });
  const following = new Set<Promise<void>>();
  const afterAnswer = (request: FastifyRequest, reply: FastifyReply, work: () => Promise<void>) => {
    // Also when the client went away meanwhile.
    finished(reply.raw, () => {
      const running: Promise<void> = work()
        .catch((error: unknown) => services.log.error({ err: error, reqId: request.id }, 'work after an answer failed'))
        .finally(() => following.delete(running));
      following.add(running);
    });
  };
  const scopeOf = async (request: FastifyRequest) => {
    const addressed = isFilesHost(config.filesOrigin, request) ? tenantOfLink : tenantOf;
    const tenant = await addressed(services.tenants, request);
    const scope = await tenantScope(services, tenant, baseUrlOf(request), {
      signal: request.limits.signal,
      origin: originOf(request),
    });
    // For the log of every kind of route.
    request.tenantScope = scope;
    return scope;
  };

  const scanner = config.clamAv && clamAvScanner(config.clamAv);
  const { direct } = services.storage;
  const takeIn = direct && { direct, maxBytes: config.maxUploadBytes, ...(scanner && { scanner }) };

  options.telemetry?.watchRequests(app);
  const unsent = new UnsentAnswers(services.limits);
  registerUnsentAnswers(app, unsent);
  registerRequestLimits(app, options.requestMs ?? REQUEST_MS);
  registerRequestLog(app, services.log, options.metrics);
  if (config.filesOrigin !== undefined) registerFilesHost(app, config.filesOrigin);
  registerHealth(app, services, options.stopping ?? new AbortController().signal);
  await app.register(compress, {
    global: true,
    threshold: COMPRESS_FROM,
    customTypes: COMPRESSED_TYPES,
    encodings: ['gzip', 'br', 'identity'],
    // Other encodings need windows of many megabytes, before any sign-in.
    requestEncodings: ['gzip', 'deflate', 'identity'],
  });
  app.addHook('onSend', async (_request, reply) => noteEncodings(reply));
  const rateLimits = await createRateLimits(app, services.limits, config.anonymousRequests);
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) await rateLimits.anonymous(request, reply);
  });
  registerCors(app, scopeOf);
  const signedInScope = async (request: FastifyRequest, reply: FastifyReply, scope: TenantScope): Promise<Scope> => {
    const { tokens, actors, clock } = services;
    const { keyId, session, personalTokenId, ...authenticated } = await authenticate(
      request,
      reply,
      scope,
      tokens,
      actors,
    );
    const { userId } = authenticated.actor;
    services.accesses.note(scope.tenant.id, userId, { keyId, session, personalTokenId }, clock.now());
    return {
      ...scope,
      ...authenticated,
      ...(session && { sessionId: session.id }),
      ...(personalTokenId !== undefined && { personalTokenId }),
    };
  };
  const signIns = {
    limit: new FailureLimit({ node: services.limits, of: 'addresses', most: config.signInFailures }),
    clock: services.clock,
  };
  const providers = {
    client: loadProviderClient({ internalHosts: config.internalProviders, timeoutMs: config.providerTimeoutMs }),
    systemScope: async ({ tenant, db }: TenantScope) =>
      systemScope(services, tenant, await systemAccountOf(services, tenant), undefined, db.caller.origin),
  };
  const takeInSent = takeIn && ((scope: Scope, body: unknown) => takeInUploads(scope, body, takeIn));
  const handlers = handlersOf(services, providers, takeInSent);
  // The tenant's requirements may have changed since the connection began, or the tenant was disabled.
  const check = async (request: FastifyRequest, reply: FastifyReply, scope: Scope) => {
    if (!(await services.tenants.byId(scope.tenant.id))) return undefined;
    const settings = await services.tenants.settings(scope.tenant);
    return checkSignIn(request, reply, { ...scope, settings }, services.tokens, services.actors);
  };
  mountOperations(app, {
    handlers,
    tenantScope: scopeOf,
    signedInScope,
    rateLimits,
    running: new RunningRequests(services.limits, config.accountRequestsAtOnce),
    unsent,
    signIns,
    runWrite: (write) => runWrite(tables, write),
    wrote: ({ tenant }) => services.work.mark(tenant.id),
    ...(takeIn && {
      beforeWrite: (scope: Scope, body: unknown) => takeInUploads(scope, body, takeIn),
      beforeDryRun: (scope: Scope, body: unknown) => tryUploads(scope, body, takeIn),
    }),
    afterAnswer,
    checkAnswers: config.checkAnswers,
  });
  const feed = new LiveFeed(services.log);
  options.metrics?.watchLive(() => feed.size);
  registerLiveRoute(app, {
    feed,
    closing: options.closing,
    ofTenant: options.liveOfTenant,
    tenantScope: scopeOf,
    signedInScope,
    check,
    databaseOf: (tenantId) => services.databases.for(tenantId),
    rateLimits,
  });
  registerPersonalDataRoutes(app, {
    storage: services.storage,
    tenantScope: scopeOf,
    signedInScope,
    databaseOf: (tenantId) => services.databases.for(tenantId),
    rateLimits,
    longestMs: options.exportMs,
  });
  registerCommunityArchiveRoute(app, {
    storage: services.storage,
    tenantScope: scopeOf,
    signedInScope,
    check,
    databaseOf: (tenantId) => services.databases.for(tenantId),
    rateLimits,
    longestMs: options.exportMs,
  });
  registerExportRoutes(app, {
    handlers,
    tenantScope: scopeOf,
    signedInScope,
    check,
    rateLimits,
    longestMs: options.exportMs,
  });
  registerDocs(app, {
    rateLimits,
    tenantScope: scopeOf,
    signedInScope,
    communitySchemas: async (scope, communityId) => communitySchemas(await readPostDefinition(scope, communityId)),
  });
  registerDocsSite(app);
  const { web } = options;
  registerPages(
    app,
    async () => (options.stopping?.aborted ? 'stopping' : (await services.monitor.check()).state),
    web !== undefined,
  );
  if (web) registerWeb(app, web, { filesOrigin: config.filesOrigin, looksOf: findLooks(scopeOf) });
  registerFileRoutes(app, {
    storage: services.storage,
    node: services.limits,
    tenantScope: scopeOf,
    ...(scanner && { scanner }),
    takeIn,
    rateLimits,
    pending: config.pendingUploads,
  });
  registerProviderRoutes(app, {
    ...providers,
    tenantScope: scopeOf,
    rateLimits,
    signIns,
  });
  registerCalendarRoute(app, {
    tenantScope: scopeOf,
    readActor: ({ db }, userId, accessVersion) => services.actors.get(db, userId, accessVersion),
    rateLimits,
  });
  registerUnsubscribeRoute(app, {
    tenantScope: scopeOf,
    personScope: ({ tenant, db }, userId) => findPersonScope(services, tenant, userId, db.caller.origin),
    rateLimits,
  });
  registerPhotoRoute(app, { storage: services.storage, tenantScope: scopeOf });
  registerLogoRoute(app, { storage: services.storage, tenantScope: scopeOf });
  app.addHook('onClose', async () => {
    await Promise.all(following);
  });
  return app;
}

/**
 * Tells caches that a longer response of this route is compressed on request. Files, which are
 * never compressed, are left alone.
 */
function noteEncodings(reply: FastifyReply): void {
  if (reply.compress === null || !COMPRESSED_TYPES.test(String(reply.getHeader('Content-Type') ?? ''))) return;
  const named = String(reply.getHeader('Vary') ?? '');
  if (!/(?:^|,)\s*(?:accept-encoding|\*)\s*(?:,|$)/i.test(named))
    reply.header('Vary', named === '' ? 'accept-encoding' : `${named}, accept-encoding`);
}
