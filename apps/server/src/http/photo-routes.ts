/** The route of photos. It is no operation of the contract: the address is the permission, as with links to files. */

import type { FileStorage } from '@portico/platform/files';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid } from '../kernel/errors.ts';
import type { TenantScope } from '../kernel/scope.ts';
import { servePicture } from '../modules/files/index.ts';
import { findPhoto, USER_PHOTO_PATH } from '../modules/people/index.ts';
import { byteRequestOf } from './file-routes.ts';

/** Dependencies of the route. */
interface PhotoRouteOptions {
  readonly storage: FileStorage;
  /** The scope of a request before anyone has signed in. */
  tenantScope(request: FastifyRequest): Promise<TenantScope>;
}

/** Every photo has an address of its own, so a response may be cached for a year. */
const CACHE = 'public, max-age=31536000, immutable';

/** Registers `GET /portal/files/user-photo/{id}?v=…&size=high`. */
export function registerPhotoRoute(app: FastifyInstance, options: PhotoRouteOptions): void {
  app.route<{ Params: { userId: string }; Querystring: { v?: unknown; size?: unknown } }>({
    method: ['GET', 'HEAD'],
    url: `${USER_PHOTO_PATH}/:userId`,
    // Pictures are compressed already.
    ...({ compress: false } as object),
    handler: async (request, reply) => {
      const scope = await options.tenantScope(request);
      const { v, size } = request.query;
      if (size !== undefined && size !== 'high')
        throw invalid('size', 'INVALID_VALUE', 'size is high for the large photo, or left out.', ['high']);
      const contentRef = await findPhoto(scope, request.params.userId, v);
      const answer = await servePicture(scope, options.storage, byteRequestOf(request), {
        contentRef,
        purpose: size === 'high' ? 'preview-hires' : 'preview',
        cacheControl: CACHE,
      });
      return reply.code(answer.status).headers(answer.headers).send(answer.body);
    },
  });
}
