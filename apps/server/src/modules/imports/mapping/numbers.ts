/** Numbers as files write them. */
import type { NumberMarks } from '../source/mapping-types.ts';

/** Digits of other scripts, by character. */
const DIGITS: ReadonlyMap<string, string> = new Map(
  Intl.supportedValuesOf('numberingSystem').flatMap((numberingSystem) => {
    const written = [...new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(9876543210)];
    return written.length === 10 ? written.map((digit, index): [string, string] => [digit, String(9 - index)]) : [];
  }),
);

/** Marks that programs use for each other. */
const ALIKE: readonly RegExp[] = [/[\s\u00a0\u2007\u2009\u202f]/gu, /['\u2019]/gu];

/**
 * Returns a number without thousands marks and with a decimal point: `-1234.5`, `1e5`. Groups have
 * three digits each, the first one to three.
 * @returns undefined for a text with another mark, or with groups of other lengths
 */
export function plainNumber(text: string, { decimal, thousands }: NumberMarks): string | undefined {
  let given = withAsciiDigits(text.trim());
  let [point, group] = [decimal, thousands];
  for (const alike of ALIKE) {
    const one = alike.source.includes('\\s') ? ' ' : "'";
    given = given.replace(alike, one);
    point = point.replace(alike, one);
    group = group.replace(alike, one);
  }
  const parts = /^([+-]?)(.*?)((?:[eE][+-]?\d{1,4})?)$/su.exec(given);
  const [, sign, digits, exponent] = parts ?? [];
  if (digits === undefined) return undefined;
  const [whole, fraction, ...rest] = point === '' ? [digits] : digits.split(point);
  if (rest.length > 0 || (fraction !== undefined && !/^\d*$/.test(fraction))) return undefined;
  if (whole === '' && (fraction ?? '') === '') return undefined;
  const groups = group === '' ? [whole!] : whole!.split(group);
  const [first, ...more] = groups;
  if (!/^\d*$/.test(first!) || (first === '' && more.length > 0)) return undefined;
  if (more.length > 0 && (first!.length > 3 || !more.every((part) => /^\d{3}$/.test(part)))) return undefined;
  const number = `${groups.join('') || '0'}${fraction ? `.${fraction}` : ''}`;
  return `${sign === '-' ? '-' : ''}${number}${exponent}`;
}

/** Returns whether a number has a decimal mark in its text. */
export function hasPoint(text: string, { decimal }: NumberMarks): boolean {
  return decimal !== '' && text.includes(decimal);
}

/** Returns a text with ASCII digits and signs, and without direction marks. */
function withAsciiDigits(text: string): string {
  return text
    .replace(/[\u200e\u200f\u061c]/gu, '')
    .replace(/\u2212/gu, '-')
    .replace(/\p{Nd}/gu, (digit) => DIGITS.get(digit) ?? digit);
}
