/**
 * Answers as JSON, by their declared schema. Elements of long lists, and long texts, are written in
 * parts, between which others are served.
 */
import { type JsonSchema, referencedSchemas } from '@portico/contract/schemas';
import { type Begun, LONG_TEXT, type Part, PartWriter, place, type Stringify, stringifier } from './part-writer.ts';

/** Writes an answer. @returns its JSON; bytes where it was written in parts */
type Serialise = (answer: unknown) => Promise<string | Buffer>;

/** Lists with fewer elements are written at once. */
const LONG_LIST = 10;
/** The same for lists without a schema, in objects with any members. */
const LONG_LIST_OF_VALUES = 100;

/** How deep lists are looked for: forms have theirs in an object of an object. */
const DEEPEST = 3;

/** Returns the serialiser of a schema; each part is compiled when the first response needs it. */
export function serialiserOf(schema: JsonSchema | undefined): Serialise {
  if (!schema) return async (answer) => JSON.stringify(answer);
  let shape: Shape | undefined;
  return async (answer) => {
    shape ??= new Shape(schema, referencedSchemas(schema));
    const begun = shape.begin(answer);
    if (begun.parts.length === 0) return begun.text;
    const writer = new PartWriter();
    await writer.write(begun);
    return writer.end();
  };
}

type Members = Readonly<Record<string, unknown>>;
type Path = readonly string[];
type Declared = JsonSchema & { $id?: string; properties?: Readonly<Record<string, JsonSchema>> };
type Known = ReturnType<typeof referencedSchemas>;

const isList = (schema: JsonSchema) => (schema as { items?: { $ref?: string } }).items?.$ref !== undefined;
const isObject = (schema: JsonSchema) => (schema as { $ref?: string }).$ref !== undefined;

/** Whether the members of an object may have any names and values. */
function isOpen(schema: JsonSchema): boolean {
  const { additionalProperties: values } = schema as { additionalProperties?: unknown };
  return typeof values === 'object' && values !== null && Object.keys(values).length === 0;
}

/** A list of objects that an answer holds: as a member, or as one of an object that it holds. */
interface List {
  readonly path: Path;
  readonly elements: Shape;
}

/** The answers, or the elements of a list, of a schema. */
class Shape {
  readonly #schema: JsonSchema;
  readonly #known: Known;
  /** The lists of an answer. Lists of an element are written with it. */
  readonly #lists: readonly List[];
  readonly #openObjects: readonly Path[];
  #whole: Stringify | undefined;
  #around: Stringify | undefined;

  constructor(schema: JsonSchema, known: Known, isElement = false) {
    this.#schema = schema;
    this.#known = known;
    this.#openObjects = this.#pathsBelow(schema, [], isOpen);
    this.#lists = (isElement ? [] : this.#pathsBelow(schema, [], isList)).map((path) => ({
      path,
      elements: new Shape(this.#itemsAt(path), known, true),
    }));
  }

  /** Writes an answer, with places for its long parts. */
  begin(answer: unknown): Begun {
    const parts: Part[] = [];
    const short = this.#withoutLongValues(answer, parts);
    if (!this.#lists.some(({ path }) => (listAt(answer, path)?.length ?? 0) >= LONG_LIST)) {
      this.#whole ??= stringifier(this.#schema, this.#known);
      return this.#whole(short, parts);
    }
    const frame = this.#lists.reduce((copy, { path, elements }) => {
      const list = listAt(answer, path);
      return list ? replaced(copy, path, place(parts, { list, begin: (element) => elements.begin(element) })) : copy;
    }, short as Members);
    this.#around ??= stringifier(this.#withPlaces(this.#schema, []), this.#known);
    return this.#around(frame, parts);
  }

  /** Returns a copy of the answer with places for long values in its open objects. */
  #withoutLongValues(answer: unknown, parts: Part[]): unknown {
    return this.#openObjects.reduce((copy, path) => {
      const object = valueAt(answer, path);
      if (typeof object !== 'object' || object === null || !Object.values(object).some(isLong)) return copy;
      const members = Object.entries(object).map(([name, value]) => [
        name,
        isLong(value) ? place(parts, typeof value === 'string' ? value : { list: value, begin: beginValue }) : value,
      ]);
      return replaced(copy as Members, path, Object.fromEntries(members));
    }, answer);
  }

  /** Returns the schema of an object with its members: its own, or the referenced one. */
  #declared(schema: JsonSchema): Declared {
    const { $ref } = schema as { $ref?: string };
    return $ref === undefined ? schema : (this.#known[$ref.slice(0, -1)] as Declared);
  }

  #pathsBelow(schema: JsonSchema, above: Path, wanted: (member: JsonSchema) => boolean): Path[] {
    return Object.entries(this.#declared(schema).properties ?? {}).flatMap(([name, member]) => {
      const path = [...above, name];
      if (wanted(member)) return [path];
      return isObject(member) && path.length < DEEPEST ? this.#pathsBelow(member, path, wanted) : [];
    });
  }

  #withPlaces(schema: JsonSchema, above: Path): JsonSchema {
    const { $id: _, properties = {}, ...rest } = this.#declared(schema);
    const members = Object.entries(properties).map(([name, member]) => {
      const path = [...above, name];
      if (isList(member)) return [name, { type: 'string' }];
      const holdsLists = this.#lists.some((list) => path.every((part, index) => list.path[index] === part));
      return [name, holdsLists ? this.#withPlaces(member, path) : member];
    });
    return { ...rest, properties: Object.fromEntries(members) };
  }

  #itemsAt(path: Path): JsonSchema {
    const list = path.reduce((above, name) => this.#declared(above).properties![name]!, this.#schema);
    return (list as { items: JsonSchema }).items;
  }
}

function valueAt(answer: unknown, path: Path): unknown {
  return path.reduce((above, name) => (above as Members | null | undefined)?.[name], answer);
}

function listAt(answer: unknown, path: Path): readonly unknown[] | undefined {
  const found = valueAt(answer, path);
  return Array.isArray(found) ? found : undefined;
}

/** Whether a value of an open object is written in parts. */
function isLong(value: unknown): value is string | readonly unknown[] {
  return typeof value === 'string'
    ? value.length >= LONG_TEXT
    : Array.isArray(value) && value.length >= LONG_LIST_OF_VALUES;
}

const beginValue = (value: unknown): Begun => ({ text: JSON.stringify(value) ?? 'null', parts: [] });

/** Returns a copy of the answer with another value at a path. */
function replaced(answer: Members, [name, ...below]: Path, value: unknown): Members {
  return { ...answer, [name!]: below.length === 0 ? value : replaced(answer[name!] as Members, below, value) };
}
