/** Host names of tenants, as in their addresses: `name[:port]`. */
import { TenantError } from './tenant-error.ts';

/** Host names compare in lower case and without a closing dot. */
export function normaliseHost(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/\.(?=:\d+$|$)/, '');
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?)(:\d{1,5})?$/;

/**
 * Returns whether a text in the form of {@link normaliseHost} is a host name, so that addresses can
 * be built from it.
 */
export function isHostName(host: string): boolean {
  return HOST.test(host) && URL.canParse(`http://${host}`);
}

/** Returns host names in the stored form, each once. @throws TenantError for a malformed one */
export function readHosts(given: readonly string[]): string[] {
  const hosts = [...new Set(given.map(normaliseHost))];
  const wrong = hosts.find((host) => !isHostName(host));
  if (wrong === undefined) return hosts;
  throw new TenantError(
    `"${wrong}" is not a host name; write it as in the address, such as portal.example.org or localhost:8080.`,
  );
}
