/** Recognises the type of a column by its values. */
import { FieldType } from '@portico/contract';
import { dateForm } from '../mapping/dates.ts';
import { plainNumber } from '../mapping/numbers.ts';
import type { Raw, SampledColumn } from './sample.ts';

/** Type of a column, and how a mapping reads its values. */
export interface Detected {
  readonly type: FieldType;
  /** Forms that read every date, the likeliest first; empty for other columns. */
  readonly dateForms: readonly string[];
  /** Language of names of months. */
  readonly language?: string;
  readonly decimal?: string;
  readonly thousands?: string;
  /** Text between several values of a cell. */
  readonly split?: string;
  readonly yes?: readonly string[];
  readonly no?: readonly string[];
}

/** Type of a field that holds people. */
export const PEOPLE_TYPE = FieldType.GENERIC_ENTITY_LIST;
/** Type of a field that holds short texts. */
export const SHORT_TEXT = FieldType.STRING;

/** Recognises a column. Compiled patterns of dates must be loaded (`loadPatterns`). */
export function detect({ values, isList }: SampledColumn): Detected {
  const all = values.flat();
  const text = (type: FieldType, more: Partial<Detected> = {}): Detected => ({ type, dateForms: [], ...more });
  if (all.length === 0) return text(FieldType.STRING);
  if (isList) return text(FieldType.ENUM_LIST);
  return flags(all) ?? numbers(all) ?? dates(all) ?? texts(all);
}

/** Words for yes and no, by language. */
const WORDS: readonly (readonly [yes: string, no: string])[] = [
  ['true', 'false'],
  ['yes', 'no'],
  ['y', 'n'],
  ['ja', 'nein'],
  ['sì', 'no'],
  ['si', 'no'],
  ['oui', 'non'],
  ['wahr', 'falsch'],
  ['vero', 'falso'],
  ['有', '無'],
];

function flags(all: readonly Raw[]): Detected | undefined {
  if (all.every((value) => typeof value === 'boolean')) return { type: FieldType.FLAG, dateForms: [] };
  const found = new Set(all.map((value) => String(value).trim().toLowerCase()));
  if (found.size > 2) return undefined;
  const pair = WORDS.find((words) => [...found].every((word) => words.includes(word)));
  return pair && { type: FieldType.FLAG, dateForms: [], yes: [pair[0]], no: [pair[1]] };
}

/** Marks of numbers, the usual first. */
const MARKS = [
  { decimal: '.', thousands: '' },
  { decimal: '.', thousands: ',' },
  { decimal: ',', thousands: '' },
  { decimal: ',', thousands: '.' },
  { decimal: ',', thousands: ' ' },
  { decimal: '.', thousands: "'" },
];

const INT32 = 2 ** 31;
/** Epoch seconds and milliseconds of the years 2001 to 2100. */
const EPOCHS = [
  { form: 'epoch-s', least: 1e9, most: 4.1e9 },
  { form: 'epoch-ms', least: 1e12, most: 4.1e12 },
];

function numbers(all: readonly Raw[]): Detected | undefined {
  // Leading zeros make a code, not a number.
  if (all.some((value) => typeof value === 'boolean' || /^0\d|e/i.test(String(value).trim()))) return undefined;
  const grouped = all.every((value) => /^-?\d{1,3}(?:\.\d{3})+$/.test(String(value).trim()));
  for (const { decimal, thousands } of grouped ? MARKS.slice(3, 4) : MARKS) {
    const read = all.map((value) =>
      typeof value === 'number' ? String(value) : plainNumber(value as string, { decimal, thousands, named: true }),
    );
    if (read.some((value) => value === undefined)) continue;
    const marks = { ...(decimal !== '.' && { decimal }), ...(thousands !== '' && { thousands }) };
    if (read.some((value) => value!.includes('.'))) {
      // A mapping that names the mark takes whole numbers with a fraction of zeros too.
      return { type: FieldType.DECIMAL, dateForms: [], decimal, ...marks };
    }
    const figures = read.map(Number);
    const epoch = EPOCHS.find(({ least, most }) => figures.every((figure) => figure >= least && figure < most));
    const type = figures.every((figure) => Math.abs(figure) < INT32) ? FieldType.INT : FieldType.BIGINT;
    return { type, dateForms: epoch ? [epoch.form] : [], ...marks };
  }
  return undefined;
}

