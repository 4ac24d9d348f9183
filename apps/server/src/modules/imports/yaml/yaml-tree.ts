/** YAML as plain values with their lines, which pass between threads. Pure. */
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

/** A value of a document. Aliases are the object that they stand for. */
export type YamlNode =
  | { readonly kind: 'scalar'; readonly line: number | undefined; readonly value: unknown }
  | { readonly kind: 'list'; readonly line: number | undefined; readonly items: readonly (YamlNode | null)[] }
  | { readonly kind: 'map'; readonly line: number | undefined; readonly pairs: readonly YamlPair[] };

interface YamlPair {
  /** Undefined where the key is no single value. */
  readonly key: string | undefined;
  readonly line: number | undefined;
  readonly value: YamlNode | null;
}

/** Document or its error. */
export type YamlTree = { readonly root: YamlNode | null } | { readonly faults: readonly YamlFault[] };

/** A fault of the text. @property line of the file, from 1 */
export interface YamlFault {
  readonly line: number;
  readonly message: string;
}

/** Maximum nesting of lists and maps. Far deeper nesting overflows the parser's stack. */
const MOST_LEVELS = 64;

/** @param mostFaults maximum of returned faults */
export function parseTree(text: string, mostFaults: number): YamlTree {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  if (isTooDeep(document)) {
    const message = `lists and maps of a mapping stand at most ${MOST_LEVELS} levels deep in one another; these go deeper`;
    return { faults: [{ line: 1, message }] };
  }
  if (document.errors.length === 0) return { root: convert(document, lines) };
  return {
    faults: document.errors.slice(0, mostFaults).map((error) => ({
      line: lines.linePos(error.pos[0]).line,
      message: error.message.replace(/\s+/g, ' '),
    })),
  };
}

/** Returns whether lists and maps are nested too deeply. */
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

/** Finds the node of each alias in one pass: the last one before it that had its name. */
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

function convert(document: Document, lines: LineCounter): YamlNode | null {
  const aliases = aliasesOf(document);
  const converted = new Map<Node, YamlNode>();
  const lineOf = (node: unknown) => {
    const at = (node as Node | null | undefined)?.range?.[0];
    return at === undefined ? undefined : lines.linePos(at).line;
  };
  const convertNode = (given: unknown): YamlNode | null => {
    const node = (isAlias(given) ? aliases.get(given) : given) as Node | null | undefined;
    if (!node) return null;
    const known = converted.get(node);
    if (known) return known;
    const line = lineOf(node);
    if (isSeq(node)) {
      const items: (YamlNode | null)[] = [];
      // Noted before its items are read: an alias of it may be among them.
      const list: YamlNode = { kind: 'list', line, items };
      converted.set(node, list);
      for (const item of node.items) items.push(convertNode(item));
      return list;
    }
    if (isMap(node)) {
      const pairs: YamlPair[] = [];
      const map: YamlNode = { kind: 'map', line, pairs };
      converted.set(node, map);
      for (const { key, value } of node.items) {
        // The text of a list or map may be many times as long as the document.
        const name = isScalar(key) ? String(key.value) : undefined;
        pairs.push({ key: name, line: lineOf(key), value: convertNode(value) });
      }
      return map;
    }
    const scalar: YamlNode = { kind: 'scalar', line, value: isScalar(node) ? plain(node.value) : undefined };
    converted.set(node, scalar);
    return scalar;
  };
  return convertNode(document.contents);
}

/** A value that JSON has. */
function plain(value: unknown): unknown {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value) ? value : undefined;
}
