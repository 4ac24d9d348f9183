/** Display of explanations. */
import { expect, test } from 'vitest';
import { explanations as german } from '../texts/de/explanations.ts';
import { explanations as ITALIAN } from '../texts/it/explanations.ts';
import { ENGLISH } from './explanation-patterns.ts';
import { explanationText, splitExplanation } from './explanation-text.ts';

/** An explanation in the form of the interface. */
function explanationOf(what: string, ...facts: { text: string; reasons?: { text: string }[] }[]) {
  const text = facts.map((fact) => fact.text).join(' and ');
  const [only] = facts;
  return {
    sentence: `${what}, because ${text}.`,
    reason: {
      text,
      ...(facts.length === 1 ? { kind: 'ROLE' as const, ...only } : { kind: 'ALL_OF' as const, reasons: facts }),
    },
  };
}

test('a sentence is split into what one may or may not, and why', () => {
  const given = { text: 'you are no manager (by Staff (old))', reasons: [{ text: 'by Staff (old)' }] };
  expect(splitExplanation(explanationOf('You may not delete the post', given), ENGLISH)).toEqual({
    what: 'You may not delete the post',
    reason: 'you are no manager',
  });
  expect(splitExplanation({}, ENGLISH)).toEqual({ what: '', reason: '' });
});

test('it is said in the language of the page, with names as they are', () => {
  const explanation = explanationOf(
    'You may not run the transition “Send, because * of (rain)”',
    { text: 'the post is a draft' },
    { text: 'the field “A*” holds one of “x”, “y”' },
    {
      text: 'you have the role reader in the community, not contributor (reader is given to you in the community)',
      reasons: [{ text: 'reader is given to you in the community' }],
    },
  );
  expect(explanationText(explanation, ITALIAN)).toBe(
    'Non puoi eseguire il passaggio “Send, because * of (rain)”, perché il post è una bozza, il campo “A*” contiene uno di “x”, “y” e nella comunità hai il ruolo di lettore, non di collaboratore.',
  );
  expect(explanationText(explanation, ENGLISH)).toBe(
    'You may not run the transition “Send, because * of (rain)”, because the post is a draft, the field “A*” holds one of “x”, “y” and you have the role reader in the community, not contributor.',
  );
  expect(explanationText(explanation, german)).toBe(
    'Sie dürfen den Übergang „Send, because * of (rain)“ nicht ausführen, denn der Beitrag ist ein Entwurf, das Feld „A*“ enthält eines von “x”, “y” und Sie haben in der Community die Rolle Lesende, nicht Mitwirkende.',
  );
  // A clause unknown to the page is shown in the words of the interface.
  expect(explanationText(explanationOf('You may fly', { text: 'you have wings' }), ITALIAN)).toBe(
    'You may fly, perché you have wings.',
  );
});
