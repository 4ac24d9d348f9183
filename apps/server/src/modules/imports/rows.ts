/**
 * Reads one row by its mapping. The result has the labels, names and external ids of the file, no
 * ids of the portal. Pure.
 */

import { createHash } from 'node:crypto';
import { type FieldKind, fieldTypes, oneLine, Visibility } from '@portico/contract';
import {
  type DeltaOp,
  extractHashtags,
  markdownToDelta,
  parseDelta,
  plainTextToDelta,
  RichTextError,
  serialiseDelta,
} from '@portico/platform/richtext';
import { sortKey } from '@portico/platform/text';
import { typeOf } from '../fields/index.ts';
import {
  composed,
  lookUp,
  lookUpRepeated,
  type PersonName,
  type Place,
  parsePerson,
  readAll,
  readFlag,
  readNumber,
  readOne,
  readPersonOf,
  readText,
  readTime,
} from './mapping/values.ts';
import { ValueProblem } from './source/errors.ts';
import type {
  BodySource,
  CommentMapping,
  FieldMapping,
  Mapping,
  Source,
  TextFormatName,
} from './source/mapping-types.ts';

/** A value of a custom field. Labels, names and external ids become ids of ours later. */
type FieldData =
  | { readonly kind: 'plain'; readonly value: string | number | boolean }
  | { readonly kind: 'labels'; readonly labels: readonly string[] }
  | { readonly kind: 'people'; readonly people: readonly PersonName[] }
  | { readonly kind: 'groups'; readonly names: readonly string[] }
  | { readonly kind: 'posts'; readonly externalIds: readonly string[] };

interface CommentData {
  readonly clientUid: string;
  /** Delta as JSON text. */
  readonly text: string;
  readonly author?: PersonName;
  /** Epoch milliseconds. */
  readonly at?: number;
}

/** Post as described by its row. Times are epoch milliseconds. */
export interface RowData {
  /** The external id with prefix and suffix: the post's clientUid. */
  readonly externalId: string;
  readonly title?: string;
  /** Delta as JSON text, hashtags of their own column at its end. */
  readonly body?: string;
  readonly author?: PersonName;
  readonly created?: number;
  readonly modified?: number;
  readonly modifier?: PersonName;
  readonly visibility?: Visibility;
  readonly draft?: boolean;
  readonly pinned?: boolean;
  readonly announcement?: boolean;
  readonly watchers: readonly PersonName[];
  readonly hashtags: readonly string[];
  readonly state?: string;
  /** By key of the field. */
  readonly fields: Readonly<Record<string, FieldData>>;
  readonly comments: readonly CommentData[];
}

interface ReadRow {
  readonly data?: RowData;
  /** Reasons without data: all problems of the row. */
  readonly problems: readonly ValueProblem[];
  /** Values omitted because of the mapping's `onError: drop`. */
  readonly dropped: readonly ValueProblem[];
}

/** Reads a row by its mapping, with all its errors at once. */
export function readRow(mapping: Mapping, row: Readonly<Record<string, unknown>>, line: number): ReadRow {
  const problems: ValueProblem[] = [];
  const dropped: ValueProblem[] = [];
  const place: Place = { row, line };
  const attempt = <T>(work: () => T, into: ValueProblem[] = problems): T | undefined => {
    try {
      return work();
    } catch (error) {
      // A value on which its reader fails loses its row, as other values that cannot be read.
      into.push(error instanceof ValueProblem ? error : new ValueProblem('', null, `it cannot be read: ${error}`));
      return undefined;
    }
  };
  const externalId = attempt(() => readExternalId(mapping.externalId, place));
  const hashtags = attempt(() => readHashtags(mapping.hashtags, place)) ?? [];
  const fields: Record<string, FieldData> = {};
  for (const field of mapping.fields) {
    const value = attempt(
      () => readers[fieldTypes[field.type].kind](field, place, mapping.externalId),
      field.onError === 'drop' ? dropped : problems,
    );
    if (value) fields[field.key] = value;
  }
  const data = {
    externalId: externalId ?? '',
    title: attempt(() => readText(mapping.title, place)),
    body: attempt(() => readBodyText(mapping.body, hashtags, place)),
    author: attempt(() => readPersonOf(mapping.author, place)),
    created: attempt(() => readTime(mapping.created, place)),
    modified: attempt(() => readTime(mapping.modified, place)),
    modifier: attempt(() => readPersonOf(mapping.modifier, place)),
    visibility: attempt(() => readVisibility(mapping.visibility, place)),
    draft: attempt(() => readFlag(mapping.draft, place)),
    pinned: attempt(() => readFlag(mapping.pinned, place)),
    announcement: attempt(() => readFlag(mapping.announcement, place)),
    watchers: attempt(() => readPeople(mapping.watchers, place)) ?? [],
    hashtags,
    state: attempt(() => nameIn(readOne(mapping.state, place))),
    fields,
    comments:
      attempt(() => mapping.comments.flatMap((comment, n) => readComments(comment, n, externalId ?? '', row))) ?? [],
  };
  return problems.length > 0 ? { problems, dropped } : { data, problems, dropped };
}

