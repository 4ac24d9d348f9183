/** The route of calendars. It is no operation of the contract: the secret address is the permission. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor, TenantScope } from '../kernel/scope.ts';
import { CALENDAR_PATH, findCalendar } from '../modules/posts/index.ts';
import type { RateLimits } from './rate-limits.ts';

/** Dependencies of the route. */
interface CalendarRouteOptions {
  /** The scope of a request before anyone has signed in. */
  tenantScope(request: FastifyRequest): Promise<TenantScope>;
  readActor(scope: TenantScope, userId: number, accessVersion: number): Promise<Actor | undefined>;
  readonly rateLimits: Pick<RateLimits, 'anonymous'>;
}

/** Registers `GET /portal/calendars/{secret}.ics`. */
export function registerCalendarRoute(app: FastifyInstance, options: CalendarRouteOptions): void {
  app.route<{ Params: { secret: string } }>({
    method: ['GET', 'HEAD'],
    url: `${CALENDAR_PATH}/:secret.ics`,
    onRequest: options.rateLimits.anonymous,
    handler: async (request, reply) => {
      const scope = await options.tenantScope(request);
      const { text } = await findCalendar(scope, request.params.secret, (userId, accessVersion) =>
        options.readActor(scope, userId, accessVersion),
      );
      return reply
        .header('Content-Type', 'text/calendar; charset=utf-8')
        .header('Cache-Control', 'private, no-store')
        .header('Referrer-Policy', 'no-referrer')
        .send(text);
    },
  });
}
