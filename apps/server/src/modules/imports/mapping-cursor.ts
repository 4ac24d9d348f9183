/** Reads the nodes of a YAML document so that every error names its line and its key, and says what is allowed there. */
import { oneLine } from '@portico/contract';
import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { MappingError, type MappingFault } from './mapping-error.ts';

/** Most faults of a mapping that are told. */
const MOST_FAULTS = 1_000;
/** Most lines and commas of a mapping: the time of the parser grows faster than their number. */
const MOST_ENTRIES = 5_000;
/** Most values that are read of a mapping, with its aliases written out: without any there are fewer. */
const MOST_VALUES = 50_000;

/** How deep lists and maps may stand in one another. Far deeper, the parser runs out of its stack. */
const MOST_LEVELS = 64;

/** Refuses what costs much before anything is parsed. */
const BOUNDS = [
  { counted: /[\n,]/g, what: 'lines and commas together' },
  // What is nested deeply has few lines.
  { counted: /[[{]|[-?](?=[ \t])/g, what: 'brackets, braces, dashes and question marks together' },
];

interface Source {
  readonly file: string;
  /** How many values were read. */
  values: number;
  /** What each alias stands for. */
  readonly aliases: ReadonlyMap<Alias, Node | undefined>;
  readonly lines: LineCounter;
  readonly errors: MappingFault[];
}

/** Whether lists and maps stand deeper in one another than they may. */
function isTooDeep(document: Document): boolean {
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) return true;
  let tooDeep = false;
  visit(document, {
    Collection: (_key, _node, above) => {
      tooDeep = above.filter(isCollection).length >= MOST_LEVELS;
      return tooDeep ? visit.BREAK : undefined;
    },
  });
  return tooDeep;
}

/** What each alias stands for: the node that had its name last, found in one pass. */
function aliasesOf(document: Document): Map<Alias, Node | undefined> {
  const named = new Map<string, Node>();
  const aliases = new Map<Alias, Node | undefined>();
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) aliases.set(node, named.get(node.source));
      else if (node.anchor !== undefined) named.set(node.anchor, node);
    },
  });
  return aliases;
}

export class Cursor {
  readonly path: string;
  readonly #source: Source;
  readonly #node: unknown;
  readonly #line: number | undefined;

