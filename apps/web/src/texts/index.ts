/** The language of the page: that of the account once known, until then that of the browser. */
import { createContext, useContext } from 'react';
import { en, type Texts } from './en.ts';
import { it } from './it.ts';

export type { Texts };

const LANGUAGES: Readonly<Record<string, Texts>> = { en, it };

export interface Language {
  /** BCP 47 tag for dates and numbers. */
  tag: string;
  texts: Texts;
}

/** @param tags in the order of preference; one that there are no texts in is passed over */
export function languageOf(tags: readonly string[]): Language {
  for (const tag of tags) {
    const texts = LANGUAGES[tag.slice(0, 2).toLowerCase()];
    if (texts) return { tag, texts };
  }
  return { tag: 'en', texts: en };
}

export const LanguageContext = createContext<Language>(languageOf(navigator.languages));

export const useTexts = (): Texts => useContext(LanguageContext).texts;

/** The day on which weeks begin in a language; 0 for Sunday, Monday where the browser does not know. */
function firstDayOf(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } };
  return (locale.getWeekInfo?.().firstDay ?? 1) % 7;
}

/** How times and numbers are written in the language of the page. */
export function useFormats() {
  const { tag } = useContext(LanguageContext);
  return {
    day: (ms: number) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(ms),
    moment: (ms: number) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }).format(ms),
    /** A day where the browser is, with its year only where it is another than the present. */
    shortDay: (ms: number) => {
      const sameYear = new Date(ms).getFullYear() === new Date().getFullYear();
      return new Intl.DateTimeFormat(tag, {
        day: 'numeric',
        month: 'short',
        ...(!sameYear && { year: 'numeric' }),
      }).format(ms);
    },
    month: (ms: number) => new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric' }).format(ms),
    weekday: (ms: number) => new Intl.DateTimeFormat(tag, { weekday: 'short' }).format(ms),
    /** 0 for Sunday. */
    firstDayOfWeek: firstDayOf(tag),
    /** How long ago something was, in the largest unit that fits; beyond a month, the day. */
    age: (ms: number) => {
      const minutes = Math.round((Date.now() - ms) / 60_000);
      const format = new Intl.RelativeTimeFormat(tag, { style: 'narrow', numeric: 'auto' });
      if (Math.abs(minutes) < 60) return format.format(-minutes, 'minute');
      if (Math.abs(minutes) < 60 * 24) return format.format(-Math.round(minutes / 60), 'hour');
      if (Math.abs(minutes) < 60 * 24 * 30) return format.format(-Math.round(minutes / 60 / 24), 'day');
      return new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }).format(ms);
    },
    number: (value: number | bigint) => new Intl.NumberFormat(tag, { maximumFractionDigits: 20 }).format(value),
    bytes: (value: number) => {
      const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
      const step = Math.min(units.length - 1, Math.floor(Math.log(Math.max(value, 1)) / Math.log(1000)));
      const options = { style: 'unit', unit: units[step], unitDisplay: 'short', maximumFractionDigits: 1 } as const;
      return new Intl.NumberFormat(tag, options).format(value / 1000 ** step);
    },
  };
}

/** The texts of one page, which are loaded with it. */
export function usePageTexts<T>(languages: Readonly<Record<'en' | 'it', T>>): T {
  return useContext(LanguageContext).texts === it ? languages.it : languages.en;
}
