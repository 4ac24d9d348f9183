/** Host names of tenants, as their addresses have them: `name[:port]`. */
import { TenantError } from './tenant-error.ts';

/** Host names compare in lower case and without a closing dot. */
export function normaliseHost(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/\.(?=:\d+$|$)/, '');
}

/** Host names as they are kept, each once. @throws TenantError for one that is malformed */
export function readHosts(given: readonly string[]): string[] {
  const hosts = [...new Set(given.map(normaliseHost))];
  const wrong = hosts.find((host) => !/^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?)(:\d{1,5})?$/.test(host));
  if (wrong === undefined) return hosts;
  throw new TenantError(
    `"${wrong}" is not a host name; write it as in the address, such as portal.example.org or localhost:8080.`,
  );
}
