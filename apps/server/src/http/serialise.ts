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

/** Stands in the text of an answer for a list, with the number of the list; no answer holds it. */
const PLACE = randomUUID();

/** How deep lists are looked for: forms have theirs in an object of an object. */
const DEEPEST = 3;

/** A list of objects that an answer holds: as a member, or as one of an object that it holds. */
interface List {
  readonly path: readonly string[];
  readonly stringify: Stringify;
}

/** Returns the serialiser of a schema; each part is compiled when the first response needs it. */
export function serialiserOf(schema: JsonSchema | undefined): Serialise {
  if (!schema) return async (answer) => JSON.stringify(answer);
  let found: ListsOf | undefined;
  let whole: Stringify | undefined;
  let parts: ReturnType<ListsOf['compile']> | undefined;
  return async (answer) => {
    found ??= new ListsOf(schema);
    if (!found.paths.some((path) => (listAt(answer, path)?.length ?? 0) >= LONG_LIST)) {
      whole ??= compiled(schema);
      return whole(answer);
    }
    parts ??= found.compile();
    return inParts(parts.lists, parts.around, answer as Members);
  };
}

function compiled(schema: JsonSchema, known = referencedSchemas(schema)): Stringify {
  return fastJsonStringify(schema as never, { schema: known as never });
}

type Members = Readonly<Record<string, unknown>>;
type Declared = JsonSchema & { $id?: string; properties?: Readonly<Record<string, JsonSchema>> };

const isList = (schema: JsonSchema) => (schema as { items?: { $ref?: string } }).items?.$ref !== undefined;
const isObject = (schema: JsonSchema) => (schema as { $ref?: string }).$ref !== undefined;

/** The lists of objects in answers of a schema. */
class ListsOf {
  readonly #schema: JsonSchema;
  readonly #known: ReturnType<typeof referencedSchemas>;
  readonly paths: readonly (readonly string[])[];

  constructor(schema: JsonSchema) {
    this.#schema = schema;
    this.#known = referencedSchemas(schema);
    this.paths = this.#pathsBelow(schema, []);
  }

  /**
   * Compiles the functions that write the elements of each list, and the function that writes a
   * response with a text in place of each list.
   */
  compile(): { lists: readonly List[]; around: Stringify } {
    return {
      lists: this.paths.map((path) => ({ path, stringify: compiled(this.#itemsAt(path), this.#known) })),
      around: compiled(this.#withPlaces(this.#schema, []), this.#known),
    };
  }

  /** Returns the schema of an object with its members: its own, or the referenced one. */
  #declared(schema: JsonSchema): Declared {
    const { $ref } = schema as { $ref?: string };
    return $ref === undefined ? schema : (this.#known[$ref.slice(0, -1)] as Declared);
  }

  #pathsBelow(schema: JsonSchema, above: readonly string[]): (readonly string[])[] {
    return Object.entries(this.#declared(schema).properties ?? {}).flatMap(([name, member]) => {
      const path = [...above, name];
      if (isList(member)) return [path];
      return isObject(member) && path.length < DEEPEST ? this.#pathsBelow(member, path) : [];
    });
  }

  #withPlaces(schema: JsonSchema, above: readonly string[]): JsonSchema {
    const { $id: _, properties = {}, ...rest } = this.#declared(schema);
    const members = Object.entries(properties).map(([name, member]) => {
      const path = [...above, name];
      if (isList(member)) return [name, { type: 'string' }];
      const holdsLists = this.paths.some((list) => path.every((part, index) => list[index] === part));
      return [name, holdsLists ? this.#withPlaces(member, path) : member];
    });
    return { ...rest, properties: Object.fromEntries(members) };
  }

  #itemsAt(path: readonly string[]): JsonSchema {
    const list = path.reduce((above, name) => this.#declared(above).properties![name]!, this.#schema);
    return (list as { items: JsonSchema }).items;
  }
}

function listAt(answer: unknown, path: readonly string[]): readonly unknown[] | undefined {
  const found = path.reduce((above, name) => (above as Members | null | undefined)?.[name], answer);
  return Array.isArray(found) ? found : undefined;
}

/** A copy of the answer with a text in place of a list. */
function replaced(answer: Members, [name, ...below]: readonly string[], place: string): Members {
  return { ...answer, [name!]: below.length === 0 ? place : replaced(answer[name!] as Members, below, place) };
}

async function inParts(lists: readonly List[], around: Stringify, answer: Members): Promise<string | Buffer> {
  const held = lists.flatMap(({ path, stringify }) => {
    const elements = listAt(answer, path);
    return elements ? [{ path, stringify, elements }] : [];
  });
  const frame = held.reduce((copy, { path }, index) => replaced(copy, path, `${PLACE}${index}:`), answer);
  const writer = new PartWriter();
  // Members are written in the order of the schema, not in that of the lists.
  for (const [index, piece] of around(frame)
    .split(new RegExp(`"${PLACE}(\\d+):"`))
    .entries()) {
    if (index % 2 === 0) writer.text += piece;
    else await writer.list(held[Number(piece)]!);
  }
  return writer.end();
}

/** Collects the text of an answer. */
class PartWriter {
  text = '';
  readonly #parts: Buffer[] = [];
  readonly #turns = new Turns();

  async list({ elements, stringify }: { elements: readonly unknown[]; stringify: Stringify }): Promise<void> {
    this.text += '[';
    for (const [index, element] of elements.entries()) {
      if (index > 0) this.text += ',';
      this.text += stringify(element);
      if (!this.#turns.isOver) continue;
      this.#parts.push(Buffer.from(this.text));
      this.text = '';
      await this.#turns.next();
    }
    this.text += ']';
  }

  end(): string | Buffer {
    return this.#parts.length === 0 ? this.text : Buffer.concat([...this.#parts, Buffer.from(this.text)]);
  }
}
