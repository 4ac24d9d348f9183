/**
 * Words of texts for a search by words: the same for an indexed text, for a query and for the text
 * in which a result marks what matched.
 */
import { normaliseText } from './fold.ts';
import { SINGLE } from './search.ts';

/** A word of a text. */
export interface TextWord {
  /** Normal form; in scripts without spaces two characters, or the last one of a run. */
  readonly word: string;
  /** Place among the words of the text, from 0; words of adjacent places make a phrase. */
  readonly place: number;
  /** The part of the text: index of its first code unit, and of the first one after it. */
  readonly start: number;
  readonly end: number;
}

/** Longer words are cut. UTF-16 units. */
const LONGEST_WORD = 100;
/** Characters of a run without spaces that are read: some have a normal form of many words. */
const LONGEST_RUN = 1_000;
const RUN = new RegExp(`(?:${SINGLE.source})+|(?:(?!${SINGLE.source})[\\p{L}\\p{N}\\p{M}])+`, 'gv');
const ALONE = new RegExp(`^${SINGLE.source}`, 'v');

/** Whether a word is of a script without spaces, whose words are pairs of characters. */
export function isOfPairs(word: string): boolean {
  return ALONE.test(word);
}

/**
 * Yields the words of a text in their order. The work between two words is bounded.
 * @param most the number after which it ends
 */
export function* textWords(text: string, most = Number.POSITIVE_INFINITY): Generator<TextWord> {
  let place = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (place >= most) return;
    if (isOfPairs(run)) {
      for (const pair of pairsOf(run, index, place)) {
        if (place >= most) return;
        yield pair;
        place += 1;
      }
      continue;
    }
    // The normal form of a run may have several words: that of a fraction, for example.
    for (const part of normaliseText(run.slice(0, LONGEST_RUN)).match(RUN) ?? []) {
      yield { word: cut(part), place, start: index, end: index + run.length };
      place += 1;
    }
  }
}

function* pairsOf(run: string, index: number, place: number): Generator<TextWord> {
  let at = place;
  let start = index;
  let character = '';
  for (const next of run) {
    if (character !== '') {
      yield { word: normaliseText(character + next), place: at, start, end: start + character.length + next.length };
      at += 1;
      start += character.length;
    }
    character = next;
  }
  yield { word: normaliseText(character), place: at, start, end: start + character.length };
}

/** Cuts a long word, not within a character. */
function cut(word: string): string {
  if (word.length <= LONGEST_WORD) return word;
  return word.slice(0, LONGEST_WORD).toWellFormed().replaceAll('\ufffd', '');
}
