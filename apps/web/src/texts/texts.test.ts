import { describe, expect, test } from 'vitest';
import { german } from './de/index.ts';
import { en } from './en.ts';
import { loadFile, offerLanguage } from './files.ts';
import { formatsOf, hasTexts, languageOf } from './index.ts';
import { italianTexts } from './it/index.ts';
import { numberOf, setNumberLanguage, typedNumber } from './numbers.ts';
import { type Count, pluralsOf } from './plurals.ts';
import { instantOf, setTimeZone, timeZone, wallTime } from './time-zone.ts';

describe.each([
  ['Italian', italianTexts.texts],
  ['German', german.texts],
])('the %s texts', (_name, texts) => {
  test('are those of the English page, each of the same form, and none is empty', () => {
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(en).toSorted());
    for (const [key, text] of Object.entries(en)) {
      const other: unknown = texts[key as keyof typeof en];
      expect(typeof other, key).toBe(typeof text);
      expect(other, key).not.toBe('');
      if (typeof text === 'object') expect(Object.keys(other as object), key).toEqual(Object.keys(text));
    }
  });
});

/** Loaded languages stay loaded: each test loads its own and skips over one that no test loads. */
async function loadItalian() {
  offerLanguage('it', async () => italianTexts);
  await loadFile('it');
}

test('the language is the first with texts that is a language tag', async () => {
  await loadItalian();
  expect(languageOf(['pl-PL', 'en-US@posix', 'it-IT', 'en-GB'])).toEqual({ tag: 'it-IT', ...italianTexts });
  expect(languageOf(['en-US@posix'])).toEqual({ tag: 'en', texts: en });
});

test('a language with a file of its own is used once the file is loaded, and not where that fails', async () => {
  await loadItalian();
  offerLanguage('fr', () => Promise.reject(new Error('offline')));
  offerLanguage('de', async () => german);
  expect(hasTexts('fr')).toBe(true);
  await loadFile('fr');
  expect([hasTexts('fr'), languageOf(['fr', 'it']).texts]).toEqual([false, italianTexts.texts]);
  expect(languageOf(['de-AT', 'it']).texts).toBe(italianTexts.texts);
  await loadFile('de');
  expect(languageOf(['de-AT', 'it'])).toEqual({ tag: 'de-AT', ...german });
});

test('words have the form that the number needs in the language', () => {
  const { count } = formatsOf('de', 'de', 'UTC');
  expect([0, 1, 1234].map((number) => german.texts.loaded(count(number)))).toEqual([
    '0 Beiträge',
    '1 Beitrag',
    '1.234 Beiträge',
  ]);
  expect(en.loaded(count(1))).toBe('1 post');
  const polish = pluralsOf('pl');
  const files = (number: Count) => polish(number, { one: 'plik', few: 'pliki', other: 'plików' });
  expect([1, 3, 5, 22, 25].map((number) => files(count(number)))).toEqual([
    'plik',
    'pliki',
    'plików',
    'pliki',
    'plików',
  ]);
});

test('times are those of the clocks in the time zone that was set, also where they are changed', () => {
  setTimeZone('America/New_York');
  for (const [wall, utc] of [
    ['2026-11-25T18:05:00', '2026-11-25T23:05:00Z'],
    ['2026-07-01T00:00:00', '2026-07-01T04:00:00Z'],
    ['2026-03-08T03:00:00', '2026-03-08T07:00:00Z'],
    ['2026-11-01T00:30:00', '2026-11-01T04:30:00Z'],
  ] as const) {
    expect(instantOf(wall)).toBe(Date.parse(utc));
    expect(wallTime(Date.parse(utc))).toBe(wall);
  }
  expect(instantOf('2026-12-31T24:00')).toBe(instantOf('2027-01-01T00:00'));
  expect(instantOf('soon')).toBeNaN();
  setTimeZone('Nowhere/Known');
  expect(timeZone()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
});

test('times with an end have the day once where it is the same, and months the language of the page', () => {
  const at = Date.parse('2024-08-10T09:00:00Z');
  const { day, moment, shortDay } = formatsOf('en', 'de-AT', 'UTC');
  expect([day(at), day(at, at), day(at, at + 86_400_000)]).toEqual(['10.08.2024', '10.08.2024', '10.–11.08.2024']);
  expect(moment(at, at + 3_600_000)).toMatch(/^10\.08\.2024, 09:00–10:00/);
  expect(shortDay(at)).toBe('Aug 10, 2024');
  expect(formatsOf('en-US', 'en-GB', 'UTC').shortDay(at)).toBe('10 Aug 2024');
});

test('numbers are read with the marks of the language that was set', () => {
  for (const [tag, read] of [
    [
      'de',
      { '1.000': '1000', '9.695,20': '9695.20', '1,5': '1.5', '1.5': '1.5', '1.234.567': '1234567', '0.125': '0.125' },
    ],
    ['en-GB', { '1,000': '1000', '9,695.20': '9695.20', '1,5': '1.5', '1.000': '1.000', '1.234.567,5': '1234567.5' }],
    ['de-CH', { '1’000.5': '1000.5', "1'000": '1000', '1.000': '1.000', '-1,25': '-1.25' }],
    ['fr', { '1\u202f000,5': '1000.5', '+12': '12', '-7': '-7' }],
  ] as const) {
    setNumberLanguage(tag);
    expect(Object.fromEntries(Object.keys(read).map((text) => [text, numberOf(text)])), tag).toEqual(read);
    for (const digits of ['1.234', '1234', '-0.5', '1234567.891']) expect(numberOf(typedNumber(digits))).toBe(digits);
    for (const text of ['', '1.2.3', '1,23,4', '12.34,5.6', '1.,5', 'ten', '.5', '1,2.3,4'])
      expect(numberOf(text), text).toBeUndefined();
  }
});
