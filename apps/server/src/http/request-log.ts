/** One line per answer: request id, tenant, operation, status, duration. Never a token, a body, or a signed link. */
import type { FastifyInstance } from 'fastify';
import type { Log } from '../kernel/scope.ts';

/** Counts answers. */
interface RequestMetrics {
  /** @param seconds from the first byte of the request to the last of the answer */
  observeRequest(operation: string, status: number, seconds: number): void;
}

export function registerRequestLog(app: FastifyInstance, log: Log, metrics: RequestMetrics | undefined): void {
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config.operation?.id ?? routeName(request.routeOptions.url);
    metrics?.observeRequest(operation, reply.statusCode, reply.elapsedTime / 1000);
    log.info(
      {
        reqId: request.id,
        tenant: request.tenantScope?.tenant.name,
        user: request.signedInScope?.actor.userId,
        operation,
        method: request.method,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    );
  });
}

/** The route's pattern, never the path: a path may hold a signed link. */
function routeName(url: string | undefined): string {
  return url ?? 'unknown';
}
