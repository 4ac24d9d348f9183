/** Rows of a JSON document. Pure. */
import type { DocumentOptions } from '../mapping-types.ts';
import type { InputRecord } from '../records.ts';
import { DocumentProblem } from './document-job.ts';
import { trelloCards } from './trello-cards.ts';

/**
 * Reads the list that holds the rows. The line of a row is its place in the list; the first is 1.
 * @throws DocumentProblem
 */
export function jsonRows(
  content: Buffer,
  { path, shape }: Pick<DocumentOptions, 'path' | 'shape'>,
): { columns?: undefined; rows: Iterable<InputRecord> } {
  const document = parse(content);
  const list = shape === 'trello' ? trelloCards(document) : listAt(document, path);
  return { rows: recordsOf(list) };
}

function parse(content: Buffer): unknown {
  try {
    // An encoding other than UTF-8 is told by its mark.
    const utf16 = content[0] === 0xff && content[1] === 0xfe;
    return JSON.parse(new TextDecoder(utf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(content));
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
