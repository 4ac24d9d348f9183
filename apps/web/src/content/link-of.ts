/** Texts that are addresses of web pages. */

/** The beginning of an address that somebody typed without its protocol, such as `www.example.com/a`. */
const BARE = /^(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}{2,}(?:[:/?#]|$)/u;

/**
 * The address to which a text leads that is the address of a web page and nothing else.
 * @param bare whether it may lack its protocol
 * @returns undefined for a text that leads nowhere: only pages of the web are opened
 */
export function linkOf(value: unknown, bare: boolean): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/\s/.test(text)) return undefined;
  const url = URL.parse(bare && BARE.test(text) ? `https://${text}` : text);
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined;
}
