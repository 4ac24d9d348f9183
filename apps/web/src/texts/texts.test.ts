import { describe, expect, test } from 'vitest';
import { en } from './en.ts';
import { languageOf } from './index.ts';
import { it } from './it.ts';
import { instantOf, setTimeZone, timeZone, wallTime } from './zone.ts';

describe('the Italian texts', () => {
  test('are those of the English page, each of the same form, and none is empty', () => {
    expect(Object.keys(it).toSorted()).toEqual(Object.keys(en).toSorted());
    for (const [key, text] of Object.entries(en)) {
      const other: unknown = it[key as keyof typeof it];
      expect(typeof other, key).toBe(typeof text);
      expect(other, key).not.toBe('');
      if (typeof text === 'object') expect(Object.keys(other as object), key).toEqual(Object.keys(text));
    }
  });
});

test('the language is the first with texts that is a language tag', () => {
  expect(languageOf(['de-DE', 'en-US@posix', 'it-IT', 'en-GB'])).toEqual({ tag: 'it-IT', texts: it });
  expect(languageOf(['en-US@posix'])).toEqual({ tag: 'en', texts: en });
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
