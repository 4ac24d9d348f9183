/** Sentences that explain permissions, in the language of the page. */
import type { Explanation } from '@portico/sdk';
import type { Sentences } from './explanation-patterns.ts';

type Reason = NonNullable<Explanation['reason']>;

export function explanationText(explanation: Explanation, sentences: Sentences): string {
  const { what, reason } = splitExplanation(explanation, sentences);
  return reason === '' ? what : sentences.because(what, reason);
}

/** Splits an explanation into its sentence and its reasons. */
export function splitExplanation(
  { sentence = '', reason }: Explanation,
  sentences: Sentences,
): { what: string; reason: string } {
  const because = `, because ${reason?.text}.`;
  if (!reason || !sentence.endsWith(because)) return { what: sentences.say(sentence), reason: '' };
  return {
    what: sentences.say(sentence.slice(0, -because.length)),
    reason: sentences.list(clausesOf(reason).map(sentences.say)),
  };
}

/**
 * The deciding facts, each once, without the parts in brackets that name the groups by which roles
 * were given.
 */
function clausesOf({ kind, text = '', reasons = [] }: Reason): string[] {
  if (kind === 'ALL_OF' || kind === 'ANY_OF') return [...new Set(reasons.flatMap(clausesOf))];
  const brackets = reasons[0] ? text.lastIndexOf(` (${reasons[0].text}`) : -1;
  return [brackets < 0 ? text : text.slice(0, brackets)];
}
