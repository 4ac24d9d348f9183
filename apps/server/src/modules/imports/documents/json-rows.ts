/** Rows of a JSON document. Pure. */
import { HEAD_BYTES, SAMPLE_BYTES, StrictDecoder } from '@portico/contract/encodings';
import { findEncoding, likelyEncoding } from '../source/encodings.ts';
import { parseJson } from '../source/json-numbers.ts';
import type { DocumentOptions } from '../source/mapping-types.ts';
import type { InputRecord } from '../source/records.ts';
import { adviceOf, isOtherEncoding } from '../source/undecoded.ts';
import { DocumentProblem, type FoundRows } from './document-job.ts';
import { trelloCards } from './trello-cards.ts';

/**
 * Reads the list of rows. The line of a row is its position in the list; the first is 1.
 * @throws DocumentProblem; ImportError for an unsupported encoding
 */
export async function jsonRows(
  content: Buffer,
  { find, ...named }: Pick<DocumentOptions, 'path' | 'shape' | 'find'>,
): Promise<{ columns?: undefined; rows: Iterable<InputRecord> } & FoundRows> {
  const { text, problem } = await decode(content);
  const document = parse(text);
  const { path, shape } = find ? placeOfRows(document) : named;
  const list = shape === 'trello' ? trelloCards(document) : listAt(document, path);
  const rows = problem === undefined ? recordsOf(list) : refuseUndecoded([...recordsOf(list)], problem);
  return { rows, path, shape };
}

/** Maximum of names that lead to a list of rows, where it is searched. */
const DEEPEST_LIST = 3;

/** Finds the rows: the cards of a board, the document itself, or the longest list of objects in it. */
function placeOfRows(document: unknown): FoundRows {
  if (Array.isArray(document)) return { path: [] };
  const isBoard = ['cards', 'lists', 'members'].every((name) => Array.isArray((document as Json | null)?.[name]));
  if (isBoard) return { path: [], shape: 'trello' };
  let found: { path: readonly string[]; length: number } = { path: [], length: 0 };
  const search = (value: unknown, path: readonly string[]) => {
    if (Array.isArray(value)) {
      if (value.length > found.length && isObject(value[0])) found = { path, length: value.length };
    } else if (isObject(value) && path.length < DEEPEST_LIST) {
      // A name with a dot cannot be part of a path.
      for (const [name, one] of Object.entries(value)) if (!name.includes('.')) search(one, [...path, name]);
    }
  };
  search(document, []);
  return { path: found.path };
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Decodes a document. If it is not in its encoding, returns U+FFFD in place of undecodable bytes,
 * with the reason.
 */
async function decode(content: Buffer): Promise<{ text: string; problem?: string }> {
  const { encoding, mark } = findEncoding('it', content.subarray(0, HEAD_BYTES), undefined);
  const bytes = content.subarray(mark);
  const decoder = new StrictDecoder(encoding);
  const text = decoder.decode(bytes);
  if (text !== undefined) return { text };
  const shown = decoder.decodeForMessage(bytes);
  // Before the first U+FFFD, the text is as long as its bytes in UTF-8.
  const first = encoding === 'utf-8' ? Buffer.byteLength(shown.slice(0, shown.indexOf('\ufffd'))) : 0;
  const likely = await likelyEncoding(bytes.subarray(Math.max(0, first - SAMPLE_BYTES / 8)), encoding);
  return { text: shown, problem: `it is not text in ${encoding}${adviceOf(likely, false)}` };
}

/** Refuses the rows that hold U+FFFD, or the whole document if it has another encoding. */
function refuseUndecoded(records: readonly InputRecord[], reason: string): InputRecord[] {
  let bad = 0;
  let good = 0;
  const read = records.map((record): InputRecord => {
    const text = JSON.stringify(record.values ?? record.error);
    if (!text.includes('\ufffd')) {
      if (/[\u0080-\uffff]/.test(text)) good += 1;
      return record;
    }
    bad += 1;
    return { line: record.line, error: { reason, text } };
  });
  if (bad === 0 || isOtherEncoding(bad, good, records.length)) throw new DocumentProblem(reason);
  return read;
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new DocumentProblem(`it is not JSON: ${(error as Error).message}`);
  }
}

function listAt(document: unknown, path: readonly string[]): readonly unknown[] {
  let value = document;
  for (const [index, name] of path.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      throw new DocumentProblem(`it has no ${path.slice(0, index + 1).join('.')}; json.rows leads to the list of rows`);
    }
    value = (value as Record<string, unknown>)[name];
  }
  if (Array.isArray(value)) return value;
  const lists = Object.entries((value ?? {}) as object).flatMap(([name, one]) => (Array.isArray(one) ? name : []));
  const found = lists.length > 0 ? ` (lists in it: ${lists.slice(0, 20).join(', ')})` : '';
  const where = path.length > 0 ? path.join('.') : 'it';
  throw new DocumentProblem(`${where} is not a list of rows; json.rows names the one that is${found}`);
}

function* recordsOf(list: readonly unknown[]): Generator<InputRecord> {
  for (const [index, value] of list.entries()) {
    const line = index + 1;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      yield { line, values: value as Record<string, unknown> };
    } else {
      const text = Array.isArray(value) ? '[…]' : JSON.stringify(value).slice(0, 200);
      yield { line, error: { reason: 'the element is not a JSON object', text } };
    }
  }
}
