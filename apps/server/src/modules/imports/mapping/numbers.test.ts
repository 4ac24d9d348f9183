import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainNumber } from './numbers.ts';

const read = (text: string, decimal = '.', thousands = '') => plainNumber(text, { decimal, thousands, named: true });

describe('plainNumber', () => {
  it.each([
    ['1234.5', '.', '', '1234.5'],
    ['1.234,5', ',', '.', '1234.5'],
    ['-1\u00a0234,5', ',', ' ', '-1234.5'],
    ['1\u202f234\u202f567,5', ',', ' ', '1234567.5'],
    ['1 234,5', ',', '\u00a0', '1234.5'],
    ["1'234.5", '.', '\u2019', '1234.5'],
    ['\u22121,5', ',', '', '-1.5'],
    ['\u0661\u066c\u0662\u0663\u0664\u066b\u0665', '\u066b', '\u066c', '1234.5'],
    ['1e5', '.', '', '1e5'],
    ['.5', '.', '', '0.5'],
    ['1.000', '', '.', '1000'],
  ])('reads %j with %j and %j', (text, decimal, thousands, expected) => {
    expect(read(text, decimal, thousands)).toBe(expected);
  });

  it.each([
    ['1.234', ',', ''],
    ['1,234', '.', ''],
    ['1.2', ',', '.'],
    ['1.23', ',', '.'],
    ['1.2.3', ',', '.'],
    ['1234.567', ',', '.'],
    ['1,234.5', ',', '.'],
    ['1 234', '.', ''],
    ['.123', ',', '.'],
    ['1,5,5', ',', ''],
    ['', '.', ''],
    ['.', '.', ''],
    ['-', '.', ''],
    ['12O', '.', ''],
  ])('refuses %j with %j and %j', (text, decimal, thousands) => {
    expect(read(text, decimal, thousands)).toBeUndefined();
  });

  it('reads what Intl writes in the forms of many languages', () => {
    const languages = ['en', 'de', 'fr', 'it', 'es', 'pl', 'ru', 'sv', 'de-CH', 'pt-BR', 'tr', 'ar-EG'];
    const drawn = fc.tuple(fc.constantFrom(...languages), fc.integer({ min: -1e11, max: 1e11 }));
    fc.assert(
      fc.property(drawn, ([language, hundredths]) => {
        const format = new Intl.NumberFormat(language, { minimumFractionDigits: 2, useGrouping: 'always' });
        const marks = new Map(format.formatToParts(-1234567.89).map(({ type, value }) => [type, value]));
        const text = read(format.format(hundredths / 100), marks.get('decimal'), marks.get('group'));
        expect(Number(text)).toBe(hundredths / 100);
      }),
      { numRuns: 200 },
    );
  });
});
