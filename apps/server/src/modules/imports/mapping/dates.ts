/** Dates as files write them. */

import { parseDateInput, resolveZoned, TimeInputError } from '@portico/platform/time';
import { dateFromSerial } from 'numfmt';
import type { DateForm, DateFormat, WrittenDate } from '../source/mapping-types.ts';
import { compilePattern, dateLibrary, PATTERN_PARTS } from './date-pattern.ts';

/** Forms that are known by a name. */
const NAMED: Readonly<Record<string, DateForm['read']>> = {
  auto: (value) =>
    readIso(value) ?? (typeof value === 'number' || isLongEpoch(value) ? readEpoch(value, 1) : undefined),
  iso: readIso,
  'epoch-ms': (value) => readEpoch(value, 1),
  'epoch-s': (value) => readEpoch(value, 1000),
  rfc2822: readMailDate,
  'serial-1900': (value) => readSerial(value, 0),
  'serial-1904': (value) => readSerial(value, DAYS_TO_1904),
};

/** Days that a serial number of the system of 1904 lacks to one of the system of 1900. */
const DAYS_TO_1904 = 1462;

/** Serial number of 9999-12-31 in the system of 1900, the last day that spreadsheets know. */
const LAST_SERIAL = 2_958_465;

/** Allowed date forms, for messages. */
export const DATE_FORMS = `${Object.keys(NAMED).join(', ')}, or a pattern of ${PATTERN_PARTS}`;

/**
 * Returns the form that a mapping names.
 * @param language of the names of months and days in a pattern; a BCP 47 tag
 * @returns for an invalid form, the reason as a phrase
 */
export function dateForm(name: string, language: string): DateForm | string {
  const named = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  if (named) return { name, read: named };
  const read = compilePattern(name, language);
  return typeof read === 'string' ? read : { name, read: (value) => read(String(value)) };
}

/** Form of columns whose mapping names no form. */
export const AUTO: DateForm = { name: 'auto', read: NAMED['auto']! };

/**
 * Reads a date.
 * @param type DATE: midnight UTC of the written day; DATETIME: the instant, or for a day without a
 * time its midnight in the zone
 * @returns epoch milliseconds
 * @throws TimeInputError with `allowed` set to the forms of the mapping, or to the two readings if
 * two forms read different times
 */
export function readDate(value: unknown, format: DateFormat, type: 'DATE' | 'DATETIME'): number {
  const given = typeof value === 'string' ? value.trim() : value;
  const readings =
    typeof given === 'string' || typeof given === 'number'
      ? format.forms.flatMap((form) => {
          const written = form.read(given);
          const ms = written && timeOf(written, format.timezone, type);
          return ms === undefined ? [] : [{ form, ms }];
        })
      : [];
  const [first, ...others] = readings;
  if (!first) throw notADate(value, allowedText(format, type));
  const other = others.find(({ ms }) => ms !== first.ms);
  if (other) {
    const shown = (ms: number) => new Date(ms).toISOString().slice(0, type === 'DATE' ? 10 : 19);
    throw notADate(
      value,
      `a text that its forms read alike; ${first.form.name} reads it as ${shown(first.ms)} and ${other.form.name} as ${shown(other.ms)}`,
    );
  }
  return first.ms;
}

/** @returns undefined outside of the supported years */
function timeOf({ day, time, instant }: WrittenDate, timezone: string, type: 'DATE' | 'DATETIME'): number | undefined {
  return attempt(() => {
    if (type === 'DATE') return parseDateInput(day, type);
    return instant ?? resolveZoned({ datetime: `${day}T${time ?? '00:00'}`, timezone }).epochMs;
  });
}

/** @returns undefined where the work finds no date */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof TimeInputError) return undefined;
    throw error;
  }
}

function notADate(value: unknown, allowed: string): TimeInputError {
  return new TimeInputError('INVALID_DATE', `${JSON.stringify(value)} is not a date`, allowed);
}

