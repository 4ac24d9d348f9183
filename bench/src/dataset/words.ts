/** Texts: words by Zipf's law, some with accents, and marked words whose share of the posts is known. */
import { Dice } from './random.ts';

/** Everyday words, commonest first; the rest of the vocabulary is made of syllables. */
const EVERYDAY =
  'delivery meeting customer project review order budget contract team office release quality training market machine supplier invoice travel service report design plan request parts test storage product schedule safety agreement address payment answer question training garden server factory window bridge paper ticket visit machine season night summer'.split(
    ' ',
  );
const ACCENTED = 'Qualität Größe città perché façade naïve Übergabe señal Ångström crème Łódź smörgås'.split(' ');
const ONSETS = 'b c d f g k l m n p r s t v br cr dr gr pl pr st tr'.split(' ');
const VOWELS = 'a e i o u ai ea io ou'.split(' ');
const CODAS = 'l m n r s t nd rt st x'.split(' ');
const VOCABULARY = 4_000;
const SENTENCES = 20_000;

/** Words that are in texts beside all others: about every hundredth post, and about twenty posts whatever their number. */
export const MEDIUM_WORD = 'aqueduct';
export const RARE_WORD = 'heliotrope';
/** The commonest word of the vocabulary. */
export const COMMON_WORD = EVERYDAY[0] as string;

function makeVocabulary(): string[] {
  const dice = new Dice(4711);
  const words = new Set([...EVERYDAY, ...ACCENTED]);
  while (words.size < VOCABULARY) {
    let word = '';
    for (let syllable = 1 + dice.below(3); syllable >= 0; syllable--) word += dice.pick(ONSETS) + dice.pick(VOWELS);
    words.add(word + dice.pick(CODAS));
  }
  return [...words];
}

const vocabulary = makeVocabulary();

/** Words with spaces between them, the first one with a capital. */
export function phrase(dice: Dice, count: number): string {
  let text = '';
  for (let word = 0; word < count; word++) text += `${word === 0 ? '' : ' '}${vocabulary[dice.zipf(VOCABULARY)]}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const sentences = (() => {
  const dice = new Dice(815);
  return Array.from({ length: SENTENCES }, () => `${phrase(dice, 5 + dice.below(9))}.`);
})();

/** Some sentences. */
export function paragraph(dice: Dice, count: number): string {
  let text = '';
  for (let sentence = 0; sentence < count; sentence++) text += `${sentence === 0 ? '' : ' '}${dice.pick(sentences)}`;
  return text;
}

/** The marked words that a post's text is to hold, with a space before each. */
export function markedWords(dice: Dice, posts: number): string {
  return (dice.chance(0.01) ? ` ${MEDIUM_WORD}` : '') + (dice.chance(Math.min(1, 20 / posts)) ? ` ${RARE_WORD}` : '');
}

const FIRST_NAMES =
  'Ada Bruno Carla Dario Elena Fabio Giulia Hanna Ivo José Katja Luca Marta Nils Olga Pietro Quirin Rosa Søren Tina Ugo Vera Walter Xenia Yara Zoë'.split(
    ' ',
  );

/** A person's name: few first names, many last ones. */
export function personName(dice: Dice): { firstName: string; lastName: string } {
  return { firstName: dice.pick(FIRST_NAMES), lastName: phrase(dice, 1) };
}
