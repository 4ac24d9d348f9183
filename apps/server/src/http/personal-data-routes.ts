/** The routes of archives about one person. They are no operations of the contract, whose answers are JSON. */
import { ownExportPath, userExportPath } from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import type { FileStorage } from '@portico/platform/files';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid, PorticoError } from '../kernel/errors.ts';
import type { Scope, TenantScope } from '../kernel/scope.ts';
import { exportPerson } from '../modules/people/index.ts';
import { MOUNT_PREFIX } from './mount.ts';
import type { RateLimits } from './rate-limits.ts';

/** Dependencies of the routes. */
interface PersonalDataRoutesOptions {
  readonly storage: FileStorage;
  /** The scope of a request before anyone has signed in. */
  tenantScope(request: FastifyRequest): Promise<TenantScope>;
  /** Signs the caller in. */
  signedInScope(request: FastifyRequest, reply: FastifyReply, scope: TenantScope): Promise<Scope>;
  /** The tenant's database, for no caller and without the time limits of a request. */
  databaseOf(tenantId: number): TenantDb;
  readonly rateLimits: RateLimits;
  /** How long an archive may take. Milliseconds; default that of the contract. */
  readonly longestMs?: number | undefined;
}

/** Registers the archive of oneself, and for administrators that of a user. */
export function registerPersonalDataRoutes(app: FastifyInstance, options: PersonalDataRoutesOptions): void {
  const route = (path: string, whom: (request: FastifyRequest, scope: Scope) => number) =>
    app.route({
      method: 'GET',
      url: `${MOUNT_PREFIX}${path}`,
      exposeHeadRoute: false,
      // An archive is compressed already.
      ...({ compress: false } as object),
      handler: async (request, reply) => {
        const tenant = await options.tenantScope(request);
        const scope = await options.signedInScope(request, reply, tenant);
        request.signedInScope = scope;
        await options.rateLimits.signedIn(request, reply, scope);
        if (scope.personalTokenId !== undefined) throw new PorticoError('PERSONAL_TOKEN_NOT_ACCEPTED');
        const userId = whom(request, scope);
        const db = options.databaseOf(scope.tenant.id).boundTo({ userId: scope.actor.userId });
        const archive = await exportPerson(scope, userId, { storage: options.storage, db }, options.longestMs);
        reply
          .header('Content-Type', 'application/zip')
          .header('Content-Disposition', `attachment; filename="person-${userId}.zip"`)
          .header('Cache-Control', 'no-store');
        return reply.send(archive);
      },
    });
  route(ownExportPath, (_request, { actor }) => actor.userId);
  route(userExportPath.replace('{userId}', ':userId'), ({ params }) => {
    const { userId } = params as { userId: string };
    if (!/^\d{1,15}$/.test(userId)) throw invalid('userId', 'INVALID_TYPE');
    return Number(userId);
  });
}
