/** Takes secrets out of what hooks get to see: tokens, assertions, passwords, signed links. */

const SECRET_FIELDS = new Set([
  'accesstoken',
  'access_token',
  'googleoauth2token',
  'jwtassertion',
  'password',
  'generatedpassword',
  'private_key',
  'uploadurl',
  'uploadmultipartrequestbodyparams',
]);
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'set-cookie']);
export const REDACTED = '[redacted]';

/** A copy of headers in which those that sign somebody in are blanked. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.has(name.toLowerCase()) ? REDACTED : value]),
  );
}

/** A copy of a JSON value in which secrets are blanked, at any depth. */
export function redactBody(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactBody);
  if (typeof value === 'string') return /^https?:\/\//.test(value) && value.includes('?') ? redactUrl(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      item !== null && item !== undefined && SECRET_FIELDS.has(name.toLowerCase()) ? REDACTED : redactBody(item),
    ]),
  );
}

/** An address without its query, which is what signs links to files. */
export function redactUrl(url: string): string {
  const [address, query] = url.split('?', 2);
  return query === undefined ? url : `${address}?${REDACTED}`;
}
