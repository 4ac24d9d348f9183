/** Reads single values of a row by the mapping. Pure. */
import { unicodeForm } from '@portico/platform/text';
import { TimeInputError } from '@portico/platform/time';
import { deletedName, isKept } from '../../fields/index.ts';
import { repeatedName } from '../source/column-names.ts';
import { ValueProblem } from '../source/errors.ts';
import type { PersonSource, Source } from '../source/mapping-types.ts';
import { readDate } from './dates.ts';
import { hasPoint, plainNumber } from './numbers.ts';

type Columns = Readonly<Record<string, unknown>>;

/** A row, and within it the element of a nested list that is being read. */
export interface Place {
  readonly row: Columns;
  /** Line of the file on which the row begins. */
  readonly line?: number | undefined;
  readonly item?: Columns;
}

/** A value as it came: text, number, truth value; objects only where a list of them is read. */
type Raw = string | number | boolean;

/** A column by its name, or by a path of names with dots. A name after a list is a part of each of its elements. */
export function lookUp(columns: Columns, path: string): unknown {
  const whole = nameOf(columns, path);
  return whole === undefined ? partOf(columns, path.split('.')) : columns[whole];
}

function partOf(value: unknown, path: readonly string[]): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  if (Array.isArray(value) && !/^\d+$/.test(part)) return value.map((element) => partOf(element, path));
  const name = typeof value === 'object' && value !== null ? nameOf(value as Columns, part) : undefined;
  return name === undefined ? undefined : partOf((value as Columns)[name], rest);
}

/** The values of all columns of a name. */
export function lookUpRepeated(columns: Columns, name: string): unknown[] {
  const values = [lookUp(columns, name)];
  for (let number = 2; Object.hasOwn(columns, repeatedName(name, number)); number++) {
    values.push(columns[repeatedName(name, number)]);
  }
  return values;
}

/** The name of a column as the row writes it. */
function nameOf(columns: Columns, name: string): string | undefined {
  if (Object.hasOwn(columns, name)) return name;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  if (/^[\x00-\x7f]*$/.test(name)) return undefined;
  const wanted = composed(name);
  return Object.keys(columns).find((other) => composed(other) === wanted);
}

/** The text of a value for comparisons: accents composed with their letters or not are one text. */
export const composed = (value: Raw): string => unicodeForm(String(value), 'NFC');

/** Reads all values of a source at a place; empty if there are none. @throws ValueProblem */
export function readAll(source: Source, place: Place): Raw[] {
  let values = present(source, place);
  const { map, prefix, suffix, split } = source;
  if (split !== undefined) {
    values = values.flatMap((value): Raw[] =>
      typeof value === 'string' ? value.split(split).map((part) => part.trim()) : [value],
    );
  }
  values = values.filter((value) => value !== '' && !source.empty.has(composed(value)));
  if (map) values = values.flatMap((value) => mapped(source, map, value));
  if (source.as === 'date') values = values.map((value) => dateText(source, value));
  if (source.pick && values.length > 1) values = [source.pick === 'first' ? values[0]! : values.at(-1)!];
  if (source.join !== undefined && values.length > 1) values = [values.map(String).join(source.join)];
  if (prefix !== '' || suffix !== '') values = values.map((value) => `${prefix}${value}${suffix}`);
  if (values.length === 0 && source.default !== undefined) values = [source.default];
  for (const value of values) requireStorable(source.name, value);
  return values;
}

/** Rejects text that cannot be stored. @throws ValueProblem */
function requireStorable(column: string, value: Raw): void {
  if (typeof value !== 'string') return;
  if (value.includes('\0')) throw new ValueProblem(column, value, 'it holds a NUL character; remove it');
  if (!value.isWellFormed()) throw new ValueProblem(column, value, 'it holds half of a surrogate pair; remove it');
}

function dateText(source: Source, value: Raw): string {
  return new Date(toTime(source, value, 'DATE')).toISOString().slice(0, 10);
}

/** @returns epoch milliseconds */
function toTime(source: Source, value: Raw, type: 'DATE' | 'DATETIME'): number {
  try {
    return readDate(value, source.date, type);
  } catch (error) {
    if (!(error instanceof TimeInputError)) throw error;
    throw new ValueProblem(source.name, value, `it is not a date; allowed is ${error.allowed}`);
  }
}

function present(source: Source, place: Place): Raw[] {
  if (source.value !== undefined) return [source.value];
  if (source.line) return place.line === undefined ? [] : [place.line];
  const columns = source.from === 'item' ? (place.item ?? {}) : place.row;
  if (source.template !== undefined) {
    let filled = false;
    const text = source.template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
      const parts = flatten(name, lookUp(columns, name)).map(String);
      filled ||= parts.some((part) => part !== '');
      return parts.join(', ');
    });
    return filled ? [text.trim()] : [];
  }
  const read = source.repeated ? lookUpRepeated : lookUp;
  return source.columns.flatMap((name) => flatten(name, read(columns, name)));
}

function flatten(column: string, value: unknown): Raw[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((element) => flatten(column, element));
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [value];
  throw new ValueProblem(column, value, 'it is an object; name one of its parts, as "column.part"');
}

function mapped(source: Source, map: NonNullable<Source['map']>, value: Raw): Raw[] {
  const to = map.get(composed(value));
  if (to !== undefined) return to === null ? [] : [to];
  if (source.unmapped === 'empty') return [];
  if (source.unmapped === 'keep') return [value];
  throw new ValueProblem(source.name, value, `the mapping knows only: ${[...map.keys()].join(', ')}`);
}

