/** The text of mail files (RFC 5322), decoded. */
import type { Address } from 'postal-mime';
import { htmlText } from './html-text.ts';

/**
 * Subject, people, date, text and names of attachments; not the bytes of attachments.
 * @throws Error for a message that cannot be read
 */
export async function mailText(data: Buffer): Promise<string> {
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(data);
  const people = [mail.from, mail.sender, ...(mail.to ?? []), ...(mail.cc ?? []), ...(mail.bcc ?? [])];
  const text = mail.text?.trim() ? mail.text : await htmlText(mail.html ?? '');
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
