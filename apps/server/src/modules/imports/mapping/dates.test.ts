import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DateForm, DateFormat } from '../source/mapping-types.ts';
import { loadPatterns } from './date-pattern.ts';
import { dateForm, readDate } from './dates.ts';

beforeAll(loadPatterns);

function format(forms: readonly string[], { timezone = 'UTC', language = 'en' } = {}): DateFormat {
  const compiled = forms.map((name) => dateForm(name, language));
  for (const form of compiled) if (typeof form === 'string') throw new Error(form);
  return { forms: compiled as DateForm[], timezone };
}

const instant = (value: unknown, forms: readonly string[], options?: { timezone?: string; language?: string }) =>
  new Date(readDate(value, format(forms, options), 'DATETIME')).toISOString();
const day = (value: unknown, forms: readonly string[], options?: { timezone?: string; language?: string }) =>
  new Date(readDate(value, format(forms, options), 'DATE')).toISOString();

describe('readDate', () => {
  it.each([
    ['2025-02-12', 'YYYY-MM-DD', '2025-02-12T05:00'],
    ['2025-02-12 10:00', 'YYYY-MM-DD HH:mm', '2025-02-12T15:00'],
    ['12.02.2025', 'DD.MM.YYYY', '2025-02-12T05:00'],
    ['12\\2\\2025', 'D\\M\\YYYY', '2025-02-12T05:00'],
    ['20250212', 'YYYYMMDD', '2025-02-12T05:00'],
    ['2025-02-12T10:00:01', 'YYYY-MM-DDTHH:mm:ss', '2025-02-12T15:00:01'],
    ['2025-02-12T10:00:01.250', 'YYYY-MM-DDTHH:mm:ss.SSS', '2025-02-12T15:00:01.250'],
    ['28/Jun/16 9:27 AM', 'D/MMM/YY h:mm A', '2016-06-28T13:27'],
    ['28/jun/16 12:27\u202fam', 'D/MMM/YY h:mm A', '2016-06-28T04:27'],
    ['28/Jun/16 9:27 p.m.', 'D/MMM/YY h:mm A', '2016-06-29T01:27'],
    ['3 Sept 2016', 'D MMM YYYY', '2016-09-03T04:00'],
    ['Wednesday, October 2, 2013', 'dddd, MMMM D, YYYY', '2013-10-02T04:00'],
    ['2013-10-02 10:15 +0300', 'YYYY-MM-DD HH:mm Z', '2013-10-02T07:15'],
    ['2013-10-02 10:15 +03:00', 'YYYY-MM-DD HH:mm Z', '2013-10-02T07:15'],
    ['2013-10-02T10:15Z', 'YYYY-MM-DDTHH:mmZ', '2013-10-02T10:15'],
    ['02.10.2013 um 10 Uhr', 'DD.MM.YYYY um HH Uhr', '2013-10-02T14:00'],
    ["2.10.2013 10h'15", "D.M.YYYY H[h']mm", '2013-10-02T14:15'],
    ['31/12/68', 'DD/MM/YY', '2068-12-31T05:00'],
    ['01/01/69', 'DD/MM/YY', '1969-01-01T05:00'],
    ['Wed, 2 Oct 2013 10:15:50 +0300', 'rfc2822', '2013-10-02T07:15:50'],
    ['2 Oct 2013 10:15 GMT', 'rfc2822', '2013-10-02T10:15'],
    ['45351', 'serial-1900', '2024-02-29T05:00'],
    ['45351.75', 'serial-1900', '2024-02-29T23:00'],
    ['43889', 'serial-1904', '2024-02-29T05:00'],
    ['1', 'serial-1900', '1900-01-01T04:56:02'],
    ['61', 'serial-1900', '1900-03-01T04:56:02'],
    ['2024-02-29', 'auto', '2024-02-29T05:00'],
    ['2024-02-29 10:00', 'iso', '2024-02-29T15:00'],
    ['1709164800000', 'auto', '2024-02-29T00:00'],
    ['951782400000', 'auto', '2000-02-29T00:00'],
    ['1709164800', 'epoch-s', '2024-02-29T00:00'],
  ])('reads %j by %s in the zone of the mapping', (text, form, expected) => {
    const given = /:\d\d:\d\d/.test(expected) ? expected : `${expected}:00`;
    const wanted = new Date(`${given}Z`).toISOString();
    // Before 1901, New York used its local mean time, including seconds.
    if (expected.includes('04:56:02')) expect(day(text, [form]).slice(0, 10)).toBe(expected.slice(0, 10));
    else expect(instant(text, [form], { timezone: 'America/New_York' })).toBe(wanted);
  });

  it.each([
    ['2025-02-30', 'YYYY-MM-DD'],
    ['2025-2-12', 'YYYY-MM-DD'],
    ['12/02/2025', 'DD/MM/YY'],
    ['12/02/025', 'DD/MM/YY'],
    ['29/02/2024 24:00', 'DD/MM/YYYY HH:mm'],
    ['28/Jun/16 13:27 AM', 'D/MMM/YY h:mm A'],
    ['28/Jun/16 0:27 AM', 'D/MMM/YY h:mm A'],
    ['Thursday, October 2, 2013', 'dddd, MMMM D, YYYY'],
    ['Thu, 2 Oct 2013 10:15:50 +0300', 'rfc2822'],
    ['2 Oct 2013 24:00 GMT', 'rfc2822'],
    ['60', 'serial-1900'],
    ['0', 'serial-1900'],
    ['2958466', 'serial-1900'],
    ['20240229', 'auto'],
    ['20240229130000', 'auto'],
    ['202402291300', 'auto'],
    ['1709164800', 'auto'],
    ['12/02/2025', 'auto'],
    ['', 'auto'],
  ])('refuses %j by %s', (text, form) => {
    expect(() => readDate(text, format([form]), 'DATETIME')).toThrow(/is not a date/);
  });

  it('keeps the day of a DATE, whatever zone and time it has', () => {
    const east = { timezone: 'Asia/Tokyo' };
    expect(day('2024-02-29T23:30:00-05:00', ['auto'], east)).toBe('2024-02-29T00:00:00.000Z');
    expect(day('29.02.2024 00:10', ['DD.MM.YYYY HH:mm'], east)).toBe('2024-02-29T00:00:00.000Z');
    expect(day('Thu, 29 Feb 2024 23:30:00 -0500', ['rfc2822'], east)).toBe('2024-02-29T00:00:00.000Z');
  });

  it('reads each of several forms, and refuses what two of them read differently', () => {
    const forms = ['DD/MM/YYYY', 'MM/DD/YYYY', 'iso'];
    expect(day('29/02/2024', forms)).toBe('2024-02-29T00:00:00.000Z');
    expect(day('02/29/2024', forms)).toBe('2024-02-29T00:00:00.000Z');
    expect(day('2024-02-29', forms)).toBe('2024-02-29T00:00:00.000Z');
    expect(day('03/03/2024', forms)).toBe('2024-03-03T00:00:00.000Z');
    expect.assertions(5);
    try {
      day('02/03/2024', forms);
    } catch (error) {
      expect(error).toMatchObject({
        allowed: 'a text that its forms read alike; DD/MM/YYYY reads it as 2024-03-02 and MM/DD/YYYY as 2024-02-03',
      });
    }
  });

  it.each([
    ['DD/MM', 'it needs a year, a month and a day'],
    ['dd/mm/yyyy', 'it needs a year, a month and a day'],
    ['DD/MM/YYYY YY', 'a part twice'],
    ['DD/MM/YYYY h:mm', 'need A'],
    ['DD/MM/YYYY HH:mm A', 'need A'],
    ['DD/MM/YYYY mm', 'needs an hour'],
  ])('says why %s is no pattern', (pattern, reason) => {
    expect(dateForm(pattern, 'en')).toContain(reason);
  });

  const languages = ['en', 'de', 'fr', 'it', 'es', 'pt', 'pl', 'ru', 'tr', 'ja', 'sv', 'cs'];
  const styles: Intl.DateTimeFormatOptions[] = [
    { year: 'numeric', month: '2-digit', day: '2-digit' },
    { year: 'numeric', month: 'long', day: 'numeric' },
    { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
    { year: '2-digit', month: 'numeric', day: 'numeric', hour: 'numeric', minute: '2-digit', hour12: true },
  ];
  /** Parts of patterns by the part of `Intl.DateTimeFormat` and its style. */
  const part = (type: string, value: string, style: Intl.DateTimeFormatOptions): string => {
    const long = { year: 'YYYY', month: 'MMMM', weekday: 'dddd', minute: 'mm', dayPeriod: 'A' };
    if (type === 'literal') return value.replace(/[^\p{P}\s]+/gu, (word) => `[${word}]`);
    if (type === 'year' && style.year === '2-digit') return 'YY';
    if (type === 'month' && /^\d/.test(value)) return style.month === '2-digit' && value.length === 2 ? 'MM' : 'M';
    if (type === 'month' && style.month === 'short') return 'MMM';
    if (type === 'day') return 'D';
    if (type === 'hour') return style.hour12 ? 'h' : 'H';
    return long[type as keyof typeof long];
  };

  it('reads what Intl writes in the forms of many languages', () => {
    const moments = fc.date({ min: new Date('1970-01-01'), max: new Date('2068-12-31'), noInvalidDate: true });
    const drawn = fc.record({
      language: fc.constantFrom(...languages),
      style: fc.constantFrom(...styles),
      at: moments.map((date) => new Date(Math.floor(date.getTime() / 60_000) * 60_000)),
    });
    fc.assert(
      fc.property(drawn, ({ language, style, at }) => {
        const parts = new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' }).formatToParts(at);
        const pattern = parts.map(({ type, value }) => part(type, value, style)).join('');
        const text = parts.map(({ value }) => value).join('');
        const wanted = style.hour ? at.toISOString() : `${at.toISOString().slice(0, 10)}T00:00:00.000Z`;
        expect({ text, read: instant(text, [pattern], { language }) }).toEqual({ text, read: wanted });
      }),
      { numRuns: 300 },
    );
  });
});
