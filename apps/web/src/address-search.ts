/** Reads what is behind the question mark of an address. */
import { parseSearchWith } from '@tanstack/react-router';

const PROTOTYPE = '__proto__';

const parse = parseSearchWith((text) =>
  JSON.parse(text, (key, value: unknown) => (key === PROTOTYPE ? undefined : value)),
);

/** Reads the search of an address. Members named `__proto__` are left out, of which the router cannot make a copy. */
export function parseSearch(address: string): Record<string, unknown> {
  const search = parse(address) as Record<string, unknown>;
  Reflect.deleteProperty(search, PROTOTYPE);
  return search;
}
