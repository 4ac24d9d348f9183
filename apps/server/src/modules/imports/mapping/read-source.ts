/** Reads the sections of a mapping that describe the source of a value. */
import { TimeInputError, zoneFor } from '@portico/platform/time';
import type {
  BodySource,
  DateForm,
  DateFormat,
  NumberMarks,
  PersonSource,
  Source,
  TextFormatName,
} from '../source/mapping-types.ts';
import { AUTO, DATE_FORMS, dateForm } from './dates.ts';
import type { Cursor } from './mapping-cursor.ts';
import { composed } from './values.ts';

/** Keys that describe the source of a value. */
export const SOURCE_KEYS = [
  'column',
  'item',
  'columns',
  'repeated',
  'template',
  'value',
  'line',
  'optional',
  'split',
  'empty',
  'map',
  'unmapped',
  'as',
  'pick',
  'join',
  'prefix',
  'suffix',
  'default',
  'date',
  'timezone',
  'language',
  'decimal',
  'thousands',
  'yes',
  'no',
] as const;
/** Keys of which a source needs exactly one. */
const ORIGINS = ['column', 'item', 'columns', 'repeated', 'template', 'value', 'line'] as const;
type SourceKey = (typeof SOURCE_KEYS)[number];
type SourceProperties = Partial<Record<SourceKey, Cursor>>;

export const TEXT_FORMATS = ['plain', 'markdown', 'delta'] as const satisfies readonly TextFormatName[];

const YES = ['true', 'yes', 'y', '1', 'x', 'on'];
const NO = ['false', 'no', 'n', '0', 'off'];

/** Reads a column name, or an object of {@link SOURCE_KEYS}. */
export function readSource(cursor: Cursor): Source {
  if (cursor.isText) return sourceOf(cursor, {}, [cursor.text() ?? ''], 'row');
  if (!cursor.isMap) {
    cursor.fail(`expected the name of a column, or an object with some of: ${SOURCE_KEYS.join(', ')}`);
    return sourceOf(cursor, {}, [], 'row');
  }
  return readSourceProperties(cursor, cursor.properties(SOURCE_KEYS));
}

/** Returns a substitute for a missing source, which the caller has reported as an error. */
export function missingSource(cursor: Cursor): Source {
  return sourceOf(cursor, {}, [], 'row');
}

/** Like {@link readSource}, for an object with additional keys. */
export function readSourceProperties(cursor: Cursor, given: SourceProperties): Source {
  const origins = ORIGINS.filter((key) => given[key]);
  if (origins.length !== 1) cursor.fail(`exactly one of ${ORIGINS.join(', ')} says where the value comes from`);
  if (given.line?.flag() === false) given.line.fail('line is true, or left out');
  if (given.line && cursor.path !== 'externalId') given.line.fail('only externalId takes the line of the row');
  const columns = given.columns
    ? given.columns.items().map((item) => item.text() ?? '')
    : [(given.column ?? given.item ?? given.repeated)?.text()].filter((name) => name !== undefined);
  return sourceOf(cursor, given, columns, given.item ? 'item' : 'row');
}

function sourceOf(cursor: Cursor, given: SourceProperties, columns: readonly string[], from: Source['from']): Source {
  const template = given.template?.text();
  const value = given.value?.scalar() ?? undefined;
  return {
    name: columns.length > 0 ? columns.join(' + ') : (template ?? (value === undefined ? cursor.path : String(value))),
    from,
    columns,
    repeated: given.repeated !== undefined,
    line: given.line !== undefined,
    optional: given.optional?.flag() ?? false,
    template,
    value,
    default: given.default?.scalar() ?? undefined,
    split: given.split?.separator(),
    join: given.join?.separator(),
    as: given.as?.choice(['date']),
    pick: given.pick?.choice(['first', 'last']),
    empty: new Set(words(given.empty)),
    map: given.map && new Map(given.map.pairs().map(([key, item]) => [composed(key), item.scalar() ?? null])),
    unmapped: given.unmapped?.choice(['keep', 'empty', 'refuse']) ?? 'keep',
    prefix: given.prefix?.text() ?? '',
    suffix: given.suffix?.text() ?? '',
    date: readDateFormat(given),
    number: readMarks(given),
    words: {
      yes: given.yes ? words(given.yes).map((word) => word.toLowerCase()) : YES,
      no: given.no ? words(given.no).map((word) => word.toLowerCase()) : NO,
    },
  };
}