/** Describes the date settings of the mapping in words. */
function allowedText({ forms, timezone }: DateFormat, type: 'DATE' | 'DATETIME'): string {
  const iso = type === 'DATE' ? '2024-02-29' : `2024-02-29T13:00 (in ${timezone} unless it has an offset)`;
  const texts: Readonly<Record<string, string>> = {
    auto: `ISO 8601 text such as ${iso}, or a number of epoch milliseconds (as text, of 11 to 15 digits)`,
    iso: `ISO 8601 text such as ${iso}`,
    'epoch-ms': 'a number of milliseconds since 1970 (epoch-ms)',
    'epoch-s': 'a number of seconds since 1970 (epoch-s)',
    rfc2822: 'a date of mails such as Thu, 29 Feb 2024 13:00:00 +0100 (rfc2822)',
    'serial-1900': 'the serial number of a day since 1900 (serial-1900)',
    'serial-1904': 'the serial number of a day since 1904 (serial-1904)',
  };
  return forms.map(({ name }) => texts[name] ?? `${name}, a day that there is`).join('; or ');
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)(.*))?$/;

function readIso(value: string | number): WrittenDate | undefined {
  const [text, day, time, offset] = (typeof value === 'string' && ISO.exec(value)) || [];
  if (text === undefined || day === undefined) return undefined;
  return attempt(() => {
    const instant = parseDateInput(text, 'DATETIME');
    if (offset) return { day, instant };
    return time === undefined ? { day } : { day, time };
  });
}

/**
 * Returns whether a text of digits can only be epoch milliseconds. Shorter texts may be seconds,
 * and some texts of that length are a day and a time without marks (20240229130000).
 */
function isLongEpoch(text: string): boolean {
  if (!/^-?\d{11,15}$/.test(text)) return false;
  const compact = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?$/.exec(text);
  if (!compact) return true;
  const [, year, month, day, hour, minute, second = '00'] = compact;
  return readIso(`${year}-${month}-${day} ${hour}:${minute}:${second}`) === undefined;
}

/** @param unit milliseconds of one */
function readEpoch(value: string | number, unit: number): WrittenDate | undefined {
  const number = typeof value === 'number' || /^-?\d{1,17}(?:\.\d{1,9})?$/.test(value) ? Number(value) : Number.NaN;
  const instant = unit === 1 ? number : Math.round(number * unit);
  return attempt(() => {
    const day = new Date(parseDateInput(instant, 'DATE')).toISOString().slice(0, 10);
    return { day, instant };
  });
}

/** A date of RFC 2822, as mails have it. */
function readMailDate(value: string | number): WrittenDate | undefined {
  const date = dateLibrary().DateTime.fromRFC2822(String(value), { setZone: true });
  // Hour 24 would be the next day.
  const day = /(\d{1,2})\s+[A-Za-z]{3}\s/.exec(String(value))?.[1];
  if (!date.isValid || Number(day) !== date.day) return undefined;
  return { day: date.toFormat('yyyy-MM-dd'), instant: date.toMillis() };
}

/** The serial number of a day, with its time as a fraction. @param daysBefore to the system of 1900 */
function readSerial(value: string | number, daysBefore: number): WrittenDate | undefined {
  const text = String(value).replace(',', '.');
  if (!/^\d{1,7}(?:\.\d+)?$/.test(text)) return undefined;
  const serial = Number(text) + daysBefore;
  // The system of 1900 has a 29 February 1900, which never was, and a day 0.
  if (serial < 1 || (serial >= 60 && serial < 61) || serial >= LAST_SERIAL + 1) return undefined;
  const [year, month, day, ...time] = dateFromSerial(serial);
  const two = (part: number) => String(part).padStart(2, '0');
  const written = `${year}-${two(month)}-${two(day)}`;
  return Number.isInteger(serial) ? { day: written } : { day: written, time: time.map(two).join(':') };
}
