/** Names longer than this are compared by their beginning. */
const COMPARED = 40;

/** A name shorter than this is in many others by chance. */
const PART = 4;

/** The known name that comes closest to a wanted one. */
export interface Nearest {
  readonly name: string;
  /** False if the name has too little in common with the wanted one to be meant. */
  readonly alike: boolean;
}

/**
 * Returns the name that takes the fewest insertions, deletions and replacements of letters; a name
 * that contains the wanted one, or is contained in it, counts as two away at most. Case counts
 * least.
 * @returns undefined for an empty list
 */
export function nearestOf(name: string, known: readonly string[]): Nearest | undefined {
  const wanted = name.slice(0, COMPARED).toLowerCase();
  let best: { name: string; distance: number; edits: number } | undefined;
  for (const candidate of known) {
    const other = candidate.slice(0, COMPARED).toLowerCase();
    const edits = editDistance(wanted, other);
    const distance = isPart(wanted, other) || isPart(other, wanted) ? Math.min(edits, 2) : edits;
    if (!best || distance < best.distance || (distance === best.distance && edits < best.edits))
      best = { name: candidate, distance, edits };
  }
  return best && { name: best.name, alike: best.distance <= Math.max(2, wanted.length / 3) };
}

function isPart(part: string, whole: string): boolean {
  return part.length >= PART && whole.includes(part);
}

/** Levenshtein's distance: the fewest insertions, deletions and replacements of letters that make one text of the other. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/**
 * Returns a message about a name that does not exist.
 * @param where the place that lacks it, as subject of a sentence @param kind of the named thing
 */
export function unknownName(where: string, kind: string, name: string, known: readonly string[]): string {
  const nearest = nearestOf(name, known);
  const choice = nearest?.alike ? `; the nearest is ${JSON.stringify(nearest.name)}` : '';
  return `${where} has no ${kind} ${JSON.stringify(name)}${choice}.`;
}
