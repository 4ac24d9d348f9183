/** Every module's share of the operations, together. */
import type { Handlers } from '../platform/operations.ts';
import type { Services } from '../services.ts';
import { authHandlers, DEFAULT_TOKEN_INFO_URL } from './auth/index.ts';

/** All handlers; an operation that none answers is a 501. */
export function handlersOf(services: Services): Handlers {
  const { config } = services;
  return {
    ...authHandlers(services.tokens, {
      tokenInfoUrl: config.providerTokenInfoUrl ?? DEFAULT_TOKEN_INFO_URL,
      timeoutMs: config.providerTimeoutMs,
      ...(config.providerClient && { client: config.providerClient }),
    }),
  };
}
