/**
 * The language of the page: the language of the account once it is known, before that the
 * browser's.
 */
import { createContext, useContext, useEffect, useState } from 'react';
import { en, type Texts } from './en.ts';
import { isOffered, type LanguageFile, loadedFile, loadFile, type PageName } from './files.ts';
import type { Count } from './plurals.ts';
import { timeZone, wallDay } from './time-zone.ts';

export type { Texts };

/** Languages whose texts are loaded with each page. */
const LANGUAGES: Readonly<Record<string, Texts>> = { en };

interface Language {
  /** BCP 47 tag of the texts. */
  tag: string;
  texts: Texts;
  /** Texts of single pages, if the language has a file of its own. */
  pages?: LanguageFile['pages'];
  /**
   * BCP 47 tag of the account's language for dates and numbers; absent if it is the language of the
   * texts.
   */
  own?: string;
  /** Time zone of the account, as IANA names it. */
  zone?: string;
}

/** Whether there are texts in a language. @param code such as `it` */
export const hasTexts = (code: string): boolean => Object.hasOwn(LANGUAGES, code) || isOffered(code);

/**
 * The language for an account.
 * @param code of the account's language; the browser's settings may spell it more closely (`en-GB`)
 * @param zone of the account
 */
export function languageFor(code: string | undefined, zone: string | undefined): Language {
  const preferred = preferredTags(code);
  const own = code === undefined ? undefined : preferred.find(isTag);
  return { ...languageOf(preferred), ...(own !== undefined && { own }), ...(zone !== undefined && { zone }) };
}

/** @param tags in the order of preference; tags without texts and invalid tags are skipped */
export function languageOf(tags: readonly string[]): Language {
  for (const tag of tags) {
    if (!isTag(tag)) continue;
    const code = codeOf(tag);
    const texts = LANGUAGES[code];
    if (texts) return { tag, texts };
    const file = loadedFile(code);
    if (file) return { tag, ...file };
  }
  return { tag: 'en', texts: en };
}

const codeOf = (tag: string): string => tag.slice(0, 2).toLowerCase();

/** Tags in the order of preference for an account, before the browser's. */
const preferredTags = (code: string | undefined): readonly string[] => {
  const tags = navigator.languages;
  return code === undefined ? tags : [...tags.filter((tag) => tag.split('-')[0] === code), code, ...tags];
};

/**
 * Loads the file of the preferred language if it has one. Where that fails, the next language is
 * used.
 * @param code of the account's language
 */
export async function loadPreferred(code?: string): Promise<void> {
  const missing = missingFile(code);
  if (missing !== undefined) await loadFile(missing);
}

/** The language whose file must be loaded first; undefined if none. */
function missingFile(code: string | undefined): string | undefined {
  const first = preferredTags(code)
    .filter(isTag)
    .map(codeOf)
    .find((one) => Object.hasOwn(LANGUAGES, one) || loadedFile(one) || isOffered(one));
  return first === undefined || Object.hasOwn(LANGUAGES, first) || loadedFile(first) ? undefined : first;
}

/** Loads the file of an account's language. @returns whether it is there, or not needed */
export function usePreferredFile(code: string | undefined): boolean {
  const missing = missingFile(code);
  const [, render] = useState(0);
  useEffect(() => {
    if (missing !== undefined) void loadFile(missing).then(() => render((count) => count + 1));
  }, [missing]);
  return missing === undefined;
}

/** Browsers may report the locale of the system, for example en-US@posix, which is no valid tag. */
function isTag(tag: string): boolean {
  try {
    return new Intl.Locale(tag) !== undefined;
  } catch {
    return false;
  }
}

export const LanguageContext = createContext<Language>(languageOf(navigator.languages));

let last: Language | undefined;

/** Notes the language of the account, for what is shown outside of the page's frame. */
export function noteLanguage(language: Language): void {
  last = language;
}

/** The language of the account that the page has shown, or the browser's. */
export const lastLanguage = (): Language => last ?? languageOf(navigator.languages);

export const useTexts = (): Texts => useContext(LanguageContext).texts;

/** The first day of the week in a language; 0 for Sunday, Monday if the browser does not know. */
function firstDayOf(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } };
  return (locale.getWeekInfo?.().firstDay ?? 1) % 7;
}

/** Formats of times and numbers in the language of the page. */
export function useFormats(): Formats {
  const { tag, own = tag, zone = timeZone() } = useContext(LanguageContext);
  const key = `${tag} ${own} ${zone}`;
  const known = formatsKnown.get(key);
  if (known) return known;
  const made = formatsOf(tag, own, zone);
  formatsKnown.set(key, made);
  return made;
}

