/**
 * Limits the requests within a minute: of one account and of one tenant, where the tenant's
 * settings say so, and of one client address for requests without sign-in. All processes of a node
 * count together ({@link NodeLimits}). Responses have the remaining requests in the headers
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10); a refusal is a 429
 * with `Retry-After`.
 */
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PorticoError } from '../kernel/errors.ts';
import { clientKey } from '../kernel/failure-limit.ts';
import type { NodeLimits } from '../kernel/node-limits.ts';
import type { Scope } from '../kernel/scope.ts';

const WINDOW_MS = 60_000;

export interface RateLimits {
  /** Counts a request of a signed-in user. @throws PorticoError RATE_LIMITED */
  signedIn(request: FastifyRequest, reply: FastifyReply, scope: Scope): Promise<void>;
  /** Counts an anonymous request. @throws PorticoError RATE_LIMITED */
  anonymous(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Refuses a client address that has no anonymous request left, without counting one. @throws PorticoError RATE_LIMITED */
  anonymousLeft(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** Receives a count, or the error that prevented it. */
type Done = (error: Error | null, result?: { current: number; ttl: number }) => void;

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;

/** @param anonymousMost anonymous requests of one client address within a minute; 0 is no limit */
export async function createRateLimits(
  app: FastifyInstance,
  node: NodeLimits,
  anonymousMost: number,
): Promise<RateLimits> {
  await app.register(rateLimit, { global: false, store: storeOf(node) });
  const limiter = (most: (request: FastifyRequest) => number, key: (request: FastifyRequest) => string): Limiter =>
    app.createRateLimit({ max: most, timeWindow: WINDOW_MS, keyGenerator: key });
  const scopeOf = (request: FastifyRequest) => request.signedInScope as Scope;
  const account = limiter(
    (request) => scopeOf(request).settings.accountRequestsPerMinute ?? 0,
    (request) => `accounts ${scopeOf(request).tenant.id}:${scopeOf(request).actor.userId}`,
  );
  const tenant = limiter(
    (request) => scopeOf(request).settings.requestsPerMinute ?? 0,
    (request) => `tenants ${scopeOf(request).tenant.id}`,
  );
  const address = limiter(
    () => anonymousMost,
    (request) => `addresses ${clientKey(request.ip)}`,
  );
  return {
    signedIn: async (request, reply, { settings }) => {
      const checks: [name: string, limiter: Limiter][] = [];
      if (settings.accountRequestsPerMinute !== null) checks.push(['account', account]);
      if (settings.requestsPerMinute !== null) checks.push(['tenant', tenant]);
      for (const [name, check] of checks) await apply(name, check, request, reply, true);
    },
    anonymous: async (request, reply) => {
      if (anonymousMost > 0) await apply('address', address, request, reply, true);
    },
    anonymousLeft: async (request, reply) => {
      if (anonymousMost > 0) await apply('address', address, request, reply, false);
    },
  };
}

async function apply(
  name: string,
  check: Limiter,
  request: FastifyRequest,
  reply: FastifyReply,
  count: boolean,
): Promise<void> {
  const state = await check(request, { increment: count });
  if (state.isAllowed) return;
  const { max, remaining, ttlInSeconds } = state;
  const seconds = Math.max(1, ttlInSeconds);
  append(reply, 'RateLimit-Policy', `"${name}";q=${max};w=${WINDOW_MS / 1000}`);
  append(reply, 'RateLimit', `"${name}";r=${remaining};t=${seconds}`);
  if (!state.isExceeded && (count || remaining > 0)) return;
  throw new PorticoError('RATE_LIMITED', {
    message: `Rate limit of this ${name} exceeded: ${max} requests per minute. Retry in ${seconds} seconds.`,
    headers: { 'Retry-After': String(seconds) },
  });
}

/**
 * Returns a store for the counts of the node. The first word of a key names its kind: each kind is
 * counted separately.
 */
function storeOf(node: NodeLimits): FastifyRateLimitStoreCtor {
  const count = (units: number, key: string, done: Done, length: number) => {
    const kind = `requests of ${key.slice(0, key.indexOf(' '))}`;
    node.count(kind, key, units, { now: Date.now(), length }).then(
      ({ units: current, endsIn: ttl }) => done(null, { current, ttl }),
      (error: Error) => done(error),
    );
  };
  return class NodeStore {
    incr(key: string, done: Done, length: number): void {
      count(1, key, done, length);
    }
    read(key: string, done: Done, length: number): void {
      count(0, key, done, length);
    }
    child(): NodeStore {
      return this;
    }
  };
}

/** Several limits share a header, as elements of one list. */
function append(reply: FastifyReply, header: string, element: string): void {
  const before = reply.getHeader(header);
  reply.header(header, typeof before === 'string' ? `${before}, ${element}` : element);
}
