/** Addresses that a rich text may hold. */

const LINK_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel']);
const MEDIA_SCHEMES: ReadonlySet<string> = new Set(['http', 'https']);

/** Longest address that is kept, in UTF-16 units. */
const MAX_URL_LENGTH = 4096;

/** Two slashes or more: a host follows. Browsers take a backslash for a slash. */
const OF_ANOTHER_HOST = /^[/\\]{2,}/;

/**
 * The address without white space and control characters, which browsers drop before they look for the scheme, or null if
 * its scheme is not one of `schemes`. Relative addresses have no scheme and are safe; whatever precedes a colon in the
 * first segment counts as a scheme, also where a browser might be more forgiving. An address that names a host and no scheme
 * (`//host/path`) looks relative and leads elsewhere: it gets `https`, so that every reader sees where it leads.
 */
function clean(url: string, schemes: ReadonlySet<string>): string | null {
  const bare = url
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim()
    .replace(OF_ANOTHER_HOST, 'https://');
  if (bare === '' || bare.length > MAX_URL_LENGTH) return null;
  const scheme = /^([^/?#\\]*?):/.exec(bare)?.[1];
  return scheme === undefined || schemes.has(scheme.toLowerCase()) ? bare : null;
}

/** An address to link to: http, https, mailto, tel or relative; null for any other. */
export function safeLink(url: string): string | null {
  return clean(url, LINK_SCHEMES);
}

/** An address to show an image or video from: http, https or relative; null for any other. */
export function safeMedia(url: string): string | null {
  return clean(url, MEDIA_SCHEMES);
}
