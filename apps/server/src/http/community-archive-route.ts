/** The route of archives of communities. It is no operation of the contract, whose answers are JSON. */
import { communityArchivePath } from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import type { FileStorage } from '@portico/platform/files';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid } from '../kernel/errors.ts';
import type { Actor, Scope, TenantScope } from '../kernel/scope.ts';
import { exportCommunityArchive } from '../modules/imports/index.ts';
import { MOUNT_PREFIX } from './mount.ts';
import type { RateLimits } from './rate-limits.ts';

/** Dependencies of the route. */
interface CommunityArchiveRouteOptions {
  readonly storage: FileStorage;
  /** The scope of a request before anyone has signed in. */
  tenantScope(request: FastifyRequest): Promise<TenantScope>;
  /** Signs the caller in. */
  signedInScope(request: FastifyRequest, reply: FastifyReply, scope: TenantScope): Promise<Scope>;
  /** The actor of a sign-in that was accepted, as they are now; undefined when it has ended. */
  check(request: FastifyRequest, reply: FastifyReply, scope: Scope): Promise<Actor | undefined>;
  /** The tenant's database, for no caller and without the time limits of a request. */
  databaseOf(tenantId: number): TenantDb;
  readonly rateLimits: RateLimits;
  /** How long an archive may take. Milliseconds; default that of the contract. */
  readonly longestMs?: number | undefined;
}

/** Registers `GET /admin/data/communities/{communityId}/archive`. */
export function registerCommunityArchiveRoute(app: FastifyInstance, options: CommunityArchiveRouteOptions): void {
  app.route<{ Params: { communityId: string } }>({
    method: 'GET',
    url: `${MOUNT_PREFIX}${communityArchivePath.replace('{communityId}', ':communityId')}`,
    exposeHeadRoute: false,
    // An archive is compressed already.
    ...({ compress: false } as object),
    handler: async (request, reply) => {
      const tenant = await options.tenantScope(request);
      const scope = await options.signedInScope(request, reply, tenant);
      request.signedInScope = scope;
      await options.rateLimits.signedIn(request, reply, scope);
      const { communityId } = request.params;
      if (!/^\d{1,15}$/.test(communityId)) throw invalid('communityId', 'INVALID_TYPE');
      const archive = await exportCommunityArchive(scope, Number(communityId), {
        storage: options.storage,
        db: options.databaseOf(scope.tenant.id).boundTo({ userId: scope.actor.userId }),
        actorNow: () => options.check(request, reply, scope),
        longestMs: options.longestMs,
      });
      const day = new Date(scope.clock.now()).toISOString().slice(0, 10);
      reply
        .header('Content-Type', 'application/zip')
        .header('Content-Disposition', `attachment; filename="community-${communityId}-${day}.zip"`)
        .header('Cache-Control', 'no-store');
      return reply.send(archive);
    },
  });
}
