import type { OutgoingOptions } from '@portico/platform/outgoing';
import type { ProviderClient } from './provider-client.ts';

/**
 * @returns a function that returns the single client, created at the first sign-in by a provider:
 * without providers its library is never loaded
 */
export function loadProviderClient(options: OutgoingOptions): () => Promise<ProviderClient> {
  let client: Promise<ProviderClient> | undefined;
  return () => {
    client ??= import('./provider-client.ts').then((module) => new module.ProviderClient(options));
    return client;
  };
}