export type Formats = ReturnType<typeof formatsOf>;
const formatsKnown = new Map<string, Formats>();

/**
 * Formats are created once for a language: creating one takes longer than rendering a row.
 * @param tag language of words, for example of names of months
 * @param own language of dates and numbers
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
  // Names of months are in the language of the page; their order is the region's if the languages
  // are equal.
  const words = new Intl.Locale(own).language === new Intl.Locale(tag).language ? own : tag;
  const thisYear = date({ day: 'numeric', month: 'short' }, words);
  const otherYear = date({ day: 'numeric', month: 'short', year: 'numeric' }, words);
  const ago = new Intl.RelativeTimeFormat(tag, { style: 'narrow', numeric: 'auto' });
  const numbers = new Map<string, Intl.NumberFormat>();
  const numberFormat = (digits: number | undefined, currency?: string) => {
    const key = `${digits} ${currency}`;
    const made =
      numbers.get(key) ??
      new Intl.NumberFormat(own, {
        ...(currency !== undefined && { style: 'currency', currency }),
        ...(digits !== undefined && { minimumFractionDigits: digits }),
        maximumFractionDigits: 20,
      });
    numbers.set(key, made);
    return made;
  };
  return {
    /** Formats a day by its beginning in UTC; with an end, the range of days. */
    day: date({ dateStyle: 'medium', timeZone: 'UTC' }),
    /** Formats the day of a moment. */
    dayOf: mediumDate,
    /** Formats a moment; with an end, the range, which names an equal day once. */
    moment: date({ dateStyle: 'medium', timeStyle: 'short' }),
    /** Formats the time of a clock, given as if it were in UTC. */
    wall: date({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
    /** Formats the day of a moment, with its year unless it is the present year. */
    shortDay: (ms: number) => (wallDay(ms).slice(0, 4) === wallDay(Date.now()).slice(0, 4) ? thisYear : otherYear)(ms),
    /** Formats the month of a day, given as for {@link day}. */
    month: date({ month: 'long', year: 'numeric', timeZone: 'UTC' }, tag),
    weekday: date({ weekday: 'short', timeZone: 'UTC' }, tag),
    /** 0 for Sunday. */
    firstDayOfWeek: firstDayOf(own),
    /** Formats the age in the largest unit that fits; beyond a month, the day. */
    age: (ms: number) => {
      const minutes = Math.round((Date.now() - ms) / 60_000);
      if (Math.abs(minutes) < 60) return ago.format(-minutes, 'minute');
      if (Math.abs(minutes) < 60 * 24) return ago.format(-Math.round(minutes / 60), 'hour');
      if (Math.abs(minutes) < 60 * 24 * 30) return ago.format(-Math.round(minutes / 60 / 24), 'day');
      return mediumDate(ms);
    },
    /** A number in a sentence, which chooses the forms of words. */
    count: (value: number | bigint): Count => ({ value, toString: () => numberFormat(0).format(value) }),
    /** @param digits minimum number of digits after the point, at most 20 */
    number: (value: number | bigint, digits = 0) => numberFormat(digits).format(value),
    /**
     * Formats a number with the currency or the unit of its field.
     * @param digits minimum number of digits after the point; undefined for that of the currency
     * @param currency ISO 4217; another text is shown behind the number, as a unit is
     */
    amount: (value: number | bigint, digits?: number, currency?: string, unit?: string): string => {
      if (currency !== undefined && /^[A-Z]{3}$/.test(currency)) return numberFormat(digits, currency).format(value);
      const behind = currency ?? unit;
      const number = numberFormat(digits ?? 0).format(value);
      return behind === undefined || behind === '' ? number : `${number}\u00a0${behind}`;
    },
    bytes: (value: number) => {
      const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
      const step = Math.min(units.length - 1, Math.floor(Math.log(Math.max(value, 1)) / Math.log(1000)));
      const options = { style: 'unit', unit: units[step], unitDisplay: 'short', maximumFractionDigits: 1 } as const;
      return new Intl.NumberFormat(own, options).format(value / 1000 ** step);
    },
  };
}

/**
 * The texts of one page. English is loaded with it; the file of another language has the texts of
 * all pages.
 */
export function usePageTexts<T>(page: PageName, english: T): T {
  const { pages } = useContext(LanguageContext);
  return pages ? (pages[page] as T) : english;
}