/** Returns a fingerprint of a row's content, equal for equal rows. */
export function fingerprint(data: RowData, unresolved: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(data));
  for (const id of unresolved) hash.update(`\0${id}`);
  return hash.digest('base64url');
}

function readExternalId(source: Source, place: Place): string {
  const text = readText(source, place);
  if (text === undefined) throw new ValueProblem(source.name, null, 'the row has no external id');
  return text.trim();
}

/** Reads a reference to a post; without a prefix of its own it is written as the external ids are. */
export function likeExternalId(source: Source, externalId: Source): Source {
  if (source.prefix !== '' || source.suffix !== '') return source;
  return { ...source, prefix: externalId.prefix, suffix: externalId.suffix };
}

function readHashtags(source: Source | undefined, place: Place): string[] {
  if (!source) return [];
  const names = readAll(source, place).map((name) =>
    String(name)
      .trim()
      .replace(/^[#＃]+/, ''),
  );
  return [...new Map(names.filter((name) => name !== '').map((name) => [sortKey(name), name])).values()];
}

function readPeople(source: Source | undefined, place: Place): PersonName[] {
  return source ? readAll(source, place).map((name) => parsePerson(String(name))) : [];
}

function readVisibility(source: Source | undefined, place: Place): Visibility | undefined {
  const value = readOne(source, place);
  if (source === undefined || value === undefined) return undefined;
  const word = String(value).toLowerCase();
  if (word === 'private' || word === '1') return Visibility.PRIVATE;
  if (word === 'public' || word === '2') return Visibility.PUBLIC;
  throw new ValueProblem(source.name, value, 'it is neither "private" nor "public"; "map" can say which it means');
}

/** @returns a delta as JSON text; undefined without text and hashtags */
function readBodyText(body: BodySource | undefined, hashtags: readonly string[], place: Place): string | undefined {
  const ops = body ? [...readRichText(body.source, body.format, place)] : [];
  const present = new Set(extractHashtags(ops).map(sortKey));
  const missing = hashtags.filter((name) => !present.has(sortKey(name)));
  // The hashtags of a post come from its text, so hashtags of a column become its last line; an
  // edit keeps them there.
  for (const [index, value] of missing.entries()) {
    if (index > 0) ops.push({ insert: ' ' });
    ops.push({ insert: { hashtag: { value } } });
  }
  if (missing.length > 0) ops.push({ insert: '\n' });
  return ops.length === 0 ? undefined : serialiseDelta(ops);
}

function readRichText(source: Source, format: TextFormatName, place: Place): readonly DeltaOp[] {
  try {
    if (format === 'delta') {
      const value = rawDelta(source, place);
      return value === undefined ? [] : parseDelta(value);
    }
    const text = readText(source, place);
    if (text === undefined) return [];
    return format === 'markdown' ? markdownToDelta(text) : plainTextToDelta(text);
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    throw new ValueProblem(source.name, '…', error.message);
  }
}

/** A row may hold a delta as JSON text or as a JSON value. */
function rawDelta(source: Source, place: Place): unknown {
  const columns = source.from === 'item' ? place.item : place.row;
  const [column] = source.columns;
  const value = column === undefined || !columns ? undefined : lookUp(columns, column);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : readText(source, place);
}

/** The name of a state or value, in one line as requests have it; undefined where nothing can be seen. */
function nameIn(value: string | number | boolean | undefined): string | undefined {
  return value === undefined ? undefined : oneLine(composed(value)) || undefined;
}

type ReadField = (field: FieldMapping, place: Place, externalId: Source) => FieldData | undefined;

const plain =
  (read: (source: Source, place: Place) => string | number | boolean | undefined): ReadField =>
  ({ source }, place) => {
    const value = read(source, place);
    return value === undefined ? undefined : { kind: 'plain', value };
  };

/** Returns whether a number type allows whole numbers only. */
const isWhole = (type: FieldMapping['type']) => typeOf({ type }).column === 'big';

/** Readers of the values, by kind of field. */
const readers: Readonly<Record<FieldKind, ReadField>> = {
  number: (field, place, externalId) =>
    plain((source, at) => readNumber(source, at, isWhole(field.type)))(field, place, externalId),
  day: plain((source, place) => readTime(source, place, 'DATE')),
  instant: plain(readTime),
  flag: plain(readFlag),
  text: plain(readText),
  richText: ({ source, format }, place) => {
    const ops = readRichText(source, format, place);
    return ops.length === 0 ? undefined : { kind: 'plain', value: serialiseDelta(ops) };
  },
  choice: ({ type, source }, place) => {
    const values = fieldTypes[type].list ? readAll(source, place) : [readOne(source, place)];
    const labels = [...new Set(values.flatMap((value) => nameIn(value)?.trim() ?? []))];
    return labels.length === 0 ? undefined : { kind: 'labels', labels };
  },
  objects: ({ source, entity }, place, externalId) => {
    if (entity === 'user') {
      const people = readPeople(source, place);
      return people.length === 0 ? undefined : { kind: 'people', people };
    }
    if (entity === 'group') {
      const names = readAll(source, place).map((name) => String(name).trim());
      return names.length === 0 ? undefined : { kind: 'groups', names };
    }
    const ids = readAll(likeExternalId(source, externalId), place).map((id) => String(id).trim());
    return ids.length === 0 ? undefined : { kind: 'posts', externalIds: [...new Set(ids)] };
  },
};

/**
 * Returns the elements of a nested list, or the row itself without a column; a missing list is
 * empty.
 * @throws ValueProblem
 */
export function placesOf(column: string | undefined, row: Readonly<Record<string, unknown>>): Place[] {
  if (column === undefined) return [{ row }];
  const list = lookUp(row, column) ?? [];
  if (!Array.isArray(list)) throw new ValueProblem(column, list, 'it is not a list');
  return list.map((item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      throw new ValueProblem(column, item, 'an element of the list is not an object');
    }
    return { row, item: item as Place['row'] };
  });
}

/**
 * Returns a place for each column that holds a comment. A text with fewer parts than names becomes
 * the last part alone.
 */
function commentColumns({ parts }: CommentMapping, column: string, row: Readonly<Record<string, unknown>>): Place[] {
  return lookUpRepeated(row, column).flatMap((value): Place[] => {
    const text = typeof value === 'string' ? value.trim() : '';
    if (text === '') return [];
    if (!parts) return [{ row, item: { text } }];
    const { names, separator } = parts;
    const pieces = text.split(separator);
    const last = names.at(-1)!;
    if (pieces.length < names.length) return [{ row, item: { [last]: text } }];
    const rest = pieces.slice(names.length - 1).join(separator);
    const leading = names.slice(0, -1).map((name, index) => [name, pieces[index]!.trim()]);
    return [{ row, item: { ...Object.fromEntries(leading), [last]: rest } }];
  });
}

function readComments(
  mapping: CommentMapping,
  group: number,
  externalId: string,
  row: Readonly<Record<string, unknown>>,
): CommentData[] {
  const places =
    mapping.repeated === undefined ? placesOf(mapping.forEach, row) : commentColumns(mapping, mapping.repeated, row);
  return places.flatMap((place, index) => {
    const ops = readRichText(mapping.text, mapping.format, place);
    if (ops.every((op) => typeof op.insert === 'string' && op.insert.trim() === '')) return [];
    const own = readText(mapping.externalId, place);
    const author = readPersonOf(mapping.author, place);
    const at = readTime(mapping.at, place);
    return [
      {
        clientUid: own === undefined ? `${externalId}/comment-${group + 1}.${index + 1}` : `${externalId}/${own}`,
        text: serialiseDelta(ops),
        author,
        at,
      },
    ];
  });
}
