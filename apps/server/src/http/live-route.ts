/**
 * Changes of posts as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). It is no operation of the
 * contract: its answer has no end. The sign-in is that of every operation, and is checked again while the connection lasts.
 */
import { liveLimits, livePath } from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FieldErrors, PorticoError } from '../kernel/errors.ts';
import type { Actor, Scope, TenantScope } from '../kernel/scope.ts';
import {
  type LiveFeed,
  type LiveListener,
  type LivePosition,
  readLivePosition,
} from '../modules/notifications/index.ts';
import { MOUNT_PREFIX } from './mount.ts';
import type { RateLimits } from './rate-limits.ts';

/** Dependencies of the route. */
interface LiveRouteOptions {
  readonly feed: LiveFeed;
  /** Aborted when the server stops: a connection that has no end would keep it waiting. */
  readonly closing?: AbortSignal | undefined;
  /** Most connections of a tenant; default that of the contract. */
  readonly ofTenant?: number | undefined;
  /** The scope of a request before anyone has signed in. */
  tenantScope(request: FastifyRequest): Promise<TenantScope>;
  /** Signs the caller in. */
  signedInScope(request: FastifyRequest, reply: FastifyReply, scope: TenantScope): Promise<Scope>;
  /** The actor of a sign-in that was accepted, as they are now; undefined when it has ended. */
  check(request: FastifyRequest, reply: FastifyReply, scope: Scope): Promise<Actor | undefined>;
  /** The tenant's database, for no caller and without the time limits of a request. */
  databaseOf(tenantId: number): TenantDb;
  readonly rateLimits: RateLimits;
}

/**
 * Maximum size in bytes of unsent data on one connection; a client that reads too slowly is
 * disconnected, and continues later.
 */
const MOST_WAITING = 1024 * 1024;
/** Seconds after which a client that was refused may try again. */
const RETRY_SECONDS = 30;

type Query = { communityIds?: unknown; lastEventId?: unknown };

/** Registers `GET /portal/api/communication/live`. */
export function registerLiveRoute(app: FastifyInstance, options: LiveRouteOptions): void {
  app.addHook('preClose', async () => options.feed.close());
  options.closing?.addEventListener('abort', () => options.feed.close());
  app.route<{ Querystring: Query }>({
    method: 'GET',
    url: `${MOUNT_PREFIX}${livePath}`,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const tenant = await options.tenantScope(request);
      const scope = await options.signedInScope(request, reply, tenant);
      request.signedInScope = scope;
      await options.rateLimits.signedIn(request, reply, scope);
      const { communityIds, from } = readQuery(scope, request.query, request.headers['last-event-id']);
      const release = await placeFor(options, scope);
      // The last thing that can be refused has been: from here on the connection is the listener's.
      reply.raw.once('close', release);
      if (reply.raw.destroyed) release();
      listen(request, reply, scope, options, communityIds, from);
      return reply;
    },
  });
}

function listen(
  request: FastifyRequest,
  reply: FastifyReply,
  scope: Scope,
  { feed, check, databaseOf }: LiveRouteOptions,
  communityIds: ReadonlySet<number> | undefined,
  from: LivePosition | undefined,
): void {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // nginx collects answers otherwise.
    'X-Accel-Buffering': 'no',
  });
  raw.write(`retry: ${liveLimits.retryMs}\n\n`);
  let { actor } = scope;
  const listener: LiveListener = {
    get actor() {
      return actor;
    },
    communityIds,
    from,
    send: (text) => {
      if (raw.writableLength > MOST_WAITING) raw.destroy();
      else raw.write(text);
    },
    end: () => raw.end(),
    check: async () => {
      const present = await check(request, reply, { ...scope, actor, db: databaseOf(scope.tenant.id) });
      if (present) actor = present;
      return present;
    },
  };
  const stop = feed.listen({ ...scope, db: databaseOf(scope.tenant.id) }, listener);
  raw.once('close', stop);
  if (raw.destroyed) stop();
}

/** Takes a place among the connections of the node. @returns gives it back  @throws PorticoError TOO_MANY_LISTENERS */
async function placeFor({ ofTenant = liveLimits.ofTenant }: LiveRouteOptions, scope: Scope): Promise<() => void> {
  const { tenant, actor, limits } = scope;
  const taken = await limits.take('live', [
    { key: `account ${tenant.id} ${actor.userId}`, most: liveLimits.ofAccount },
    { key: `tenant ${tenant.id}`, most: ofTenant },
    { key: 'node', most: liveLimits.ofNode },
  ]);
  if ('release' in taken) return taken.release;
  throw new PorticoError('TOO_MANY_LISTENERS', { headers: { 'Retry-After': String(RETRY_SECONDS) } });
}

/** @throws ValidationError with every error */
function readQuery(
  scope: Scope,
  query: Query,
  header: string | string[] | undefined,
): { communityIds: ReadonlySet<number> | undefined; from: LivePosition | undefined } {
  const errors = new FieldErrors();
  let communityIds: ReadonlySet<number> | undefined;
  if (query.communityIds !== undefined) {
    const words = typeof query.communityIds === 'string' ? query.communityIds.split(',') : [];
    const ids = words.map(Number);
    if (words.length === 0 || !words.every((word) => /^[0-9]{1,15}$/.test(word))) {
      errors.add('communityIds', 'INVALID_VALUE', 'Send ids, separated by commas.');
    } else if (ids.length > liveLimits.communities) {
      errors.add('communityIds', 'TOO_MANY_ITEMS', undefined, [liveLimits.communities]);
    } else communityIds = new Set(ids);
  }
  // Browsers send the header when they connect again; the parameter is for the first connection of a page.
  const given = header ?? query.lastEventId;
  let from: LivePosition | undefined;
  if (given !== undefined && given !== '') {
    // A position that is no longer valid leads to `reset`, like a position too far behind.
    from = (typeof given === 'string' ? readLivePosition(scope, given) : undefined) ?? { generation: -1, seq: 0 };
  }
  errors.throwIfAny();
  return { communityIds, from };
}