  private constructor(source: Source, node: unknown, path: string, line?: number) {
    this.#source = source;
    this.#node = isAlias(node) ? source.aliases.get(node) : node;
    this.path = path;
    const at = (node as Node | undefined)?.range?.[0];
    this.#line = at === undefined ? line : source.lines.linePos(at).line;
    source.values += 1;
    if (source.values <= MOST_VALUES) return;
    const message = `a mapping has at most ${MOST_VALUES} values, with its aliases (*name) written out; this one has more`;
    throw new MappingError(source.file, [{ line: this.#line, path, message }]);
  }

  /**
   * Reads a document.
   * @param read builds the result; errors that cursors report are collected
   * @throws MappingError when there was any error
   */
  static read<T>(file: string, text: string, read: (root: Cursor) => T): T {
    for (const { counted, what } of BOUNDS) {
      const entries = text.match(counted)?.length ?? 0;
      if (entries <= MOST_ENTRIES) continue;
      const message = `a mapping has at most ${MOST_ENTRIES} ${what}; this one has ${entries}`;
      throw new MappingError(file, [{ line: 1, path: '', message }]);
    }
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
    if (isTooDeep(document)) {
      const message = `lists and maps of a mapping stand at most ${MOST_LEVELS} levels deep in one another; these go deeper`;
      throw new MappingError(file, [{ line: 1, path: '', message }]);
    }
    const errors: MappingFault[] = document.errors.map((error) => ({
      line: lines.linePos(error.pos[0]).line,
      path: '',
      message: error.message.replace(/\s+/g, ' '),
    }));
    if (errors.length > 0) throw new MappingError(file, errors);
    const source: Source = { file, values: 0, aliases: aliasesOf(document), lines, errors };
    const result = read(new Cursor(source, document.contents, ''));
    if (errors.length > 0) throw new MappingError(file, errors);
    return result;
  }

  /** Adds an error at this position. */
  fail(message: string): undefined {
    const { errors } = this.#source;
    if (errors.length < MOST_FAULTS) errors.push({ line: this.#line, path: this.path, message });
    return undefined;
  }

  get isText(): boolean {
    return isScalar(this.#node) && typeof this.#node.value === 'string';
  }

  get isList(): boolean {
    return isSeq(this.#node);
  }

  /** Whether nothing is given: `null`, `~`, or no text at all. */
  get isNull(): boolean {
    return this.#node === null || this.#value === null;
  }

  get isMap(): boolean {
    return isMap(this.#node);
  }

  /** The value of a scalar. */
  get #value(): unknown {
    return isScalar(this.#node) ? this.#node.value : undefined;
  }

  /** The value of a scalar, whatever its type; undefined (with an error) for anything else. */
  scalar(): string | number | boolean | null | undefined {
    const value = this.#value;
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      return value;
    }
    return this.fail('expected a single value');
  }

  text(): string | undefined {
    const value = this.#value;
    if (typeof value === 'string' && value.trim() !== '') return value;
    return this.fail('expected a text (quote it if it looks like a number)');
  }

  /** The name of something, in one line as requests have it. */
  name(): string | undefined {
    const text = this.text();
    const name = text === undefined ? undefined : oneLine(text);
    return name === '' ? this.fail('expected a name that can be seen') : name;
  }

  /** A text that may be white space: what separates values. */
  separator(): string | undefined {
    const value = this.#value;
    return typeof value === 'string' && value !== '' ? value : this.fail('expected a text in quotes');
  }

  flag(): boolean | undefined {
    const value = this.#value;
    return typeof value === 'boolean' ? value : this.fail('expected true or false');
  }

  whole(minimum: number, maximum: number): number | undefined {
    const value = this.#value;
    if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum) return value;
    return this.fail(`expected a whole number from ${minimum} to ${maximum}`);
  }

  /** One of the keys of `choices`. */
  choice<const K extends string>(choices: readonly K[]): K | undefined {
    const value = this.#value;
    if (choices.includes(value as K)) return value as K;
    const given = typeof value === 'string' ? `unknown value "${value}"` : 'unknown value';
    return this.fail(`${given}; allowed: ${choices.join(', ')}`);
  }

  /** The items of a list. */
  items(): Cursor[] {
    if (!isSeq(this.#node)) {
      this.fail('expected a list ("- …" lines, or […])');
      return [];
    }
    return this.#node.items.map((item, index) => new Cursor(this.#source, item, `${this.path}[${index}]`, this.#line));
  }

  /** The pairs of a map whose keys the file chooses. */
  pairs(): [string, Cursor][] {
    if (!isMap(this.#node)) {
      this.fail('expected a map ("key: value" lines, or {…})');
      return [];
    }
    // The parser compares each key with all others.
    const seen = new Set<string>();
    return this.#node.items.flatMap((pair): [string, Cursor][] => {
      // What is no scalar has a text that may be many times as long as the document.
      const key = isScalar(pair.key) ? String(pair.key.value) : '';
      const path = this.path === '' ? key : `${this.path}.${key}`;
      const keyAt = (pair.key as Node | null)?.range?.[0];
      const line = keyAt === undefined ? this.#line : this.#source.lines.linePos(keyAt).line;
      const value = new Cursor(this.#source, pair.value, path, line);
      if (!isScalar(pair.key)) {
        value.fail('a key must be a single value');
        return [];
      }
      if (seen.has(key)) value.fail('Map keys must be unique');
      seen.add(key);
      return [[key, value]];
    });
  }

  /** The properties of an object whose keys are given; another key is an error that lists them. */
  properties<K extends string>(allowed: readonly K[]): Partial<Record<K, Cursor>> {
    const found: Partial<Record<K, Cursor>> = {};
    for (const [key, value] of this.pairs()) {
      if (allowed.includes(key as K)) found[key as K] = value;
      else value.fail(`unknown key "${key}" in ${this.path || 'the mapping'}; allowed: ${allowed.join(', ')}`);
    }
    return found;
  }
}
