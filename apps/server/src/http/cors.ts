/** Browsers of other origins: off unless a tenant allows an origin (docs/decisions/types.md). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TenantScope } from '../kernel/scope.ts';

const EXPOSED = 'X-Request-Id, WWW-Authenticate, Retry-After, Allow';

/** Answers preflights and marks answers for the origins that the request's tenant allows. */
export function registerCors(app: FastifyInstance, scopeOf: (request: FastifyRequest) => Promise<TenantScope>): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (!origin) return;
    reply.header('Vary', 'Origin');
    const preflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    const { settings } = await request.limits.within(scopeOf(request));
    if (!settings.corsOrigins.includes(origin) && !settings.corsOrigins.includes('*')) return;
    reply.header('Access-Control-Allow-Origin', origin).header('Access-Control-Expose-Headers', EXPOSED);
    if (!preflight) return;
    return reply
      .code(204)
      .header('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE')
      .header(
        'Access-Control-Allow-Headers',
        request.headers['access-control-request-headers'] ?? 'Authorization, Content-Type, Idempotency-Key, If-Match',
      )
      .header('Access-Control-Max-Age', '600')
      .send();
  });
}
