/** Looks up properties of the text of a JSON body, each in one pass over it. The text itself is checked by the parser. */
import { endOfString } from '@portico/platform/text';

const [MINUS, PLUS, DOT] = [0x2d, 0x2b, 0x2e];

/** Only numbers of sixteen digits and more lie beyond 2^53. */
const LONG_NUMBER = /\d{16,}/g;
/** No number is so long. */
const MOST_DIGITS = 309;

/** Whether a text may hold integers beyond 2^53. */
export const mayHoldLongIntegers = (text: string): boolean => /\d{16}/.test(text);

/**
 * Replaces each integer that a number does not hold exactly by a string: its digits behind a mark.
 * Integers beyond the range of numbers stay, and so do fractions.
 */
export function markLongIntegers(text: string, mark: string): string {
  let marked = '';
  let taken = 0;
  /** The next string that does not end before the place that is looked at. */
  let string = text.indexOf('"');
  let stringEnd = string < 0 ? -1 : endOfString(text, string);
  LONG_NUMBER.lastIndex = 0;
  for (let found = LONG_NUMBER.exec(text); found; found = LONG_NUMBER.exec(text)) {
    const digits = found[0];
    const { index } = found;
    while (string >= 0 && stringEnd <= index) {
      string = text.indexOf('"', stringEnd);
      stringEnd = string < 0 ? -1 : endOfString(text, string);
    }
    if (string >= 0 && string < index) {
      LONG_NUMBER.lastIndex = stringEnd;
      continue;
    }
    const start = text.charCodeAt(index - 1) === MINUS ? index - 1 : index;
    if (isNumberPart(text.charCodeAt(start - 1)) || isNumberPart(text.charCodeAt(index + digits.length))) continue;
    if (digits.length > MOST_DIGITS || Number.isSafeInteger(Number(digits)) || !Number.isFinite(Number(digits)))
      continue;
    marked += `${text.slice(taken, start)}"${mark}${text.slice(start, index)}${digits}"`;
    taken = index + digits.length;
  }
  return marked + text.slice(taken);
}

/**
 * A sign, a point or an e: beside it stands a fraction, an exponent, or a number with one of them.
 */
function isNumberPart(code: number): boolean {
  return code === MINUS || code === PLUS || code === DOT || code === 0x65 || code === 0x45;
}
