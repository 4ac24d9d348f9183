/** Reads the nodes of a YAML document so that every error names its line and its key, and says what is allowed there. */
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { MappingError, type MappingFault } from './mapping-error.ts';

/** Most faults of a mapping that are told. */
const MOST_FAULTS = 1_000;
/** Most lines and commas of a mapping: the time of the parser grows faster than their number. */
const MOST_ENTRIES = 5_000;

interface Source {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly errors: MappingFault[];
}

export class Cursor {
  readonly path: string;
  readonly #source: Source;
  readonly #node: unknown;
  readonly #line: number | undefined;

  private constructor(source: Source, node: unknown, path: string, line?: number) {
    this.#source = source;
    this.#node = isAlias(node) ? node.resolve(source.document) : node;
    this.path = path;
    const at = (node as Node | undefined)?.range?.[0];
    this.#line = at === undefined ? line : source.lines.linePos(at).line;
  }

  /**
   * Reads a document.
   * @param read builds the result; errors that cursors report are collected
   * @throws MappingError when there was any error
   */
  static read<T>(file: string, text: string, read: (root: Cursor) => T): T {
    const entries = text.match(/[\n,]/g)?.length ?? 0;
    if (entries > MOST_ENTRIES) {
      const message = `a mapping has at most ${MOST_ENTRIES} lines and commas together; this one has ${entries}`;
      throw new MappingError(file, [{ line: 1, path: '', message }]);
    }
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
    const errors: MappingFault[] = document.errors.map((error) => ({
      line: lines.linePos(error.pos[0]).line,
      path: '',
      message: error.message.replace(/\s+/g, ' '),
    }));
    if (errors.length > 0) throw new MappingError(file, errors);
    const source: Source = { document, lines, errors };
    const result = read(new Cursor(source, document.contents, ''));
    if (errors.length > 0) throw new MappingError(file, errors);
    return result;
  }

  /** Adds an error at this position. */
  fail(message: string): undefined {
    if (this.#source.errors.length >= MOST_FAULTS) return undefined;
    this.#source.errors.push({ line: this.#line, path: this.path, message });
    return undefined;
  }

  get isText(): boolean {
    return isScalar(this.#node) && typeof this.#node.value === 'string';
  }

  get isList(): boolean {
    return isSeq(this.#node);
  }

  get isMap(): boolean {
    return isMap(this.#node);
  }

  /** The present value of a scalar, whatever its type; undefined (with an error) for anything else. */
  scalar(): string | number | boolean | null | undefined {
    const value = isScalar(this.#node) ? this.#node.value : undefined;
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      return value;
    }
    return this.fail('expected a single value');
  }

  text(): string | undefined {
    const value = isScalar(this.#node) ? this.#node.value : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
    return this.fail('expected a text (quote it if it looks like a number)');
  }

  /** A text that may be white space: what separates values. */
  separator(): string | undefined {
    const value = isScalar(this.#node) ? this.#node.value : undefined;
    if (typeof value === 'string' && value !== '') return value;
    return this.fail('expected a text in quotes');
  }

  flag(): boolean | undefined {
    const value = isScalar(this.#node) ? this.#node.value : undefined;
    return typeof value === 'boolean' ? value : this.fail('expected true or false');
  }

  whole(minimum: number, maximum: number): number | undefined {
    const value = isScalar(this.#node) ? this.#node.value : undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum) return value;
    return this.fail(`expected a whole number from ${minimum} to ${maximum}`);
  }

  /** One of the keys of `choices`. */
  choice<const K extends string>(choices: readonly K[]): K | undefined {
    const value = isScalar(this.#node) ? this.#node.value : undefined;
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
    return this.#node.items.map((pair) => {
      const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
      const path = this.path === '' ? key : `${this.path}.${key}`;
      const keyAt = (pair.key as Node | null)?.range?.[0];
      const line = keyAt === undefined ? this.#line : this.#source.lines.linePos(keyAt).line;
      const value = new Cursor(this.#source, pair.value, path, line);
      if (seen.has(key)) value.fail('Map keys must be unique');
      seen.add(key);
      return [key, value];
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
