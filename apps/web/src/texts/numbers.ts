/**
 * Numbers as people type them: with the marks of the account's language, or the browser's until
 * that is known.
 */

interface Marks {
  readonly group: string;
  readonly point: string;
}

let marks = marksOf(undefined);

function marksOf(language: string | undefined): Marks {
  const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.5);
  const of = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
  return { group: of('group'), point: of('decimal') === ',' ? ',' : '.' };
}

/** @param tag BCP 47 */
export function setNumberLanguage(tag: string): void {
  marks = marksOf(tag);
}

/** A number as an input shows it. @param digits with a point, or whole */
export const typedNumber = (digits: string): string => digits.replace('.', marks.point);

/**
 * Parses a typed number. If the text has both a point and a comma, the last one separates the
 * decimals. A single mark before three digits groups thousands if the language uses it so.
 * @returns digits with a point, or whole; undefined if the text is no number
 */
export function numberOf(text: string): string | undefined {
  const plain = text.trim().replace(/[\s\u00a0\u202f'’]/g, '');
  const used = plain.match(/[.,]/g) ?? [];
  const last = used.at(-1);
  const isGroups =
    used.length > 1 ? used.every((mark) => mark === last) : last === marks.group && inGroups(plain, last);
  const digits = isGroups ? withoutGroups(plain, last!) : withPoint(plain, last);
  return digits !== undefined && /^[+-]?\d+(?:\.\d+)?$/.test(digits) ? digits.replace(/^\+/, '') : undefined;
}

function withPoint(plain: string, point: string | undefined): string | undefined {
  if (point === undefined) return plain;
  const at = plain.lastIndexOf(point);
  const whole = plain.slice(0, at);
  const group = point === '.' ? ',' : '.';
  const digits = whole.includes(group) ? withoutGroups(whole, group) : whole;
  return digits === undefined ? undefined : `${digits}.${plain.slice(at + 1)}`;
}

const inGroups = (plain: string, group: string) => new RegExp(`^[+-]?[1-9]\\d{0,2}(?:\\${group}\\d{3})+$`).test(plain);

const withoutGroups = (plain: string, group: string) =>
  inGroups(plain, group) ? plain.replaceAll(group, '') : undefined;