/** The elements of a list, or the value itself; none without a value. */
function elementsOf(cursor: Cursor | undefined): Cursor[] {
  if (!cursor) return [];
  return cursor.isList ? cursor.items() : [cursor];
}

const words = (cursor: Cursor | undefined) => elementsOf(cursor).map((item) => composed(item.scalar() ?? ''));

/** Maximum of date forms per column. */
const MOST_FORMS = 20;

function readDateFormat({ date, timezone: zone, language: named }: SourceProperties): DateFormat {
  const timezone = zone ? zoneOf(zone) : 'UTC';
  const language = named ? readLanguage(named) : 'en';
  const items = elementsOf(date);
  if (items.length > MOST_FORMS) {
    date?.fail(`a column has at most ${MOST_FORMS} forms of dates`);
    return { forms: [AUTO], timezone };
  }
  const forms = items.flatMap((item): DateForm[] => {
    const text = item.text();
    const form = text === undefined ? undefined : dateForm(text, language);
    if (typeof form === 'string') item.fail(`"${text}" is not a form of dates: ${form}; allowed: ${DATE_FORMS}`);
    return typeof form === 'object' ? [form] : [];
  });
  return { forms: forms.length > 0 ? forms : [AUTO], timezone };
}

function readLanguage(cursor: Cursor): string {
  const text = cursor.text() ?? 'en';
  const known = isLanguage(text) && Intl.DateTimeFormat.supportedLocalesOf(text).length > 0;
  if (!known) cursor.fail(`"${text}" is not a language with names of months; allowed is a tag such as en, de or pt-BR`);
  return known ? text : 'en';
}

function isLanguage(text: string): boolean {
  try {
    return new Intl.Locale(text).language !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Reads the marks of numbers. A mapping that assigns the point to thousands and names no decimal
 * mark has no decimal mark.
 */
function readMarks({ decimal, thousands }: SourceProperties): NumberMarks {
  const group = (thousands && readMark(thousands)) ?? '';
  const point = (decimal && readMark(decimal)) ?? (group === '.' ? '' : '.');
  if (decimal && group === point) decimal.fail('decimal and thousands must be different marks');
  return { decimal: point, named: decimal !== undefined, thousands: group };
}

function readMark(cursor: Cursor): string | undefined {
  const text = cursor.separator();
  if (text === undefined || /^[^\p{L}\p{N}\p{M}+\-\u2212]$/u.test(text)) return text;
  return cursor.fail('expected one mark, which is no letter, digit or sign');
}

/** Reads a time zone; returns UTC (with an error) for an unknown one. */
export function zoneOf(cursor: Cursor): string {
  const timezone = cursor.text() ?? 'UTC';
  try {
    zoneFor(timezone);
    return timezone;
  } catch (error) {
    if (!(error instanceof TimeInputError)) throw error;
    cursor.fail(error.message);
    return 'UTC';
  }
}

/** Reads a column, an object, or both a name and an address: `{name: …, email: …}`. */
export function readPerson(cursor: Cursor): PersonSource {
  const named = cursor.isMap && cursor.pairs().some(([key]) => key === 'name' || key === 'email');
  const given = named ? cursor.properties(['name', 'email']) : {};
  const name = given.name ?? given.email;
  if (!name) return { name: readSource(cursor) };
  return { name: readSource(name), email: given.name && given.email ? readSource(given.email) : undefined };
}

/** Reads a column of plain text, or a source with its `format`. */
export function readBody(cursor: Cursor): BodySource {
  if (!cursor.isMap) return { source: readSource(cursor), format: 'plain' };
  const given = cursor.properties([...SOURCE_KEYS, 'format']);
  return { source: readSourceProperties(cursor, given), format: given.format?.choice(TEXT_FORMATS) ?? 'plain' };
}