const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2})?/;
const MAIL_DATE = /^(?:\p{L}{3}, )?\d{1,2} \p{L}{3} \d{4} \d{2}:\d{2}/u;
/** A date in parts: weekday, three parts with their marks, time, half of the day. */
const WRITTEN =
  /^(?:(\p{L}{2,12})(\.?,? ))?(\d{1,4}|\p{L}{3,12})(\.?[/\-. ]+)(\d{1,2}|\p{L}{3,12})(\.?,?[/\-. ]+)(\d{4}|\d{2}|\d{1,2})(?:(,? +|T)(\d{1,2}):(\d{2})(:\d{2})?(?:( ?)([ap]\.? ?m\.?))?)?$/iu;
const LANGUAGES = ['en', 'de', 'it', 'fr', 'es'];

function dates(all: readonly Raw[]): Detected | undefined {
  const values = all.map((value) => String(value).trim());
  if (values.some((value) => value.length > 60)) return undefined;
  const found = (dateForms: readonly string[], hasTime: boolean, language?: string): Detected => ({
    type: hasTime ? FieldType.DATETIME : FieldType.DATE,
    dateForms,
    ...(language !== undefined && language !== 'en' && { language }),
  });
  const reads = (form: string, language = 'en') => {
    const compiled = dateForm(form, language);
    return typeof compiled === 'object' && values.every((value) => compiled.read(value) !== undefined);
  };
  if (values.every((value) => ISO.test(value)) && reads('auto'))
    return found(
      ['auto'],
      values.some((value) => value.includes(':')),
    );
  if (values.every((value) => MAIL_DATE.test(value)) && reads('rfc2822')) return found(['rfc2822'], true);
  const parts = WRITTEN.exec(values[0]!);
  if (!parts) return undefined;
  const hasName = /^\p{L}/u.test(parts[3]!) || /^\p{L}/u.test(parts[5]!);
  for (const language of hasName ? LANGUAGES : LANGUAGES.slice(0, 1)) {
    const forms = patternsOf(parts).filter((form) => reads(form, language));
    if (forms.length > 0) return found(forms, parts[9] !== undefined, language);
  }
  return undefined;
}

/** Patterns that may read a date of this shape. */
function patternsOf(parts: RegExpExecArray): string[] {
  const [, day, afterDay = '', first = '', one, second = '', two, third = '', before, hour, , seconds, gap, half] =
    parts;
  const weekday = day === undefined ? '' : `${day.length > 3 ? 'dddd' : 'ddd'}${afterDay}`;
  const time =
    hour === undefined
      ? ''
      : `${before}${half === undefined ? 'H' : 'h'}:mm${seconds ? ':ss' : ''}${half === undefined ? '' : `${gap}A`}`;
  const isName = (part: string) => /^\p{L}/u.test(part);
  const months = isName(first) || isName(second) ? ['MMM', 'MMMM'] : ['M'];
  const year = third.length === 4 || first.length === 4 ? 'YYYY' : 'YY';
  const orders = months.flatMap((month): (readonly string[])[] => {
    if (first.length === 4 && !isName(first)) return [[year, month, 'D']];
    if (isName(first)) return [[month, 'D', year]];
    if (isName(second)) return [['D', month, year]];
    // A point and most countries put the day first.
    return [
      ['D', month, year],
      [month, 'D', year],
    ];
  });
  return orders.map(([a, b, c]) => `${weekday}${a}${one}${b}${two}${c}${time}`);
}

/** Longest label of a value of a list, and most values of one. */
const LONGEST_LABEL = 60;
const MOST_LABELS = 50;
/** Texts between several values of a cell. */
const SPLITS = ['; ', ', ', ';', '|', ','];

function texts(all: readonly Raw[]): Detected {
  const values = all.map((value) => String(value).trim());
  const text = (type: FieldType, more: Partial<Detected> = {}): Detected => ({ type, dateForms: [], ...more });
  if (values.some((value) => value.length > 200 || value.includes('\n'))) return text(FieldType.TEXT_AREA);
  if (isRepeating(values)) return text(FieldType.ENUM);
  for (const split of SPLITS) {
    const parts = values.map((value) => value.split(split).map((part) => part.trim()));
    if (parts.filter((one) => one.length > 1).length * 5 < parts.length) continue;
    if (isRepeating(parts.flat())) return text(FieldType.ENUM_LIST, { split });
  }
  return text(FieldType.STRING);
}

/** Whether short texts come again and again. */
function isRepeating(values: readonly string[]): boolean {
  const different = new Set(values);
  if (values.length < 4 || different.size > MOST_LABELS || different.size * 2 > values.length) return false;
  return [...different].every((value) => value !== '' && value.length <= LONGEST_LABEL);
}
