/** Days and times as people type and read them: in the order and with the marks of their language. */

import { isDay } from '../texts/time-zone.ts';

/** Languages of the reader. Tags are BCP 47. */
export interface DayLanguage {
  /** Language of words. */
  readonly tag: string;
  /** Language of dates. */
  readonly own: string;
}

type Member = 'day' | 'month' | 'year';

const CENTURY = 100;
/** Two digits below it are years after 2000, others are years before. */
const NEXT_CENTURY = 70;

/** Days are Gregorian and in Western digits, as the interface has them. */
const FIXED = { timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' } as const;

const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const made = formats.get(key) ?? new Intl.DateTimeFormat(language, { ...FIXED, ...options });
  formats.set(key, made);
  return made;
}

const numeric = (own: string) => formatOf(own, { day: '2-digit', month: '2-digit', year: 'numeric' });
/** Marks of direction, which would be part of the typed text. */
const withoutMarks = (text: string) => text.replaceAll(/[\u061c\u200e\u200f]/g, '');
const partsOf = (own: string) =>
  numeric(own)
    .formatToParts(0)
    .map(({ type, value }) => ({ type, value: withoutMarks(value) }));

/** @param day `2026-12-31` @returns for example `31/12/2026` */
export const dayText = (day: string, { own }: DayLanguage): string =>
  partsOf(own)
    .map(({ type, value }) => {
      if (type === 'day') return day.slice(8);
      if (type === 'month') return day.slice(5, 7);
      return type === 'year' ? day.slice(0, 4) : value;
    })
    .join('');

/** A pattern such as `DD/MM/YYYY`. @param letters of day, month and year */
export const dayPattern = ({ own }: DayLanguage, letters: Readonly<Record<Member, string>>): string =>
  partsOf(own)
    .map(({ type, value }) => letters[type as Member] ?? value)
    .join('');

const orderOf = (own: string): Member[] =>
  partsOf(own).flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? type : []));

/** @returns the day, if the calendar has it: there is no 31 February */
function dayOf(year: number, month: number, day: number): string | undefined {
  const text = [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
  const at = isDay(text) && year > 0 ? new Date(`${text}T00:00:00Z`) : undefined;
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined;
}

function yearOf(digits: string): number {
  const year = Number(digits);
  if (digits.length === 4) return year;
  if (digits.length !== 2) return 0;
  return year < NEXT_CENTURY ? 2000 + year : 2000 - CENTURY + year;
}

/**
 * The day that a text names: `31/12/2026`, `31.12.26`, `31/12`, `31122026`, `31 December`,
 * `2026-12-31`, `tomorrow`. The language decides about the order of day and month.
 * @param today the day of the reader's clock; its year counts where none is typed
 * @returns `2026-12-31`; undefined if the text names no day
 */
export function typedDay(text: string, language: DayLanguage, today: string): string | undefined {
  const typed = text.trim().toLowerCase();
  const [, ...iso] = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(typed) ?? [];
  if (iso.length > 0) return dayOf(Number(iso[0]), Number(iso[1]), Number(iso[2]));
  const word = namedDay(typed, language, today);
  if (word !== undefined) return word;
  const month = namedMonth(typed, language);
  const numbers = typed.match(/\d+/g) ?? [];
  const order = orderOf(language.own);
  if (month !== undefined) {
    // Only the order of day and year is open, and four digits are the year.
    const [first, second] = numbers[0]?.length === 4 ? numbers.toReversed() : numbers;
    return read({ day: first, month: String(month), year: second }, numbers.length - 1, today);
  }
  if (/\p{L}/u.test(typed)) return undefined;
  if (numbers.length === 1) return readCompact(numbers[0]!, order, today);
  const members = numbers.length === 2 ? order.filter((member) => member !== 'year') : order;
  const inOrder = numbers.length === 3 && numbers[0]!.length === 4 ? (['year', 'month', 'day'] as const) : members;
  return read(Object.fromEntries(inOrder.map((member, index) => [member, numbers[index]])), numbers.length - 2, today);
}

/** @param years 1 with a year, 0 without; any other number is no day */
function read(
  { day = '', month = '', year }: Partial<Record<Member, string | undefined>>,
  years: number,
  today: string,
): string | undefined {
  if (![0, 1].includes(years) || day.length > 2 || month.length > 2) return undefined;
  return dayOf(years === 1 ? yearOf(year ?? '') : Number(today.slice(0, 4)), Number(month), Number(day));
}

/** Six or eight digits without marks between them. */
function readCompact(digits: string, order: readonly Member[], today: string): string | undefined {
  if (digits.length !== 6 && digits.length !== 8) return undefined;
  let from = 0;
  const members = order.map((member) => {
    const length = member === 'year' ? digits.length - 4 : 2;
    from += length;
    return [member, digits.slice(from - length, from)] as const;
  });
  return read(Object.fromEntries(members), 1, today);
}

/** Today, tomorrow and the like, as the language names them. */
function namedDay(typed: string, { tag }: DayLanguage, today: string): string | undefined {
  for (const language of [tag, 'en']) {
    const names = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    for (let by = -2; by <= 2; by++) if (names.format(by, 'day').toLowerCase() === typed) return addDays(today, by);
  }
  return undefined;
}

/** The month whose name, or the beginning of it, is a word of the text. */
function namedMonth(typed: string, { tag, own }: DayLanguage): number | undefined {
  const words = (typed.match(/\p{L}+/gu) ?? []).filter((word) => word.length >= 3);
  for (const language of new Set([tag, own, 'en'])) {
    for (let month = 1; month <= 12; month++) {
      const at = Date.UTC(2000, month - 1, 1);
      const names = (['long', 'short'] as const).map((width) =>
        formatOf(language, { day: 'numeric', month: width })
          .formatToParts(at)
          .find(({ type }) => type === 'month')!
          .value.toLowerCase()
          .replace(/\.$/, ''),
      );
      if (words.some((word) => names.some((name) => name.startsWith(word)))) return month;
    }
  }
  return undefined;
}

/** @param day `2026-12-31` @returns the day `by` days later; the same at the ends of the calendar */
export function addDays(day: string, by: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + by);
  return within(at) ?? day;
}

