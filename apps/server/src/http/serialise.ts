/** Answers as JSON, by their declared schema. Elements of long lists are written in parts, between which others are served. */
import { randomUUID } from 'node:crypto';
import { type JsonSchema, referencedSchemas } from '@portico/contract/schemas';
import fastJsonStringify from 'fast-json-stringify';
import { Turns } from '../platform/turns.ts';

/** Writes an answer. @returns its JSON; bytes where it was written in parts */
type Serialise = (answer: unknown) => Promise<string | Buffer>;

type Stringify = (value: unknown) => string;

/** Lists with fewer elements are written at once. */
const LONG_LIST = 10;

/** Stands in the text of an answer for the elements of a list; no answer holds it. */
const PLACE = randomUUID();

/** A list of objects that an answer has as a member. */
interface List {
  readonly name: string;
  readonly stringify: Stringify;
  /** Writes the answer with a text in place of the list. */
  readonly around: Stringify;
}

/** Makes the serialiser of a schema; what it needs is compiled at the first answer that needs it. */
export function serialiserOf(schema: JsonSchema | undefined): Serialise {
  if (!schema) return async (answer) => JSON.stringify(answer);
  let names: readonly string[] | undefined;
  let whole: Stringify | undefined;
  const lists = new Map<string, List>();
  return async (answer) => {
    names ??= listsOf(schema);
    const name = longestList(names, answer);
    if (name === undefined) {
      whole ??= compiled(schema);
      return whole(answer);
    }
    const list = lists.get(name) ?? listOf(schema, name);
    lists.set(name, list);
    return inParts(list, answer as Record<string, unknown[]>);
  };
}

function compiled(schema: JsonSchema): Stringify {
  return fastJsonStringify(schema as never, { schema: referencedSchemas(schema) as never });
}

type Members = JsonSchema & { $id?: string; properties?: Readonly<Record<string, JsonSchema>> };

/** The schema of an answer with its members: its own, or the one that it refers to. */
function declared(schema: JsonSchema): Members {
  const { $ref } = schema as { $ref?: string };
  return $ref === undefined ? schema : referencedSchemas(schema)[$ref.slice(0, -1)]!;
}

/** The members that are lists of objects. */
function listsOf(schema: JsonSchema): string[] {
  const { properties = {} } = declared(schema);
  return Object.keys(properties).filter((name) => {
    const { items } = properties[name] as { items?: { $ref?: string } };
    return items?.$ref !== undefined;
  });
}

/** The member that is the longest list, where that one is long. */
function longestList(names: readonly string[], answer: unknown): string | undefined {
  let longest: string | undefined;
  let most = LONG_LIST;
  for (const name of names) {
    const elements = (answer as Record<string, unknown>)[name];
    if (!Array.isArray(elements) || elements.length < most) continue;
    longest = name;
    most = elements.length;
  }
  return longest;
}

function listOf(schema: JsonSchema, name: string): List {
  const { $id: _, properties, ...rest } = declared(schema);
  const { items } = properties![name] as { items: JsonSchema };
  const around = { ...rest, properties: { ...properties, [name]: { type: 'string' } } };
  return { name, stringify: compiled(items), around: compiled(around) };
}

async function inParts(list: List, answer: Record<string, unknown[]>): Promise<string | Buffer> {
  const [before = '', after = ''] = list.around({ ...answer, [list.name]: PLACE }).split(`"${PLACE}"`);
  const parts: Buffer[] = [];
  const turns = new Turns();
  let text = `${before}[`;
  for (const [index, element] of answer[list.name]!.entries()) {
    if (index > 0) text += ',';
    text += list.stringify(element);
    if (!turns.isOver) continue;
    parts.push(Buffer.from(text));
    text = '';
    await turns.next();
  }
  text += `]${after}`;
  return parts.length === 0 ? text : Buffer.concat([...parts, Buffer.from(text)]);
}
