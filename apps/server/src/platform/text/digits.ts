/** Significant digits, their exponent and the sign of a number as text: the same for `1.50`, `15e-1` and `+1.5`. */
export function digitsOf(text: string): string {
  const { significant, power } = parts(text);
  return significant === '' ? '0' : `${text.startsWith('-') ? '-' : ''}${significant}e${power}`;
}

/** Significant digits with which every double can be written. */
export const doubleDigits = 17;
/** The most digits that JavaScript writes a number with. */
const WRITABLE_DIGITS = 100;

/**
 * Whether a number that was read from a text is another one than the text says: it has digits that no double keeps, or all of
 * it was lost. A double that is written with more digits than it needs is not rounded.
 */
export function isRounded(text: string, number: number): boolean {
  const { length } = parts(text).significant;
  if (number === 0) return length > 0;
  if (length <= doubleDigits) return false;
  return length > WRITABLE_DIGITS || digitsOf(number.toPrecision(length)) !== digitsOf(text);
}

function parts(text: string): { significant: string; power: number } {
  const [mantissa, exponent] = text.toLowerCase().split('e') as [string, string | undefined];
  const [whole, fraction = ''] = mantissa.replace(/^[+-]/, '').split('.') as [string, string | undefined];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = withoutZeros(digits);
  return { significant, power: Number(exponent ?? 0) - fraction.length + digits.length - significant.length };
}

/** Not by a pattern: it would try each run of zeros anew. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
