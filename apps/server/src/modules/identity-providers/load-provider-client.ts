import type { OutgoingOptions } from '../../platform/outgoing/index.ts';
import type { ProviderClient } from './provider-client.ts';

/** @returns gives the one client, which the first sign-in by a provider makes: its library is loaded only where there is one */
export function loadProviderClient(options: OutgoingOptions): () => Promise<ProviderClient> {
  let client: Promise<ProviderClient> | undefined;
  return () => {
    client ??= import('./provider-client.ts').then((module) => new module.ProviderClient(options));
    return client;
  };
}
