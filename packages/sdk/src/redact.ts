/** Removes secrets from the arguments of hooks: tokens, assertions, passwords, signed links. */

const SECRET_FIELDS = new Set([
  'accesstoken',
  'access_token',
  'googleoauth2token',
  'jwtassertion',
  'password',
  'newpassword',
  'generatedpassword',
  'private_key',
  'uploadurl',
  'uploadmultipartrequestbodyparams',
]);
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'set-cookie']);
const REDACTED = '[redacted]';

/** Copies headers and blanks the values of credentials. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.has(name.toLowerCase()) ? REDACTED : value]),
  );
}

/** Copies a JSON value and blanks secrets at any depth. */
export function redactBody(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactBody);
  if (typeof value === 'string') return /^https?:\/\//.test(value) ? redactUrl(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      item !== null && item !== undefined && SECRET_FIELDS.has(name.toLowerCase()) ? REDACTED : redactBody(item),
    ]),
  );
}

const LONG_PART = /\/([\w~.-]{43,})/g;

/**
 * Whether a part of a path is random, like a signature: names of files and operations have no such
 * mix of letters.
 */
function isOpaque(part: string): boolean {
  return (/[A-Z]/.test(part) && /[a-z]/.test(part) && /\d/.test(part)) || /^[0-9a-f]+$/.test(part);
}

/**
 * Removes the signing parts of file links from an address: the query, and long opaque parts of the
 * path.
 */
export function redactUrl(url: string): string {
  const [address = '', query] = url.split('?', 2);
  const shown = address.replace(LONG_PART, (whole, part: string) => (isOpaque(part) ? `/${REDACTED}` : whole));
  return query === undefined ? shown : `${shown}?${REDACTED}`;
}
