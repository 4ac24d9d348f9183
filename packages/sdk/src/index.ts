/** The client library of Portico, for browsers and any other place with fetch and Web Crypto. Node.js gets node.ts. */
import { PorticoCoreClient } from './client.ts';
import { type ClientOptions, webPlatform } from './client-options.ts';

/** A client of one tenant: `new PorticoClient({ baseUrl, credentials })`. */
export class PorticoClient extends PorticoCoreClient {
  constructor(options: ClientOptions) {
    super(options, webPlatform);
  }
}

export * from './exports.ts';
