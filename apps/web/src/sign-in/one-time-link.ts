/** One-time links: `#/invitation/TOKEN` and `#/password-reset/TOKEN`. The token stays in memory and leaves the address at once. */

interface OneTimeLink {
  purpose: 'invitation' | 'password-reset';
  token: string;
}

/** @param hash fragment of the address, with or without its `#` */
export function readLink(hash: string): OneTimeLink | undefined {
  const [, purpose, token] = /^#?\/?(invitation|password-reset)\/([\w-]{20,})$/.exec(hash) ?? [];
  return token === undefined ? undefined : { purpose: purpose as OneTimeLink['purpose'], token };
}

let taken: OneTimeLink | undefined;

export function takeLink(link: OneTimeLink): void {
  taken = link;
}

export const takenLink = (): OneTimeLink | undefined => taken;
