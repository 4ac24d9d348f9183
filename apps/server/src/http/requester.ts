/** Requester of a request: its tenant, and the account or the client's address. */

import type { Requester } from '@portico/platform/main-thread';
import type { FastifyRequest } from 'fastify';
import { clientKey } from '../kernel/failure-limit.ts';

/** Requester of a request; without a tenant before that is known. */
export function requesterOf({ tenantScope, signedInScope, ip }: FastifyRequest): Requester {
  const tenant = tenantScope?.tenant.id;
  return { tenant, user: signedInScope?.actor.userId ?? clientKey(ip) };
}

/** Returns a text that identifies a requester among the requesters of all tenants. */
export function keyOf({ tenant = 0, user = 0 }: Requester): string {
  return `${tenant}:${user}`;
}
