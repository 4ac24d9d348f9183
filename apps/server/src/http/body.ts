/**
 * Reading JSON bodies. Members that are null mean "absent" and are dropped, but in a merge patch (lists keep theirs: a null bound is an open
 * interval); integers beyond 2^53 keep their digits; text that PostgreSQL could not store, and nesting that only an attacker needs, are refused here once, so
 * that no operation has to.
 */
import { randomUUID } from 'node:crypto';
import { finishAtOnce } from '@portico/platform/parts';
import { exceededLimit, type StructureLimits } from '@portico/platform/text';
import { type FieldError, FieldErrors, MAX_FIELD_ERRORS, PorticoError } from '../kernel/errors.ts';
import { markLongIntegers, mayHoldLongIntegers } from './json-text.ts';

/** Bodies beyond these limits are refused: parsing them would keep others waiting. */
const LIMITS: StructureLimits = { levels: 64, containers: 50_000, members: 10_000 };

/**
 * Parses and cleans a JSON body.
 * @param keepNull true for a merge patch, in which null is a value
 * @throws PorticoError MALFORMED_JSON, ValidationError for text that cannot be stored
 */
export function parseJsonBody(text: string, keepNull = false): unknown {
  refuseStructure(text);
  return cleanBody(text, parse(text), keepNull);
}

/**
 * Parses and cleans a JSON body as {@link parseJsonBody} does, a large one in steps between which other requests are served.
 * @param turn resolves when the next step may begin
 */
export async function readJsonBody(
  text: string,
  keepNull: boolean | undefined,
  turn: () => Promise<void>,
): Promise<unknown> {
  if (text.length <= LOOKED_AT) return parseJsonBody(text, keepNull === true);
  refuseStructure(text);
  await turn();
  const value = parse(text);
  await turn();
  const cleaned = cleanBody(text, value, keepNull === true);
  // The body is compared with its schema next.
  await turn();
  return cleaned;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PorticoError('MALFORMED_JSON', {
      field: '$',
      message: `The body is not valid JSON: ${(error as Error).message}`,
      cause: error,
    });
  }
}

/**
 * Parsing a body beyond a limit costs more than checking, and a small body costs little either way.
 */
function refuseStructure(text: string): void {
  const exceeded = text.length > LOOKED_AT ? exceededLimit(text, LIMITS) : undefined;
  if (exceeded) throw beyondLimit(exceeded);
}

function cleanBody(text: string, value: unknown, keepNull: boolean): unknown {
  const cleaned = cleanInput(value, keepNull);
  if (typeof cleaned === 'object' && cleaned !== null && mayHoldLongIntegers(text)) {
    exactBodies.set(cleaned, () => readExactly(text, keepNull));
  }
  return cleaned;
}

/** Texts above this length are looked at before they are parsed. UTF-16 units. */
const LOOKED_AT = 16 * 1024;

const BEYOND: Readonly<Record<keyof StructureLimits, string>> = {
  levels: `is nested deeper than ${LIMITS.levels} levels`,
  containers: `has more than ${LIMITS.containers} lists and objects`,
  members: `has an object with more than ${LIMITS.members} members`,
};

const beyondLimit = (limit: keyof StructureLimits) =>
  new PorticoError('MALFORMED_JSON', { field: '$', message: `The body ${BEYOND[limit]}.` });

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of a body or of a line, without a byte order mark. Bytes that are not UTF-8 are refused: read all the same, they would be
 * stored as replacement characters. A `charset` has no meaning for JSON (RFC 8259, 11).
 * @param what its name in the message
 * @throws PorticoError MALFORMED_JSON
 */
export function decodeUtf8(bytes: Buffer, what: 'The body' | 'The line'): string {
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw new PorticoError('MALFORMED_JSON', {
      field: '$',
      message: `${what} is not UTF-8; send JSON in UTF-8, or escape what is not ASCII as \\u and four digits.`,
      cause,
    });
  }
}

/** Marks the integers in a text; nobody can send it. */
const MARK = `${randomUUID()}:`;

/**
 * Parses a body that was found to be valid once more, in parts, with integers beyond 2^53 as
 * bigints. A reviver would be called for each value.
 */