/** @returns the same day of the month `by` months later, or the last day of a shorter month */
export function addMonths(day: string, by: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const first = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  first.setUTCFullYear(year, month - 1 + by, 1);
  const last = new Date(first);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  first.setUTCDate(Math.min(date, last.getUTCDate()));
  return within(first) ?? day;
}

function within(at: Date): string | undefined {
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9999 ? at.toISOString().slice(0, 10) : undefined;
}

/** Day of the week: 0 for Sunday. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

const clock = (own: string) => formatOf(own, { hour: 'numeric', minute: '2-digit' });

/** @param time `18:05` @returns for example `6:05 PM` */
export const timeText = (time: string, { own }: DayLanguage): string =>
  withoutMarks(clock(own).format(Date.parse(`1970-01-01T${time}:00Z`))).replaceAll(/\s/g, ' ');

/** @returns `18:05` for `18:05`, `18.05`, `1805`, `6:05 pm` or `6pm`; undefined if the text is no time */
export function typedTime(text: string, { own }: DayLanguage): string | undefined {
  const typed = text.trim().toLowerCase().replaceAll(/\s/g, ' ');
  const [, hour, minute = '00', half = ''] = /^(\d{1,2})(?:[:.h ]?(\d\d))?h?(?:\s*(\D+))?$/.exec(typed) ?? [];
  if (hour === undefined) return undefined;
  const halves = halvesOf(own).findIndex((names) => names.includes(half.replaceAll(/[.\s]/g, '')));
  if (half !== '' && (halves < 0 || Number(hour) > 12 || Number(hour) === 0)) return undefined;
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + halves * 12;
  if (hours > 23 || Number(minute) > 59) return undefined;
  return `${String(hours).padStart(2, '0')}:${minute}`;
}

/** Names of the halves of a day, without points and spaces. */
const halvesOf = (own: string): readonly (readonly string[])[] =>
  ['am', 'pm'].map((name, index) => {
    const parts = formatOf(own, { hour: 'numeric', hour12: true }).formatToParts(index * 12 * 3_600_000);
    const named = parts.find(({ type }) => type === 'dayPeriod')?.value.toLowerCase() ?? name;
    return [name, name[0]!, named.replaceAll(/[.\s]/g, '')];
  });
