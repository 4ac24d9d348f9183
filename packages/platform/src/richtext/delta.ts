import { storableText } from '../text/index.ts';
import { RichTextError } from './errors.ts';
import { safeLink, safeMedia } from './links.ts';
import {
  type Attributes,
  type AttributeValue,
  type DeltaOp,
  EMBED_NAMES,
  type Embed,
  MAX_ATTRIBUTE_DEPTH,
  MAX_ATTRIBUTES,
  MAX_DELTA_BYTES,
  MAX_DELTA_OPS,
  type Reference,
} from './types.ts';

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function tooLarge(): RichTextError {
  return new RichTextError(
    'TOO_LARGE',
    `the rich text is longer than ${MAX_DELTA_BYTES} bytes of JSON, which is the limit`,
  );
}

function attributeValue(value: unknown, depth: number, opIndex: number): AttributeValue {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object') {
    throw new RichTextError('INVALID_DELTA', `an attribute cannot hold a ${typeof value}`, opIndex);
  }
  if (depth >= MAX_ATTRIBUTE_DEPTH) {
    throw new RichTextError('TOO_DEEP', `attributes may be nested ${MAX_ATTRIBUTE_DEPTH} deep, not more`, opIndex);
  }
  if (Array.isArray(value)) {
    checkCount(value.length, opIndex);
    return value.map((item) => attributeValue(item, depth + 1, opIndex));
  }
  return entries(value as Json, opIndex, (item) => attributeValue(item, depth + 1, opIndex));
}

function checkCount(count: number, opIndex: number): void {
  if (count > MAX_ATTRIBUTES) {
    throw new RichTextError('INVALID_DELTA', `more than ${MAX_ATTRIBUTES} attributes or entries of one`, opIndex);
  }
}

function entries<T>(object: Json, opIndex: number, read: (value: unknown) => T): { [key: string]: T } {
  const keys = Object.keys(object);
  checkCount(keys.length, opIndex);
  // `__proto__` is an ordinary key in JSON but not in an assignment; nothing in a document needs it.
  return Object.fromEntries(
    keys.filter((key) => key !== '__proto__').map((key) => [storableText(key), read(object[key])]),
  );
}

/**
 * Attributes without nulls, which in a document say nothing. A link whose scheme is not allowed is taken off and its text
 * stays: text pasted from elsewhere should not be refused for a link that cannot be used here.
 */
function attributes(value: unknown, opIndex: number): Attributes | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw new RichTextError('INVALID_DELTA', '"attributes" must be an object', opIndex);
  const kept: Attributes = {};
  for (const [name, item] of Object.entries(entries(value, opIndex, (item) => attributeValue(item, 0, opIndex)))) {
    if (item === null) continue;
    if (name === 'link') {
      const link = typeof item === 'string' ? safeLink(item) : null;
      if (link !== null) kept.link = link;
    } else {
      kept[name] = item;
    }
  }
  return Object.keys(kept).length > 0 ? kept : undefined;
}

/** True for an id as the wire has it: an integer, or the same as a string of digits. */
function isId(id: unknown): id is number | string {
  return (
    Number.isSafeInteger(id) || (typeof id === 'string' && /^-?\d{1,16}$/.test(id) && Number.isSafeInteger(Number(id)))
  );
}

