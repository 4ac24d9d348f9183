/** Decides whether the author of a mail is the one that its `From` names. */
import { promises as dns } from 'node:dns';

/** Texts of records of type TXT, by name: others are looked up. */
export type KnownRecords = Readonly<Record<string, string>>;

/** `confirmed`, `refused`, or `unknown` where DNS did not answer: the mail is to be tried again. */
export type Authenticity = 'confirmed' | 'refused' | 'unknown';

/** Time limit of one attempt of a lookup, and attempts. Milliseconds. */
const LOOKUP = { timeout: 2_000, tries: 2 };
/** Bounds the lookups of a message. */
const MOST_SIGNATURES = 10;

/**
 * Verifies the author of a mail with one `From` by DMARC, or by a DKIM signature of the author's
 * domain. SPF is not asked: the address of the sending host is known to the receiving server alone.
 * A hostile mail takes a second: only {@link verifyAuthor} of mail-reading.ts calls this, in a thread.
 */
export async function checkAuthor(raw: Uint8Array, known: KnownRecords = {}): Promise<Authenticity> {
  const { authenticate } = await import('mailauth');
  const bytes = Buffer.from(raw);
  const end = Math.max(bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n'));
  const head = bytes.subarray(0, end < 0 ? bytes.length : end).toString('latin1');
  if ((head.match(/^dkim-signature:/gim) ?? []).length > MOST_SIGNATURES) return 'refused';
  const { dkim, dmarc } = await authenticate(bytes, {
    disableArc: true,
    disableBimi: true,
    resolver: (name, type) => lookUp(known, name, type),
  });
  const results = dkim.results ?? [];
  // A signature of a part of the body says nothing of the rest.
  if (results.some(({ canonBodyLengthLimited }) => canonBodyLengthLimited)) return 'refused';
  const signed = results.some(({ status }) => status.result === 'pass' && Boolean(status.aligned));
  if (signed || (dmarc && dmarc.status.result === 'pass')) return 'confirmed';
  return results.some(({ status }) => status.result === 'temperror') ? 'unknown' : 'refused';
}

async function lookUp(known: KnownRecords, name: string, type: string): Promise<string[] | string[][]> {
  const text = type === 'TXT' && Object.hasOwn(known, name) ? known[name] : undefined;
  if (text !== undefined) return [[text]];
  return (await new dns.Resolver(LOOKUP).resolve(name, type)) as string[];
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
