/** Longest address (RFC 5321). Characters. */
const MAX_ADDRESS = 254;
/** A mailbox of RFC 5321, without quoted local parts and address literals. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]{1,64}@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;

/** Whether mail can be sent there: one address, without a name. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS && ADDRESS.test(text);
}
