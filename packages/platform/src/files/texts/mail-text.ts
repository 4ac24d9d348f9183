/** The text of mail files (RFC 5322), decoded. */
import type { Address } from 'postal-mime';
import { type Markup, markupText } from './markup.ts';

const BLOCKS = new Set('p br div tr li h1 h2 h3 h4 h5 h6 blockquote pre'.split(' '));
const HTML: Omit<Markup, 'decode'> = {
  lines: BLOCKS,
  opening: BLOCKS,
  spaces: new Set(['td', 'th']),
  skipped: new Set(['head', 'style', 'script', 'template']),
  nameOf: (written) => written.toLowerCase(),
};

/**
 * Subject, people, date, text and names of attachments; not the bytes of attachments.
 * @throws Error for a message that cannot be read
 */
export async function mailText(data: Buffer): Promise<string> {
  const [{ default: PostalMime }, { decodeHTML }] = await Promise.all([import('postal-mime'), import('entities')]);
  const mail = await PostalMime.parse(data);
  const people = [mail.from, mail.sender, ...(mail.to ?? []), ...(mail.cc ?? []), ...(mail.bcc ?? [])];
  const text = mail.text?.trim()
    ? mail.text
    : markupText((mail.html ?? '').replaceAll(/\r?\n/g, ' '), { ...HTML, decode: decodeHTML });
  return [
    mail.subject ?? '',
    ...people.map(addressText),
    mail.date ?? '',
    text,
    ...mail.attachments.map(({ filename }) => filename ?? ''),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function addressText(address: Address | undefined): string {
  if (!address) return '';
  if (address.group) return [address.name, ...address.group.map(addressText)].join(' ');
  return [address.name, address.address].filter(Boolean).join(' ');
}
