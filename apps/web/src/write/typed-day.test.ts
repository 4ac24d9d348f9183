import { describe, expect, test } from 'vitest';
import { addDays, addMonths, dayPattern, dayText, timeText, typedDay, typedTime } from './typed-day.ts';

const languages = {
  american: { tag: 'en-US', own: 'en-US' },
  british: { tag: 'en', own: 'en-GB' },
  german: { tag: 'de', own: 'de' },
  italian: { tag: 'it', own: 'it-CH' },
  hungarian: { tag: 'en', own: 'hu' },
  persian: { tag: 'en', own: 'fa-IR' },
} as const;
const day = (text: string, language: keyof typeof languages) => typedDay(text, languages[language], '2026-11-29');
const time = (text: string, language: keyof typeof languages) => typedTime(text, languages[language]);

describe('a typed day', () => {
  test('has day and month in the order of the language', () => {
    expect([day('3/4/2027', 'american'), day('3/4/2027', 'british'), day('3.4.27', 'german')]).toEqual([
      '2027-03-04',
      '2027-04-03',
      '2027-04-03',
    ]);
    expect(day('2027. 04. 03.', 'hungarian')).toBe('2027-04-03');
    expect([day('04032027', 'american'), day('030427', 'german')]).toEqual(['2027-04-03', '2027-04-03']);
  });

  test('has the present year if none is typed', () => {
    expect([day('3/4', 'american'), day('3.4.', 'german'), day('24 Dez', 'german')]).toEqual([
      '2026-03-04',
      '2026-04-03',
      '2026-12-24',
    ]);
  });

  test('may name its month, or be named itself', () => {
    expect(day('Dec 31, 2027', 'american')).toBe('2027-12-31');
    expect(day('31 dicembre 2027', 'italian')).toBe('2027-12-31');
    expect(day('1. März 2027', 'german')).toBe('2027-03-01');
    expect(day('morgen', 'german')).toBe('2026-11-30');
    expect(day('Yesterday', 'british')).toBe('2026-11-28');
  });

  test('in the form of the interface is understood in every language', () => {
    for (const language of Object.keys(languages)) expect(day('2027-04-03', language as 'german')).toBe('2027-04-03');
  });

  test('is none where the calendar has no such day, or parts are missing', () => {
    for (const text of [
      '31/2/2027',
      '29.2.2027',
      '12',
      '1/2/3',
      '1/2/202',
      '1/2/3/4',
      'soon',
      '13/13/2027',
      '0/0/0000',
    ])
      expect(day(text, 'british'), text).toBeUndefined();
    expect(day('12/31/2027', 'british')).toBeUndefined();
  });

  test('is shown as it can be typed again', () => {
    for (const language of Object.values(languages)) {
      const shown = dayText('2027-04-03', language);
      expect(typedDay(shown, language, '2026-11-29'), shown).toBe('2027-04-03');
    }
    expect(dayText('2027-04-03', languages.american)).toBe('04/03/2027');
    expect(dayPattern(languages.german, { day: 'TT', month: 'MM', year: 'JJJJ' })).toBe('TT.MM.JJJJ');
  });
});

test('days and months are added within the calendar', () => {
  expect([addDays('2026-12-31', 1), addDays('9999-12-31', 1), addDays('2026-03-29', 1)]).toEqual([
    '2027-01-01',
    '9999-12-31',
    '2026-03-30',
  ]);
  expect([addMonths('2026-01-31', 1), addMonths('2024-02-29', 12), addMonths('2026-01-15', -1)]).toEqual([
    '2026-02-28',
    '2025-02-28',
    '2025-12-15',
  ]);
});

test('a typed time is of 12 or 24 hours', () => {
  for (const text of ['18:05', '1805', '18.05', '6:05 pm', '6:05PM', '6:05 p.m.'])
    expect(time(text, 'american'), text).toBe('18:05');
  expect([time('9', 'german'), time('12 am', 'american'), time('12:30 pm', 'american')]).toEqual([
    '09:00',
    '00:00',
    '12:30',
  ]);
  for (const text of ['25:00', '9:60', '13 pm', 'noon', '']) expect(time(text, 'american'), text).toBeUndefined();
  expect([timeText('18:05', languages.american), timeText('18:05', languages.german)]).toEqual(['6:05 PM', '18:05']);
  for (const language of Object.values(languages))
    expect(typedTime(timeText('18:05', language), language)).toBe('18:05');
});
