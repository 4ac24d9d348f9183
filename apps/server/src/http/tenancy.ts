/** Where a request is addressed: host, scheme, tenant, and the base address that links in its answer are made with. */
import type { FastifyRequest } from 'fastify';
import type { TenantRegistry } from '../modules/tenants/index.ts';
import { PorticoError } from '../platform/errors.ts';
import type { Tenant } from '../platform/scope.ts';

/** @throws PorticoError UNKNOWN_TENANT (404) when no tenant has the host */
export async function tenantOf(registry: TenantRegistry, request: FastifyRequest): Promise<Tenant> {
  const tenant = await registry.find(request.host ?? '');
  if (!tenant) throw new PorticoError('UNKNOWN_TENANT');
  return tenant;
}

/** `https://portal.example.org`: scheme and host as the client used them (behind a trusted proxy, as it forwarded them). */
export function baseUrlOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}
