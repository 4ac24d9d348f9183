/** Where a request is addressed: host, scheme, tenant, and the base address that links in its answer are made with. */

import type { Origin } from '@portico/platform/db/tenant-db';
import type { FastifyRequest } from 'fastify';
import { invalid, PorticoError } from '../kernel/errors.ts';
import type { Tenant } from '../kernel/scope.ts';
import { isHostName, normaliseHost, type TenantRegistry } from '../modules/tenants/index.ts';

/**
 * @throws ValidationError (400) for a request that names no host, or more than one: a proxy may use one and this server
 *   the other (RFC 9112 §3.2); PorticoError UNKNOWN_TENANT (404) when no tenant has the host, TENANT_DISABLED (403)
 */
export async function tenantOf(registry: TenantRegistry, request: FastifyRequest): Promise<Tenant> {
  if (namesSeveralHosts(request.raw.rawHeaders)) throw invalid('Host', 'INVALID_VALUE', 'Send one Host header.');
  const host = normaliseHost(request.host ?? '');
  // Links in answers are made with it, also where a single tenant has every host.
  if (!isHostName(host))
    throw invalid('Host', 'INVALID_VALUE', 'Send a host name as in the address, such as portal.example.org:8443.');
  const found = await registry.find(host);
  if (!found) throw new PorticoError('UNKNOWN_TENANT');
  if (found.disabled) throw new PorticoError('TENANT_DISABLED');
  return found.tenant;
}

/** @param rawHeaders alternating names and values; Node keeps only the first of several hosts elsewhere */
function namesSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/** `https://portal.example.org`: scheme and host as the client used them (behind a trusted proxy, as it forwarded them). */
export function baseUrlOf(request: FastifyRequest): string {
  // Some proxies pass on the scheme that a client claims.
  return `${request.protocol === 'https' ? 'https' : 'http'}://${request.host}`;
}

/** Where a request comes from, for the audit log. The address is the client's, as trusted proxies name it. */
export function originOf(request: FastifyRequest): Origin {
  const operation = request.routeOptions.config.operation?.id;
  return { address: request.ip, requestId: request.id, ...(operation !== undefined && { operation }) };
}
