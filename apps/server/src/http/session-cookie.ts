/** The cookie of a browser's session, and the check that a request with it comes from a page of the portal itself. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PorticoError } from '../kernel/errors.ts';
import type { SessionCookie } from '../kernel/operations.ts';
import type { TenantScope } from '../kernel/scope.ts';

/** The cookie of a session, which the answer may set. */
export function sessionCookie(request: FastifyRequest, reply: FastifyReply, scope: TenantScope): SessionCookie {
  return hostCookie(request, reply, scope, 'portico_session');
}

/** A cookie of a request, which its answer may set. `Secure` where the tenant is reached by https. */
export function hostCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  scope: TenantScope,
  plainName: string,
): SessionCookie {
  const secure = (scope.ownAddress ?? scope.baseUrl).startsWith('https:');
  // Browsers take a cookie of this name only with `Secure`, for the whole host and for no other one.
  const name = secure ? `__Host-${plainName}` : plainName;
  const send = (value: string, seconds: number) =>
    void reply.header(
      'Set-Cookie',
      `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
    );
  return {
    value: cookieOf(request.headers.cookie, name),
    userAgent: request.headers['user-agent'],
    set: send,
    clear: () => send('', 0),
  };
}

/** @returns the first cookie of this name */
function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Requires that a request with a session comes from a page of the portal, if it may change
 * something, because browsers send the cookie with the requests of any page: its `Origin` is that
 * of the tenant, or, without one, `Sec-Fetch-Site` says so.
 * @throws PorticoError CROSS_SITE_REQUEST (403)
 */
export function mustBeSameOrigin(request: FastifyRequest, scope: TenantScope): void {
  if (SAFE_METHODS.includes(request.method)) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  const own = origin === undefined ? site === 'same-origin' : origin === scope.baseUrl || origin === scope.ownAddress;
  if (!own || (site !== undefined && site !== 'same-origin')) throw new PorticoError('CROSS_SITE_REQUEST');
}

/**
 * The same for a request that begins a session: programs, which send neither header, may do so.
 * @throws PorticoError CROSS_SITE_REQUEST (403)
 */
export function mustNotBeCrossSite(request: FastifyRequest, scope: TenantScope): void {
  if (request.headers.origin === undefined && request.headers['sec-fetch-site'] === undefined) return;
  mustBeSameOrigin(request, scope);
}
