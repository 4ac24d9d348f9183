/**
 * Reads the nodes of a YAML document, so that every error names its line, its key and the allowed
 * values.
 */
import { oneLine } from '@portico/contract';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { YamlNode, YamlTree } from '../yaml/yaml-tree.ts';
import { MappingError, type MappingFault } from './mapping-error.ts';

/** Maximum of reported faults per mapping. */
const MOST_FAULTS = 1_000;
/**
 * Maximum of lines and commas of a mapping: the time of the parser grows faster than their number.
 */
const MOST_ENTRIES = 5_000;
/**
 * Maximum of values read from a mapping with its aliases expanded; a mapping without aliases has
 * fewer.
 */
const MOST_VALUES = 50_000;

/** Maximum of characters in a fault's message and in its path: both may quote the mapping. */
const LONGEST_MESSAGE = 4_000;
const LONGEST_PATH = 500;

/** Rejects expensive input before parsing. */
const BOUNDS = [
  { counted: /[\n,]/g, what: 'lines and commas together' },
  // Deep nesting needs few lines.
  { counted: /[[{]|[-?](?=[ \t])/g, what: 'brackets, braces, dashes and question marks together' },
];

interface Source {
  readonly file: string;
  /** Number of values read. */
  values: number;
  readonly errors: MappingFault[];
}

/**
 * Parses a mapping.
 * @returns its values, or its faults
 */
export async function parseMapping(text: string): Promise<YamlTree> {
  for (const { counted, what } of BOUNDS) {
    const entries = text.match(counted)?.length ?? 0;
    if (entries <= MOST_ENTRIES) continue;
    const message = `a mapping has at most ${MOST_ENTRIES} ${what}; this one has ${entries}`;
    return { faults: [{ line: 1, message }] };
  }
  return parseYaml(text, MOST_FAULTS);
}

/** Truncates a text with an ellipsis. */
function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
}

export class Cursor {
  readonly path: string;
  readonly #source: Source;
  readonly #node: YamlNode | null;
  readonly #line: number | undefined;

  private constructor(source: Source, node: YamlNode | null, path: string, line?: number) {
    this.#source = source;
    this.#node = node;
    this.path = path;
    this.#line = node?.line ?? line;
    source.values += 1;
    if (source.values <= MOST_VALUES) return;
    const message = `a mapping has at most ${MOST_VALUES} values, with its aliases (*name) written out; this one has more`;
    throw new MappingError(source.file, [{ line: this.#line, path: cut(path, LONGEST_PATH), message }]);
  }

  /**
   * Reads a document.
   * @param read builds the result; errors that cursors report are collected
   * @throws MappingError when there was any error
   */
  static read<T>(file: string, tree: YamlTree, read: (root: Cursor) => T): T {
    if ('faults' in tree) {
      throw new MappingError(
        file,
        tree.faults.map(({ line, message }) => ({ line, path: '', message: cut(message, LONGEST_MESSAGE) })),
      );
    }
    const errors: MappingFault[] = [];
    const result = read(new Cursor({ file, values: 0, errors }, tree.root, ''));
    if (errors.length > 0) throw new MappingError(file, errors);
    return result;
  }

  /** Adds an error at this position. */
  fail(message: string): undefined {
    const { errors } = this.#source;
    if (errors.length < MOST_FAULTS) {
      errors.push({ line: this.#line, path: cut(this.path, LONGEST_PATH), message: cut(message, LONGEST_MESSAGE) });
    }
    return undefined;
  }

  get isText(): boolean {
    return typeof this.#value === 'string';
  }

  get isList(): boolean {
    return this.#node?.kind === 'list';
  }

  /** Returns whether the value is empty: `null`, `~`, or no text at all. */
  get isNull(): boolean {
    return this.#node === null || this.#value === null;
  }

  get isMap(): boolean {
    return this.#node?.kind === 'map';
  }

  /** The value of a scalar. */
  get #value(): unknown {
    return this.#node?.kind === 'scalar' ? this.#node.value : undefined;
  }

  /** Returns the value of a scalar of any type; undefined (with an error) for other nodes. */
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

  /** Reads a separator, which may consist of white space. */
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

  /** Returns the value, which must be a key of `choices`. */
  choice<const K extends string>(choices: readonly K[]): K | undefined {
    const value = this.#value;
    if (choices.includes(value as K)) return value as K;
    const given = typeof value === 'string' ? `unknown value "${value}"` : 'unknown value';
    return this.fail(`${given}; allowed: ${choices.join(', ')}`);
  }

  /** The items of a list. */
  items(): Cursor[] {
    if (this.#node?.kind !== 'list') {
      this.fail('expected a list ("- …" lines, or […])');
      return [];
    }
    return this.#node.items.map((item, index) => new Cursor(this.#source, item, `${this.path}[${index}]`, this.#line));
  }

  /** Returns the pairs of a map with free keys. */
  pairs(): [string, Cursor][] {
    if (this.#node?.kind !== 'map') {
      this.fail('expected a map ("key: value" lines, or {…})');
      return [];
    }
    // The parser compares each key with all others.
    const seen = new Set<string>();
    return this.#node.pairs.flatMap((pair): [string, Cursor][] => {
      const key = pair.key ?? '';
      const path = this.path === '' ? key : `${this.path}.${key}`;
      const value = new Cursor(this.#source, pair.value, path, pair.line ?? this.#line);
      if (pair.key === undefined) {
        value.fail('a key must be a single value');
        return [];
      }
      if (seen.has(key)) value.fail('Map keys must be unique');
      seen.add(key);
      return [[key, value]];
    });
  }

  /**
   * Returns the properties of an object with known keys; another key is an error that lists them.
   */
  properties<K extends string>(allowed: readonly K[]): Partial<Record<K, Cursor>> {
    const found: Partial<Record<K, Cursor>> = {};
    for (const [key, value] of this.pairs()) {
      if (allowed.includes(key as K)) found[key as K] = value;
      else value.fail(`unknown key "${key}" in ${this.path || 'the mapping'}; allowed: ${allowed.join(', ')}`);
    }
    return found;
  }
}
