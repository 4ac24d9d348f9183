/** Names longer than this are compared by their beginning. */
const COMPARED = 40;

/**
 * The one of some names that takes the fewest insertions, deletions and replacements of letters to make another of;
 * case counts least.
 * @returns undefined when there are none
 */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, COMPARED).toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.slice(0, COMPARED).toLowerCase());
    if (!best || distance < best.distance) best = { name: candidate, distance };
  }
  return best?.name;
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
