/** Reads the headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). */

/** A rate limit that counted the request. */
export interface RateLimit {
  /** Owner of the limit: `account`, `tenant` or `address`. */
  name: string;
  /** Maximum requests in a window. */
  limit: number | undefined;
  /** Remaining requests in the present window. */
  remaining: number;
  /** Seconds until the window ends. */
  resetSeconds: number;
  /** Length of a window in seconds. */
  windowSeconds: number | undefined;
}

type Parameters = Readonly<Record<string, number>>;

/** Returns the parameters of each item of a list such as `"account";r=599;t=42`. */
function itemsOf(header: string | null): Map<string, Parameters> {
  const items = [...(header ?? '').matchAll(/"([^"]*)"((?:\s*;\s*\w+=-?\d+)*)/g)];
  return new Map(
    items.map(([, name = '', rest = '']) => {
      const pairs = [...rest.matchAll(/(\w+)=(-?\d+)/g)];
      return [name, Object.fromEntries(pairs.map(([, key = '', value]) => [key, Number(value)]))];
    }),
  );
}

/** Returns the rate limits in the headers of a response; none where no limit holds. */
export function rateLimitsOf(headers: Headers): RateLimit[] {
  const policies = itemsOf(headers.get('RateLimit-Policy'));
  return [...itemsOf(headers.get('RateLimit'))].map(([name, { r = 0, t = 0 }]) => ({
    name,
    limit: policies.get(name)?.['q'],
    remaining: r,
    resetSeconds: t,
    windowSeconds: policies.get(name)?.['w'],
  }));
}
