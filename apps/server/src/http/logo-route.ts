/** The route of the logo. It is no operation of the contract: browsers show it by `<img>` before anyone has signed in. */
import type { FileStorage } from '@portico/platform/files';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TenantScope } from '../kernel/scope.ts';
import { servePicture } from '../modules/files/index.ts';
import { findLogo, LOGO_PATH } from '../modules/tenants/index.ts';
import { byteRequestOf } from './file-routes.ts';

/** Dependencies of the route. */
interface LogoRouteOptions {
  readonly storage: FileStorage;
  /** The scope of a request before anyone has signed in. */
  tenantScope(request: FastifyRequest): Promise<TenantScope>;
}

/** Every logo has an address of its own. A day, so that a removed one does not stay long. */
const CACHE = 'public, max-age=86400';

/** Registers `GET /portal/files/logo?v=…`. */
export function registerLogoRoute(app: FastifyInstance, options: LogoRouteOptions): void {
  app.route<{ Querystring: { v?: unknown } }>({
    method: ['GET', 'HEAD'],
    url: LOGO_PATH,
    // Pictures are compressed already.
    ...({ compress: false } as object),
    handler: async (request, reply) => {
      const scope = await options.tenantScope(request);
      const answer = await servePicture(scope, options.storage, byteRequestOf(request), {
        contentRef: findLogo(scope, request.query.v),
        purpose: 'preview',
        cacheControl: CACHE,
      });
      return reply.code(answer.status).headers(answer.headers).send(answer.body);
    },
  });
}
