/** The language of the page: that of the account once known, until then that of the browser. */
import { createContext, useContext } from 'react';
import { en, type Texts } from './en.ts';
import { it } from './it.ts';
import { timeZone, wallDay } from './time-zone.ts';

export type { Texts };

const LANGUAGES: Readonly<Record<string, Texts>> = { en, it };

interface Language {
  /** BCP 47 tag of the texts. */
  tag: string;
  texts: Texts;
  /** BCP 47 tag of the account's language, in which dates and numbers are written; absent where it is that of the texts. */
  own?: string;
  /** Time zone of the account, as IANA names it. */
  zone?: string;
}

/** Whether there are texts in a language. @param code such as `it` */
export const hasTexts = (code: string): boolean => Object.hasOwn(LANGUAGES, code);

/**
 * The language for an account.
 * @param code of the account's language; the browser's settings may spell it more closely (`en-GB`)
 * @param zone of the account
 */
export function languageFor(code: string | undefined, zone: string | undefined): Language {
  const tags = navigator.languages;
  const preferred = code === undefined ? tags : [...tags.filter((tag) => tag.split('-')[0] === code), code, ...tags];
  const own = code === undefined ? undefined : preferred.find(isTag);
  return { ...languageOf(preferred), ...(own !== undefined && { own }), ...(zone !== undefined && { zone }) };
}

/** @param tags in the order of preference; one that there are no texts in, or that is no BCP 47 tag, is passed over */
export function languageOf(tags: readonly string[]): Language {
  for (const tag of tags) {
    const texts = LANGUAGES[tag.slice(0, 2).toLowerCase()];
    if (texts && isTag(tag)) return { tag, texts };
  }
  return { tag: 'en', texts: en };
}

/** Browsers may name the locale of the system, such as en-US@posix, which is no tag. */
function isTag(tag: string): boolean {
  try {
    return new Intl.Locale(tag) !== undefined;
  } catch {
    return false;
  }
}

export const LanguageContext = createContext<Language>(languageOf(navigator.languages));

export const useTexts = (): Texts => useContext(LanguageContext).texts;

/** The day on which weeks begin in a language; 0 for Sunday, Monday where the browser does not know. */
function firstDayOf(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } };
  return (locale.getWeekInfo?.().firstDay ?? 1) % 7;
}

/** How times and numbers are written in the language of the page. */
export function useFormats(): Formats {
  const { tag, own = tag, zone = timeZone() } = useContext(LanguageContext);
  const key = `${tag} ${own} ${zone}`;
  const known = formatsKnown.get(key);
  if (known) return known;
  const made = formatsOf(tag, own, zone);
  formatsKnown.set(key, made);
  return made;
}

type Formats = ReturnType<typeof formatsOf>;
const formatsKnown = new Map<string, Formats>();

/**
 * Formats are made once for a language: to make one takes longer than to draw a row.
 * @param tag of words, such as names of months
 * @param own of dates and numbers
 */
export function formatsOf(tag: string, own: string, zone: string) {
  const date = (options: Intl.DateTimeFormatOptions, language = own) => {
    let made: Intl.DateTimeFormat | undefined;
    return (ms: number, end?: number) => {
      made ??= new Intl.DateTimeFormat(language, { timeZone: zone, ...options });
      return end === undefined ? made.format(ms) : made.formatRange(ms, end);
    };
  };
  const mediumDate = date({ dateStyle: 'medium' });
  // Names of months are words of the page; their order is that of the region where it has the page's language.
  const words = new Intl.Locale(own).language === new Intl.Locale(tag).language ? own : tag;
  const thisYear = date({ day: 'numeric', month: 'short' }, words);
  const otherYear = date({ day: 'numeric', month: 'short', year: 'numeric' }, words);
  const ago = new Intl.RelativeTimeFormat(tag, { style: 'narrow', numeric: 'auto' });
  const numbers = new Map<number, Intl.NumberFormat>();
  const numbersWith = (digits: number) => {
    let made = numbers.get(digits);
    if (!made) {
      made = new Intl.NumberFormat(own, { minimumFractionDigits: digits, maximumFractionDigits: 20 });
      numbers.set(digits, made);
    }
    return made;
  };
  return {
    /** A day that is the same everywhere, by its beginning in UTC; with an end, the days from one to the other. */
    day: date({ dateStyle: 'medium', timeZone: 'UTC' }),
    /** The day of a moment. */
    dayOf: mediumDate,
    /** With an end, the time from one to the other: the day once where it is the same. */
    moment: date({ dateStyle: 'medium', timeStyle: 'short' }),
    /** The day of a moment, with its year only where it is another than the present. */
    shortDay: (ms: number) => (wallDay(ms).slice(0, 4) === wallDay(Date.now()).slice(0, 4) ? thisYear : otherYear)(ms),
    /** Of a day, as {@link day}. */
    month: date({ month: 'long', year: 'numeric', timeZone: 'UTC' }, tag),
    weekday: date({ weekday: 'short', timeZone: 'UTC' }, tag),
    /** 0 for Sunday. */
    firstDayOfWeek: firstDayOf(own),
    /** How long ago something was, in the largest unit that fits; beyond a month, the day. */
    age: (ms: number) => {
      const minutes = Math.round((Date.now() - ms) / 60_000);
      if (Math.abs(minutes) < 60) return ago.format(-minutes, 'minute');
      if (Math.abs(minutes) < 60 * 24) return ago.format(-Math.round(minutes / 60), 'hour');
      if (Math.abs(minutes) < 60 * 24 * 30) return ago.format(-Math.round(minutes / 60 / 24), 'day');
      return mediumDate(ms);
    },
    /** @param digits at least so many after the point, at most 20 */
    number: (value: number | bigint, digits = 0) => numbersWith(digits).format(value),
    bytes: (value: number) => {
      const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
      const step = Math.min(units.length - 1, Math.floor(Math.log(Math.max(value, 1)) / Math.log(1000)));
      const options = { style: 'unit', unit: units[step], unitDisplay: 'short', maximumFractionDigits: 1 } as const;
      return new Intl.NumberFormat(own, options).format(value / 1000 ** step);
    },
  };
}

/** The texts of one page, which are loaded with it. */
export function usePageTexts<T>(languages: Readonly<Record<'en' | 'it', T>>): T {
  return useContext(LanguageContext).texts === it ? languages.it : languages.en;
}
