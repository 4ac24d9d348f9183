/**
 * Writes a log line per response: request id, tenant, operation, status, duration. Never a token, a
 * body, or a signed link. A response that its client did not read has a line, too; other clients
 * that went away have no line.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../kernel/scope.ts';
import { wasNotTaken } from './answer-rate.ts';

/** Counts answers. */
interface RequestMetrics {
  /**
   * @param seconds from the first byte of the request to the last of the answer
   * @param tenant undefined where the request named none
   */
  observeRequest(operation: string, status: number, seconds: number, tenant: string | undefined): void;
}

/** Routes that balancers ask. */
const PROBES: readonly string[] = ['/healthz', '/readyz'];

export function registerRequestLog(app: FastifyInstance, log: Log, metrics: RequestMetrics | undefined): void {
  app.addHook('onRequest', async (request, { raw }) => {
    const { socket } = request.raw;
    raw.once('close', () => {
      if (raw.writableFinished || !wasNotTaken(socket)) return;
      log.info(
        { ...aboutRequest(request), address: request.ip, status: raw.statusCode },
        'the client did not take its answer: the connection was closed',
      );
    });
  });
  app.addHook('onResponse', async (request, reply) => {
    const about = aboutRequest(request);
    const { statusCode, elapsedTime } = reply;
    metrics?.observeRequest(about.operation, statusCode, elapsedTime / 1000, about.tenant);
    // Balancers ask every second: a line for each would be most of the log.
    const level = PROBES.includes(about.operation) && statusCode === 200 ? 'debug' : 'info';
    log[level]({ ...about, status: statusCode, ms: Math.round(elapsedTime * 10) / 10 }, 'answered');
  });
}

const aboutRequest = (request: FastifyRequest) => ({
  reqId: request.id,
  tenant: request.tenantScope?.tenant.name,
  user: request.signedInScope?.actor.userId,
  operation: request.routeOptions.config.operation?.id ?? routeName(request.routeOptions.url),
  method: request.method,
});

/** The route's pattern, never the path: a path may hold a signed link. */
function routeName(url: string | undefined): string {
  return url ?? 'unknown';
}
