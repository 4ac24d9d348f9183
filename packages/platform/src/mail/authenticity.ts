/** Decides whether the author of a mail is the one that its `From` names. */
import { promises as dns } from 'node:dns';

/** Looks up records of DNS, as `dns.promises.resolve` does. */
export type Resolver = (name: string, type: string) => Promise<unknown>;

/** `confirmed`, `refused`, or `unknown` where DNS did not answer: the mail is to be tried again. */
type Authenticity = 'confirmed' | 'refused' | 'unknown';

/** Bounds the memory of a message with many signatures. */
const MOST_SIGNATURES = 10;

/**
 * Verifies the author of a mail with one `From` by DMARC, or by a DKIM signature of the author's
 * domain. SPF is not asked: the address of the sending host is known to the receiving server alone.
 */
export async function verifyAuthor(
  raw: Uint8Array,
  resolver: Resolver = (name, type) => dns.resolve(name, type),
): Promise<Authenticity> {
  const { authenticate } = await import('mailauth');
  const bytes = Buffer.from(raw);
  const end = Math.max(bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n'));
  const head = bytes.subarray(0, end < 0 ? bytes.length : end).toString('latin1');
  if ((head.match(/^dkim-signature:/gim) ?? []).length > MOST_SIGNATURES) return 'refused';
  const { dkim, dmarc } = await authenticate(bytes, {
    disableArc: true,
    disableBimi: true,
    resolver: resolver as never,
  });
  const results = dkim.results ?? [];
  // A signature of a part of the body says nothing of the rest.
  if (results.some(({ canonBodyLengthLimited }) => canonBodyLengthLimited)) return 'refused';
  const signed = results.some(({ status }) => status.result === 'pass' && Boolean(status.aligned));
  if (signed || (dmarc && dmarc.status.result === 'pass')) return 'confirmed';
  return results.some(({ status }) => status.result === 'temperror') ? 'unknown' : 'refused';
}

/**
 * Reads the `Authentication-Results` (RFC 8601) of the receiving server.
 * @param value of the first header of that name
 * @param server `authserv-id` of the receiving server, which removes forged headers with its own id
 * @param from address of the author
 */
export function confirmsAuthor(value: string, server: string, from: string): boolean {
  const [id = '', ...results] = withoutComments(value).split(';');
  if (id.trim().split(/\s+/)[0]?.toLowerCase() !== server.toLowerCase()) return false;
  const domain = domainOf(from);
  return results.some((result) => {
    const text = result.trim().toLowerCase();
    const property = (name: string) => new RegExp(`(?:^|\\s)${name}=(?:[^\\s@]*@)?"?([^\\s"]+)`).exec(text)?.[1];
    if (/^dmarc\s*=\s*pass\b/.test(text)) return property('header\\.from') === domain;
    if (/^dkim\s*=\s*pass\b/.test(text)) return property('header\\.[di]') === domain;
    if (/^spf\s*=\s*pass\b/.test(text)) return property('smtp\\.mailfrom') === domain;
    return false;
  });
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** Comments may hold semicolons, and may be nested. */
function withoutComments(value: string): string {
  let text = value;
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replaceAll(/\([^()]*\)/g, ' ');
  }
  return text;
}
