/** Whether the process lives (`/healthz`) and whether it can serve (`/readyz`); strangers learn no details. */
import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';

/** How long readiness may take to find out. Milliseconds. */
const PATIENCE_MS = 2_000;

/**
 * Registers both.
 * @param stopping aborted when the process has been told to end: from then on it is not ready, and every answer asks the
 *   client (or the proxy) not to use the connection again, so that nobody sends a request into a closing one
 */
export function registerHealth(app: FastifyInstance, services: Services, stopping: AbortSignal): void {
  app.addHook('onRequest', async (request, reply) => {
    if (stopping.aborted && request.raw.httpVersionMajor === 1) reply.header('Connection', 'close');
  });
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    if (stopping.aborted) return reply.code(503).send({ status: 'stopping' });
    try {
      await withTimeout(services.pool.registry('SELECT 1 FROM tenants LIMIT 1'));
      return { status: 'ok' };
    } catch (error) {
      request.log.warn({ err: error }, 'not ready: the database does not answer');
      return reply.code(503).send({ status: 'unavailable' });
    }
  });
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
