/**
 * Whether the process is alive (`/healthz`) and whether it can serve (`/readyz`); neither reveals details but which workers of a
 * cluster are away.
 */

import type { DatabaseMonitor } from '@portico/platform/db/monitor';
import type { WorkerMonitor } from '@portico/platform/db/workers';
import type { FileStorage } from '@portico/platform/files';
import type { FastifyInstance } from 'fastify';
import { version } from '../kernel/version.ts';

/**
 * Registers both.
 * @param stopping aborted when the process has been told to end: from then on it is not ready, and every answer asks the
 *   client (or the proxy) not to use the connection again, so that no request is sent into a closing one
 */
export function registerHealth(
  app: FastifyInstance,
  services: {
    readonly monitor: DatabaseMonitor;
    readonly workers: Pick<WorkerMonitor, 'away'>;
    readonly storage: FileStorage;
  },
  stopping: AbortSignal,
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (stopping.aborted && request.raw.httpVersionMajor === 1) reply.header('Connection', 'close');
  });
  app.get('/healthz', async () => ({ status: 'ok', version }));
  app.get('/readyz', async (request, reply) => {
    if (stopping.aborted) return reply.code(503).send({ status: 'stopping' });
    const { state, error } = await services.monitor.check();
    if (state === 'ok') {
      // The node is ready, also where writes are refused: no other node could do more, and reads are served.
      const writes = await services.monitor.hasRoom();
      const refused = await services.storage.requireRoom?.(0).then(
        () => false,
        () => true,
      );
      // Tenants on other workers are served: no other node could do more.
      const workersAway = services.workers.away;
      return {
        status: 'ok',
        ...((refused || !writes) && { uploads: 'refused' }),
        ...(!writes && { writes: 'refused' }),
        ...(workersAway.length > 0 && { workersAway }),
      };
    }
    const said = state === 'read-only' ? 'the database takes no writes' : 'the database does not answer';
    request.log.warn({ outage: true, ...(error !== undefined && { err: error }), reason: said }, `not ready: ${said}`);
    return reply.code(503).send({ status: state });
  });
}
