/** Addresses, networks and hosts in variables. */
import { isIP } from 'node:net';
import { ConfigError } from './variable.ts';

/** Named ranges of addresses (as in Fastify's trustProxy). */
const NAMED_RANGES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/** Bits of a network's prefix at most, by the version of the protocol. */
const LONGEST_PREFIX: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

const split = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/**
 * @throws ConfigError for a text that is neither an address, nor a network such as 10.0.0.0/8, nor
 *   a named range
 */
export function readNetworks(name: string, text: string): string[] {
  const networks = split(text);
  for (const network of networks) {
    const [address = '', bits, ...rest] = network.split('/');
    const longest = LONGEST_PREFIX[isIP(address)];
    const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (longest ?? 0));
    if (NAMED_RANGES.includes(network) || (longest !== undefined && fits && rest.length === 0)) continue;
    throw new ConfigError(
      `${name} must be addresses, networks such as 10.0.0.0/8, or ${NAMED_RANGES.join(', ')}, not "${network}".`,
    );
  }
  return networks;
}

/** @throws ConfigError for a text that is neither the name nor the address of a machine */
export function readHost(name: string, text: string | undefined): string | undefined {
  if (text === undefined || isIP(text) !== 0 || /^[\w.-]+$/.test(text)) return text;
  throw new ConfigError(
    `${name} must be the name or the address of a machine, without scheme and port, not "${text}".`,
  );
}

/**
 * Reads hosts of tenants, `tenant=host` or `tenant=host:port`.
 * @throws ConfigError
 */
export function readTenantHosts(name: string, text: string): { tenant: string; host: string }[] {
  return split(text).map((entry) => {
    const [, tenant, host] = /^([^=]+)=([^=]+)$/.exec(entry) ?? [];
    if (tenant === undefined || host === undefined)
      throw new ConfigError(`${name} must be receivers such as acme=hooks.acme.example:8443, not "${entry}".`);
    return { tenant, host: readHosts(name, host)[0]! };
  });
}

/**
 * @throws ConfigError for a text that is no host as in addresses, with its port unless it is the
 *   default of the scheme
 */
export function readHosts(name: string, text: string): string[] {
  return split(text).map((host) => {
    const url = URL.parse(`https://${host}`);
    if (!url || (url.host !== host.toLowerCase() && url.host !== host.toLowerCase().replace(/:443$/, '')))
      throw new ConfigError(`${name} must be hosts such as id.example.org or 10.0.0.7:8443, not "${host}".`);
    return url.host;
  });
}
