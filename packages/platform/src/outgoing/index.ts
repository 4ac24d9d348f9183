/**
 * Requests to servers whose addresses administrators of tenants choose. They reach public addresses only: the address is
 * checked where the connection is made, so that neither a name that leads inside nor one that changes does. Redirects are
 * not followed; time and size are bounded.
 */
import { type LookupAddress, lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** A server that cannot be reached, does not answer, or sends a too large answer. */
export class OutgoingError extends Error {
  override name = 'OutgoingError';
}

export interface OutgoingOptions {
  /**
   * Hosts (`name` or `name:port`) that may have a private address; hosts on loopback may use http.
   */
  readonly internalHosts: readonly string[];
  /** How long one request may take. Milliseconds. */
  readonly timeoutMs: number;
  /** Longest answer. Bytes; default 512 KiB. */
  readonly maxBytes?: number;
  /** Cuts a longer answer; default: it is an error. */
  readonly cut?: boolean;
}

/** A request: the part of `fetch` that OpenID Connect needs. */
interface OutgoingRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

/** @returns a replacement of `fetch`, which throws {@link OutgoingError} */
export function outgoingFetch({ internalHosts, timeoutMs, maxBytes = 512 * 1024, cut = false }: OutgoingOptions) {
  return async (address: string, request: OutgoingRequest = {}): Promise<Response> => {
    const url = new URL(address);
    const internal = internalHosts.includes(url.host);
    if (url.protocol !== 'https:' && !(internal && url.protocol === 'http:'))
      throw new OutgoingError('only https addresses are asked');
    const acceptsInternal = url.protocol === 'http:' ? isLoopbackAddress : () => true;
    const accepts = internal ? acceptsInternal : isPublicAddress;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // An address in place of a name is not looked up.
    if (isIP(host) !== 0 && !accepts(host)) throw new OutgoingError('the address is not allowed');
    const body = bodyOf(request.body);
    const limit = AbortSignal.timeout(timeoutMs);
    const options: RequestOptions = {
      method: request.method ?? 'GET',
      headers: { ...request.headers, ...(body && { 'Content-Length': String(body.length) }) },
      lookup: lookupOf(accepts),
      // A new connection: a reused connection might have been made without the check.
      agent: false,
      signal: request.signal ? AbortSignal.any([limit, request.signal]) : limit,
    };
    try {
      return await answerOf(url, options, body, { maxBytes, cut });
    } catch (error) {
      throw new OutgoingError(`the server cannot be asked: ${(error as Error).message}`, { cause: error });
    }
  };
}

function bodyOf(body: unknown): Buffer | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return Buffer.from(String(body));
  if (body instanceof Uint8Array) return Buffer.from(body);
  throw new TypeError('the body of an outgoing request is a text, bytes or parameters');
}

async function answerOf(
  url: URL,
  options: RequestOptions,
  body: Buffer | undefined,
  { maxBytes, cut }: { maxBytes: number; cut: boolean },
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asked = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, resolve);
  asked.on('error', reject);
  asked.end(body);
  const incoming = await promise;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes && cut) {
      chunks.push(chunk.subarray(0, chunk.length - (size - maxBytes)));
      // Leaves the loop, which closes the connection.
      break;
    }
    if (size > maxBytes) {
      incoming.destroy();
      throw new OutgoingError(`the answer has more than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  const status = incoming.statusCode ?? 0;
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
  return new Response([204, 205, 304].includes(status) ? null : Buffer.concat(chunks), { status, headers });
}

/** Looks a name up and leaves out addresses that may not be asked. */
function lookupOf(accepts: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, '', 0);
      const allowed = found.filter(({ address }) => accepts(address));
      const [first] = allowed;
      if (!first) return callback(new OutgoingError('the address is not allowed'), '', 0);
      if (options.all) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
  };
}

/** Networks of IPv4 and IPv6 that the public internet does not route, or that lead to others of these. */
const RESERVED = new BlockList();
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
])
  addNetwork(RESERVED, network);
/** Addresses of IPv6 are public within this network only. */
const GLOBAL_UNICAST = new BlockList();
addNetwork(GLOBAL_UNICAST, '2000::/3');
const LOOPBACK = new BlockList();
for (const network of ['127.0.0.0/8', '::1/128']) addNetwork(LOOPBACK, network);

function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits] = network.split('/');
  list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
}

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !RESERVED.check(address, 'ipv4');
  return isIP(address) === 6 && GLOBAL_UNICAST.check(address, 'ipv6') && !RESERVED.check(address, 'ipv6');
}

function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && LOOPBACK.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}
