/** The operation of the figures of the tenant. */
import type { Handlers } from '../../../kernel/operations.ts';
import { readHealth } from './read-health.ts';

export const healthHandlers = {
  getTenantHealth: ({ scope }) => readHealth(scope),
} satisfies Handlers;
