/** The sentences by which the portal explains what somebody may do. */
import type { Explanation } from '@portico/sdk';

/** The sentence without what it says in brackets: by which groups roles were given. */
export const explanationText = ({ sentence = '' }: Explanation): string => sentence.replaceAll(/ \([^()]*\)/g, '');

/** What the sentence says, and why: what follows the first `because`. */
export function splitExplanation(explanation: Explanation): { what: string; reason: string } {
  const [what = '', ...reasons] = explanationText(explanation).replace(/\.$/, '').split(', because ');
  return { what, reason: reasons.join(', because ') };
}
