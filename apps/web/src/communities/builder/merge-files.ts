/** Merges two edits of one community file. Pure. */
import type { CommunityFile } from '@portico/sdk';

/** A merged file, and the places that both edits changed differently, such as `fields.due.label`. */
export interface Merged {
  readonly file: CommunityFile;
  readonly conflicts: readonly string[];
}

type Json = unknown;
type Item = Readonly<Record<string, Json>>;

const isObject = (value: Json): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether two values of JSON are equal; the order of members does not count. */
export function equalJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => equalJson(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => equalJson(a[name], b[name]));
}

/** Returns the key of an item of a list: files identify screens, views and relations by name. */
function keyOf(item: Json): string | undefined {
  if (!isObject(item)) return undefined;
  const key = item['key'] ?? item['name'] ?? item['group'] ?? item['field'];
  return typeof key === 'string' ? key : undefined;
}

/** Returns the items of a list by key; undefined unless each has a key of its own. */
function byKey(list: Json): Map<string, Json> | undefined {
  if (list !== undefined && !Array.isArray(list)) return undefined;
  const items = (list ?? []) as readonly Json[];
  const keyed = new Map(items.map((item) => [keyOf(item) ?? '', item]));
  return keyed.size === items.length && !keyed.has('') ? keyed : undefined;
}

/** Merges values; notes places that both changed differently. */
class Merge {
  readonly conflicts: string[] = [];
  readonly #prefer: 'mine' | 'theirs';

  constructor(prefer: 'mine' | 'theirs') {
    this.#prefer = prefer;
  }

  value(base: Json, mine: Json, theirs: Json, path: string): Json {
    if (equalJson(mine, theirs) || equalJson(base, theirs)) return mine;
    if (equalJson(base, mine)) return theirs;
    if (isObject(mine) && isObject(theirs)) return this.#object(isObject(base) ? base : {}, mine, theirs, path);
    const [before, own, other] = [byKey(base), byKey(mine), byKey(theirs)];
    if (own && other && Array.isArray(mine) && Array.isArray(theirs))
      return this.#list(before ?? new Map<string, Json>(), own, other, path);
    this.conflicts.push(path);
    return this.#prefer === 'mine' ? mine : theirs;
  }

  #object(base: Item, mine: Item, theirs: Item, path: string): Item {
    const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
    const merged = [...names].map((name) => {
      const at = path === '' ? name : `${path}.${name}`;
      return [name, this.value(base[name], mine[name], theirs[name], at)] as const;
    });
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  }

  /** The order is the one that was changed; an item that one edit removed stays if the other changed it. */
  #list(
    base: ReadonlyMap<string, Json>,
    mine: ReadonlyMap<string, Json>,
    theirs: ReadonlyMap<string, Json>,
    path: string,
  ): readonly Json[] {
    const common = (keys: Iterable<string>, other: ReadonlyMap<string, Json>) =>
      [...keys].filter((key) => base.has(key) && other.has(key)).join('\n');
    const reordered = common(mine.keys(), mine) !== common(base.keys(), mine);
    const [first, second] = reordered ? [mine, theirs] : [theirs, mine];
    return inOrder([...first.keys()], [...second.keys()]).flatMap((key) => {
      const value = this.value(base.get(key), mine.get(key), theirs.get(key), `${path}.${key}`);
      return value === undefined ? [] : [value];
    });
  }
}

/** Returns the keys of both lists: the first in its order, further keys of the second after their neighbours there. */
function inOrder(first: readonly string[], second: readonly string[]): string[] {
  const keys = [...first];
  for (const [index, key] of second.entries()) {
    if (keys.includes(key)) continue;
    const before = second[index - 1];
    keys.splice(before === undefined ? 0 : keys.indexOf(before) + 1, 0, key);
  }
  return keys;
}

/**
 * Merges two edits of a file: changes of different places together.
 * @param base the file from which both began
 * @param prefer the edit that counts at places which both changed differently
 */
export function mergeFiles(
  base: CommunityFile,
  mine: CommunityFile,
  theirs: CommunityFile,
  prefer: 'mine' | 'theirs' = 'mine',
): Merged {
  const merge = new Merge(prefer);
  const file = merge.value(base, mine, theirs, '') as CommunityFile;
  return { file, conflicts: merge.conflicts };
}
