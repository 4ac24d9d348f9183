/** Dates as files write them. */
import { parseDateInput, resolveZoned, TimeInputError } from '../../platform/time/index.ts';
import type { DateFormat, DatePattern } from './mapping-types.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Years of two digits from this one on are of the 20th century. */
const PIVOT = 70;

const PARTS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<year>\\d{2})',
  MMM: '(?<month>[A-Za-z]{3})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  H: '(?<hour>\\d{1,2})',
  h: '(?<hour>\\d{1,2})',
  A: '(?<half>[AaPp][Mm])',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
};

/** What patterns are made of, for messages. */
export const PATTERN_PARTS = Object.keys(PARTS).join(', ');

/**
 * Compiles a pattern such as `DD/MM/YYYY HH:mm`.
 * @returns undefined unless it holds year, month and day, each part once
 */
export function compilePattern(text: string): DatePattern | undefined {
  const seen = new Set<string>();
  let twice = false;
  const expression = text.replace(/YYYY|YY|MMM?|M|DD?|HH?|h|mm|ss|A|[\s\S]/g, (piece) => {
    const part = PARTS[piece];
    if (part === undefined) return piece.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    const name = part.slice(3, part.indexOf('>'));
    twice ||= seen.has(name);
    seen.add(name);
    return part;
  });
  if (twice || !['year', 'month', 'day'].every((name) => seen.has(name))) return undefined;
  return { text, expression: new RegExp(`^${expression}$`, 'u') };
}

/**
 * Reads a date.
 * @param type DATE: midnight UTC of the day that is written; DATETIME: the instant
 * @returns epoch milliseconds
 * @throws TimeInputError whose `allowed` is the format of the mapping
 */
export function readDate(value: unknown, format: DateFormat, type: 'DATE' | 'DATETIME'): number {
  try {
    return parseDate(value, format, type);
  } catch (error) {
    if (!(error instanceof TimeInputError)) throw error;
    // The parser got a text that was made for it, so its message names neither what the file holds nor the mapping's format.
    throw new TimeInputError(error.code, `${JSON.stringify(value)} is not a date`, allowedText(format, type));
  }
}

/** What the mapping says of dates, as people read it. */
function allowedText({ kind, forms, pattern, timezone }: DateFormat, type: 'DATE' | 'DATETIME'): string {
  if (kind === 'several') return `one of ${forms!.map((form) => allowedText(form, type)).join('; ')}, if they agree`;
  if (kind === 'pattern') return `${pattern!.text}, a day that there is`;
  if (kind !== 'auto') return `a number of ${kind === 'epoch-s' ? '' : 'milli'}seconds since 1970 (${kind})`;
  const iso = type === 'DATE' ? '2024-02-29' : `2024-02-29T13:00 (in ${timezone} unless it has an offset)`;
  return `ISO 8601 text such as ${iso}, or a number of epoch milliseconds`;
}

function parseSeveral(value: unknown, forms: readonly DateFormat[], type: 'DATE' | 'DATETIME'): number {
  const times = forms.flatMap((form) => {
    try {
      return parseDate(value, form, type);
    } catch (error) {
      if (error instanceof TimeInputError) return [];
      throw error;
    }
  });
  const [first] = times;
  if (first === undefined || times.some((time) => time !== first)) throw notADate();
  return first;
}

function monthOf(text: string): string {
  const month = MONTHS.indexOf(text.toLowerCase());
  return month < 0 ? text : String(month + 1);
}

function hourOf(hour: string, half: string | undefined): string {
  if (half === undefined) return hour;
  const number = Number(hour);
  if (number < 1 || number > 12) throw notADate();
  return String((number % 12) + (half.toLowerCase() === 'pm' ? 12 : 0));
}

function yearOf(year: string): string {
  if (year.length === 4) return year;
  return `${Number(year) >= PIVOT ? 19 : 20}${year}`;
}

function parseDate(value: unknown, format: DateFormat, type: 'DATE' | 'DATETIME'): number {
  if (format.kind === 'several') return parseSeveral(value, format.forms ?? [], type);
  const number = typeof value === 'string' && /^-?\d{1,17}$/.test(value) ? Number(value) : value;
  if (format.kind === 'epoch-ms' || format.kind === 'epoch-s') {
    if (typeof number !== 'number') throw notADate();
    return parseDateInput(format.kind === 'epoch-s' ? Math.round(number * 1000) : number, type);
  }
  if (format.kind === 'pattern' && format.pattern) {
    const groups = format.pattern.expression.exec(String(value))?.groups;
    if (!groups) throw notADate();
    const two = (part: string | undefined) => (part ?? '0').padStart(2, '0');
    const day = `${yearOf(groups['year']!)}-${two(monthOf(groups['month']!))}-${two(groups['day'])}`;
    if (type === 'DATE') return parseDateInput(day, type);
    const local = `${day}T${two(hourOf(groups['hour'] ?? '0', groups['half']))}:${two(groups['minute'])}:${two(groups['second'])}`;
    return resolveZoned({ datetime: local, timezone: format.timezone }).epochMs;
  }
  if (typeof value === 'number') return parseDateInput(value, type);
  const text = String(value).trim();
  // A time without an offset is in the zone of the mapping.
  const local = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?$/.test(text);
  if (type === 'DATETIME' && local) {
    return resolveZoned({ datetime: text.replace(' ', 'T').replace(',', '.'), timezone: format.timezone }).epochMs;
  }
  return parseDateInput(text, type);
}

/** {@link readDate} reports the error and the allowed forms. */
function notADate(): TimeInputError {
  return new TimeInputError('INVALID_DATE', 'the value is not a date', 'the format of the mapping');
}