function* readExactly(text: string, keepNull: boolean): Generator<void, unknown> {
  const marked = markLongIntegers(text, MARK);
  yield;
  const parsed: unknown = JSON.parse(marked);
  yield;
  const cleaned = cleanInput(parsed, keepNull);
  yield;
  return withIntegers(cleaned);
}

/** @returns the value itself, changed in place, or the integer that it stands for */
function withIntegers(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  // A list of numbers may be long, and its indexes are not worth a list of names.
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  const members = value as Record<string | number, unknown>;
  for (const key of keys) {
    const member = members[key];
    if (typeof member === 'string' || typeof member === 'object') members[key] = withIntegers(member);
  }
  return value;
}

/** By body as it was parsed: the exact one, or how it is made. Most operations are refused, or have no use for it, before it is. */
const exactBodies = new WeakMap<object, unknown>();

/** A parsed body once more, with integers beyond 2^53 as bigints. Declared integers are checked in the body itself. */
export function exactBody(body: unknown): unknown {
  return finishAtOnce(exactBodyParts(body));
}

/** Makes {@link exactBody} in parts, and keeps it for later calls. */
export function* exactBodyParts(body: unknown): Generator<void, unknown> {
  if (typeof body !== 'object' || body === null) return body;
  const known = exactBodies.get(body);
  if (typeof known !== 'function') return known ?? body;
  const exact: unknown = yield* (known as () => Generator<void, unknown>)();
  exactBodies.set(body, exact);
  return exact;
}

/** Drops null members, unless they are kept, and checks every text. @returns the value itself, changed in place */
function cleanInput(value: unknown, keepNull: boolean): unknown {
  const errors = new FieldErrors();
  clean(value, '', 0, errors, keepNull);
  errors.throwIfAny();
  return value;
}

function clean(value: unknown, path: string, depth: number, errors: FieldErrors, keepNull: boolean): void {
  if (typeof value === 'string') {
    checkText(value, path || '$', errors);
    return;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    // 1e999 is valid JSON, but JavaScript reads it as Infinity.
    errors.push({
      code: 'INVALID_VALUE',
      field: path || '$',
      defaultMessage: `${path || 'The body'} is too large a number.`,
    });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= LIMITS.levels) throw beyondLimit('levels');
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (errors.length >= MAX_FIELD_ERRORS) return;
      const element: unknown = value[index];
      if (isPlain(element)) continue;
      clean(element, `${path}[${index}]`, depth + 1, errors, keepNull);
    }
    return;
  }
  for (const key of Object.keys(value)) {
    if (errors.length >= MAX_FIELD_ERRORS) return;
    const member = (value as Record<string, unknown>)[key];
    if ((member === null && !keepNull) || key === PROTOTYPE) {
      delete (value as Record<string, unknown>)[key];
      // No body and no map declares `__proto__`, and copies of the body would drop it silently.
      if (member !== null) errors.push(unknownPrototype(path));
      continue;
    }
    // A path is made where it is needed: a body may have many keys.
    if (isPlain(member) && isStorable(key)) continue;
    const name = nameOf(key);
    const place = path ? `${path}.${name}` : name;
    checkText(key, place, errors);
    clean(member, place, depth + 1, errors, keepNull);
  }
}

const PROTOTYPE = '__proto__';

function unknownPrototype(path: string): FieldError {
  return {
    code: 'UNRECOGNIZED_FIELD',
    field: path ? `${path}.${PROTOTYPE}` : PROTOTYPE,
    defaultMessage: `${path || 'The body'} has no field ${PROTOTYPE}.`,
    args: [],
  };
}

/** A member's name as errors show it: unprintable characters are escaped, long names truncated. */
export function nameOf(key: string): string {
  const short = key.length > MAX_SHOWN_NAME ? `${key.slice(0, MAX_SHOWN_NAME)}…` : key;
  if (short === '') return '""';
  return isStorable(short) ? short : JSON.stringify(short).slice(1, -1);
}

const MAX_SHOWN_NAME = 100;

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export function checkText(text: string, field: string, errors: FieldErrors): void {
  if (!isStorable(text)) errors.push({ code: 'INVALID_TEXT', field });
}

/** A number or a text in which nothing can be wrong. */
function isPlain(value: unknown): boolean {
  return typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' && isStorable(value);
}

const isStorable = (text: string) => !text.includes('\u0000') && text.isWellFormed();