function reference(name: 'mention' | 'hashtag', value: unknown, opIndex: number): Reference & { id: number | string } {
  const shape = name === 'mention' ? '{"id": 17, "value": "Ada Rossi"}' : '{"id": 5, "value": "budget"}';
  const wrong = (what: string) =>
    new RichTextError('INVALID_EMBED', `"${name}" ${what}; it must be like ${shape}`, opIndex);
  if (!isObject(value)) throw wrong('is not an object');
  const read = entries(value, opIndex, (item) => attributeValue(item, 1, opIndex)) as Reference & {
    id: number | string;
  };
  if (read.id === null) delete (read as Reference).id;
  if (read.denotationChar === null) delete read.denotationChar;
  if (!isId(read.id) && (name === 'mention' || read.id !== undefined)) {
    throw wrong('needs an "id" that is an integer or a string of digits');
  }
  if (name === 'mention' && (read.value === undefined || read.value === null)) read.value = '';
  if (typeof read.value !== 'string') throw wrong('needs a "value" that is a string');
  if (name === 'hashtag' && read.value.replace(/^[#＃]/, '').trim() === '')
    throw wrong('needs a "value" that is not empty');
  if (read.denotationChar !== undefined && typeof read.denotationChar !== 'string') {
    throw wrong('has a "denotationChar" that is not a string');
  }
  if (read.link !== undefined) {
    const link = typeof read.link === 'string' ? safeLink(read.link) : null;
    if (link === null) delete read.link;
    else read.link = link;
  }
  return read;
}

function embed(value: Json, opIndex: number): Embed {
  const names = Object.keys(value);
  const name = names[0];
  if (names.length !== 1 || name === undefined) {
    throw new RichTextError('INVALID_DELTA', 'an embed is an object with exactly one key', opIndex);
  }
  const content = value[name];
  switch (name) {
    case 'image':
    case 'video': {
      if (typeof content !== 'string')
        throw new RichTextError('INVALID_EMBED', `"${name}" must hold an address`, opIndex);
      const url = safeMedia(content);
      if (url === null) {
        throw new RichTextError(
          'UNSAFE_URL',
          `"${name}" must have an http, https or relative address of at most 4096 characters; attach files instead of embedding their content`,
          opIndex,
        );
      }
      return name === 'image' ? { image: url } : { video: url };
    }
    case 'formula':
      if (typeof content !== 'string') throw new RichTextError('INVALID_EMBED', '"formula" must hold a text', opIndex);
      return { formula: storableText(content) };
    case 'mention':
      return { mention: reference('mention', content, opIndex) };
    case 'hashtag':
      return { hashtag: reference('hashtag', content, opIndex) };
    case 'divider':
      return { divider: attributeValue(content, 1, opIndex) };
    default:
      throw new RichTextError(
        'UNKNOWN_EMBED',
        `unknown embed ${JSON.stringify(name.slice(0, 64))}; known are ${EMBED_NAMES.join(', ')}`,
        opIndex,
      );
  }
}

function operation(value: unknown, opIndex: number): DeltaOp | null {
  if (!isObject(value)) throw new RichTextError('INVALID_DELTA', 'an operation must be an object', opIndex);
  if (Object.hasOwn(value, 'retain') || Object.hasOwn(value, 'delete')) {
    throw new RichTextError(
      'INVALID_DELTA',
      'a document has insert operations only, no "retain" and no "delete"',
      opIndex,
    );
  }
  const { insert } = value;
  const format = attributes(value.attributes, opIndex);
  let content: string | Embed;
  if (typeof insert === 'string') {
    content = storableText(insert);
    if (content === '') return null;
  } else if (isObject(insert)) {
    content = embed(insert, opIndex);
  } else {
    throw new RichTextError('INVALID_DELTA', '"insert" must be a string or an embed object', opIndex);
  }
  return format ? { insert: content, attributes: format } : { insert: content };
}

/** The operations with the new line at the end that every Quill document has; the last text is extended if it is plain. */
export function withFinalNewline(ops: DeltaOp[]): DeltaOp[] {
  const last = ops.at(-1);
  if (last && typeof last.insert === 'string') {
    if (last.insert.endsWith('\n')) return ops;
    if (!last.attributes) return [...ops.slice(0, -1), { insert: `${last.insert}\n` }];
  }
  return [...ops, { insert: '\n' }];
}

/**
 * Reads a rich text: JSON text or the value itself, the bare array of operations or `{"ops": […]}`.
 * A blank string and an empty list are the empty document. The result is a clean copy: it ends with a new line; NUL and
 * lone surrogates, which cannot be stored, are gone; links with schemes other than http, https, mailto and tel are taken off
 * their text. Keys of an operation beside `insert` and `attributes` are dropped.
 *
 * Limits: 1 MiB of JSON, 20,000 operations, 64 attributes per operation nested at most 4 deep.
 *
 * Throws {@link RichTextError}: `INVALID_JSON`, `INVALID_DELTA` (not a list of inserts), `UNKNOWN_EMBED`, `INVALID_EMBED`,
 * `UNSAFE_URL` (an image or video that is not http, https or relative; `data:` is not), `TOO_LARGE`, `TOO_MANY_OPS`,
 * `TOO_DEEP`.
 */
export function parseDelta(input: unknown): DeltaOp[] {
  let value = input;
  if (typeof input === 'string') {
    if (input.length > MAX_DELTA_BYTES || Buffer.byteLength(input) > MAX_DELTA_BYTES) throw tooLarge();
    if (input.trim() === '') return [{ insert: '\n' }];
    try {
      value = JSON.parse(input);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw new RichTextError(
        'INVALID_JSON',
        'the rich text is not a Quill delta in JSON such as [{"insert":"text\\n"}]; for plain text give the format 2',
      );
    }
  }
  const list = isObject(value) ? value.ops : value;
  if (!Array.isArray(list)) {
    throw new RichTextError('INVALID_DELTA', 'a delta is a list of operations, or {"ops": […]} with such a list');
  }
  if (list.length > MAX_DELTA_OPS) {
    throw new RichTextError('TOO_MANY_OPS', `${list.length} operations; at most ${MAX_DELTA_OPS} are allowed`);
  }
  const ops: DeltaOp[] = [];
  let size = 0;
  for (let i = 0; i < list.length; i++) {
    const op = operation(list[i], i);
    if (!op) continue;
    ops.push(op);
    // The text alone is a lower bound; the exact size is taken when everything is known to be small enough to write out.
    size += typeof op.insert === 'string' ? op.insert.length : 0;
    if (size > MAX_DELTA_BYTES) throw tooLarge();
  }
  return checkSize(withFinalNewline(ops));
}

/**
 * Returns the operations if their JSON is within the limit: a stored text must be accepted when a
 * client resends it.
 */
export function checkSize(ops: DeltaOp[]): DeltaOp[] {
  if (Buffer.byteLength(serialiseDelta(ops)) > MAX_DELTA_BYTES) throw tooLarge();
  return ops;
}

/** The form in which deltas are stored and answered: the bare array of operations as JSON text. */
export function serialiseDelta(ops: readonly DeltaOp[]): string {
  return JSON.stringify(ops);
}
