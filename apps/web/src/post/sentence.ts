/** The sentences by which the portal explains what somebody may do. */
import type { Explanation } from '@portico/sdk';

/** The sentence without what it says in brackets: by which groups roles were given. */
export const sentenceOf = ({ sentence = '' }: Explanation): string => sentence.replaceAll(/ \([^()]*\)/g, '');

/** What the sentence says, and why: what follows the first `because`. */
export function partsOf(explanation: Explanation): { what: string; reason: string } {
  const [what = '', ...reasons] = sentenceOf(explanation).replace(/\.$/, '').split(', because ');
  return { what, reason: reasons.join(', because ') };
}
