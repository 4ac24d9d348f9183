/** The nouns of the client commands; their verbs are the operations of the contract. */
export { nounDescriptions } from './nouns.generated.ts';

/** The noun of a part of the product: `identity-providers` of `identityProviders`. */
export function nounOf(domain: string): string {
  return domain.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