/** Returns the value of a source with at most one value. @throws ValueProblem */
export function readOne(source: Source | undefined, place: Place): Raw | undefined {
  if (!source) return undefined;
  const values = readAll(source, place);
  if (values.length > 1) {
    throw new ValueProblem(
      source.name,
      values.join(', '),
      `it has ${values.length} values; take one with "pick", or put them together with "join"`,
    );
  }
  return values[0];
}

/** @throws ValueProblem */
export function readText(source: Source | undefined, place: Place): string | undefined {
  const value = readOne(source, place);
  return value === undefined ? undefined : String(value);
}

/** @returns epoch milliseconds  @throws ValueProblem */
export function readTime(source: Source | undefined, place: Place, type: 'DATE' | 'DATETIME' = 'DATETIME') {
  const value = readOne(source, place);
  return !source || value === undefined ? undefined : toTime(source, value, type);
}

/**
 * Returns a number, or its text without thousands marks and with a decimal point. The field
 * validates it.
 * @param whole whether the field accepts whole numbers only
 * @throws ValueProblem
 */
export function readNumber(source: Source, place: Place, whole = false): number | string | undefined {
  const value = readOne(source, place);
  if (typeof value !== 'string') {
    if (typeof value === 'boolean') throw new ValueProblem(source.name, value, 'it is not a number');
    if (whole && value !== undefined && !Number.isInteger(value))
      throw new ValueProblem(source.name, value, 'it is not a whole number');
    return value;
  }
  const text = plainNumber(value, source.number);
  if (text === undefined) throw new ValueProblem(source.name, value, `it is not a number; ${marksOf(source)}`);
  // Without a decimal mark in the mapping, "1.000" may also mean a thousand.
  if (whole && !source.number.named && hasPoint(value, source.number)) {
    const reason = 'it is not a whole number; where its point is a decimal mark, the mapping says decimal: "."';
    throw new ValueProblem(source.name, value, reason);
  }
  // A number that would be rounded keeps all its digits, so that the field refuses it; for others
  // the shortest form is enough.
  const number = Number(text);
  const integral = /^-?(\d+)(?:\.0*)?$/.exec(text);
  if (whole && !integral && !Number.isInteger(number))
    throw new ValueProblem(source.name, value, 'it is not a whole number');
  if (whole && integral) return text.replace(/\..*$/, '');
  return /^-?\d+$/.test(text) || !isKept(text, number) ? text : number;
}

/** Describes the number marks of a mapping in words. */
function marksOf({ number: { decimal, thousands } }: Source): string {
  const point = decimal === '' ? 'it has no decimal mark' : `its decimal mark is "${decimal}"`;
  return `as the mapping says, ${point} and ${thousands === '' ? 'no mark of thousands' : `"${thousands}" stands between groups of three digits`}`;
}

/** @throws ValueProblem */
export function readFlag(source: Source | undefined, place: Place): boolean | undefined {
  const value = readOne(source, place);
  if (!source || value === undefined || typeof value === 'boolean') return value as boolean | undefined;
  const word = composed(value).toLowerCase();
  if (source.words.yes.includes(word)) return true;
  if (source.words.no.includes(word)) return false;
  throw new ValueProblem(
    source.name,
    value,
    `it is neither yes (${source.words.yes.join(', ')}) nor no (${source.words.no.join(', ')})`,
  );
}

/** A person as a file names them. */
export interface PersonName {
  readonly name: string;
  readonly email?: string;
  /** Set where the file marks the person as deleted, as exports of the portal do. */
  readonly deleted?: true;
}

/**
 * Returns the key of a person within an import: the address if present, else the name. Deleted
 * people have separate keys.
 */
export function personKey(person: PersonName): string {
  const name = composed(person.name).trim().replace(/\s+/gu, ' ').toLowerCase();
  if (person.deleted) return `${name}\0deleted`;
  return person.email ? `@${person.email.toLowerCase()}` : name;
}

/** `Name <address>`, an address alone, a name, or the name of a deleted person as exports mark it. */
export function parsePerson(text: string): PersonName {
  const deleted = deletedName(text);
  if (deleted !== undefined) return { name: deleted, deleted: true };
  const both = /^\s*"?([^"<>]*?)"?\s*<\s*([^\s<>@]+@[^\s<>@]+)\s*>\s*$/.exec(text);
  if (both?.[2]) return both[1] ? { name: both[1].trim(), email: both[2] } : fromAddress(both[2]);
  return /^\s*[^\s<>@]+@[^\s<>@]+\s*$/.test(text) ? fromAddress(text.trim()) : { name: text.trim() };
}

/** The name that an address suggests: `ada.rossi@…` is Ada Rossi. */
function fromAddress(email: string): PersonName {
  const words = email
    .slice(0, email.indexOf('@'))
    .split(/[._-]+/)
    .filter(Boolean);
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(' ');
  return { name: name || email, email };
}

/** @throws ValueProblem */
export function readPersonOf(source: PersonSource | undefined, place: Place): PersonName | undefined {
  const text = readText(source?.name, place);
  const email = readText(source?.email, place);
  if (text === undefined && email === undefined) return undefined;
  const person = parsePerson(text ?? email ?? '');
  return email === undefined ? person : { ...person, email };
}
