/** Finds objects by label, external id or number, and the nearest names if there is no match. */
import { UnknownNameError } from './errors.ts';

/** An object with a number, a label and perhaps an external id. */
export interface Named {
  id?: number | undefined;
  label?: string | undefined;
  externalId?: string | undefined;
  deleted?: boolean | undefined;
}

/** Normalises text for comparison: case, accents and the amount of white space do not count. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}

/**
 * Finds by number (also as a text of digits), exact label, external id, then label without case and
 * accents. Objects in use take precedence over deleted ones.
 * @returns undefined if there is no match, or more than one
 */
export function findNamed<T extends Named>(list: readonly T[], given: string | number): T | undefined {
  const text = String(given);
  if (/^-?\d+$/.test(text)) {
    const byId = list.find((item) => item.id === Number(text));
    if (byId) return byId;
  }
  const tests: ((item: T) => boolean)[] = [
    (item) => item.label === text,
    (item) => item.externalId !== undefined && item.externalId !== '' && item.externalId === text,
    (item) => item.label !== undefined && fold(item.label) === fold(text),
  ];
  for (const matches of tests) {
    const found = list.filter(matches);
    const inUse = found.filter((item) => item.deleted !== true);
    if (inUse.length === 1) return inUse[0];
    if (inUse.length === 0 && found.length === 1) return found[0];
  }
  return undefined;
}

/** As {@link findNamed}. @throws UnknownNameError with the nearest names */
export function requireNamed<T extends Named>(kind: string, list: readonly T[], given: string | number): T {
  const found = findNamed(list, given);
  if (found) return found;
  const candidates = list.filter((item) => item.deleted !== true);
  const alike = candidates.filter((item) => item.label !== undefined && fold(item.label) === fold(String(given)));
  if (alike.length > 1) {
    throw new UnknownNameError(
      `single ${kind}`,
      String(given),
      alike.map((item) => String(item.id)),
    );
  }
  throw unknownName(kind, candidates, given);
}

/** The error for a name without a match. */
export function unknownName(kind: string, list: readonly Named[], given: string | number): UnknownNameError {
  const known = list
    .filter((item) => item.deleted !== true)
    .map(({ label, externalId }) => label || externalId)
    .filter((name): name is string => name !== undefined && name !== '');
  return new UnknownNameError(kind, String(given), nearest(list, String(given)), known);
}

const SUGGESTIONS = 3;

/** The names nearest to the given one, nearest first. */
export function nearest(list: readonly Named[], given: string): string[] {
  const wanted = fold(given);
  const scored: { name: string; distance: number }[] = [];
  for (const { label, externalId } of list) {
    const names = [label, externalId].filter((name): name is string => name !== undefined && name !== '');
    const distances = names.map((name) => score(wanted, fold(name)));
    const name = names[0];
    if (name !== undefined) scored.push({ name, distance: Math.min(...distances) });
  }
  const sorted = scored.sort((a, b) => a.distance - b.distance);
  const best = sorted[0]?.distance ?? 0;
  return sorted
    .filter(({ distance }) => distance <= Math.max(2, Math.ceil(wanted.length / 2)) && distance <= best + 2)
    .slice(0, SUGGESTIONS)
    .map(({ name }) => name);
}

function score(wanted: string, name: string): number {
  // A name that contains the given text is nearer than the difference in length suggests.
  if (wanted.length >= 3 && name.includes(wanted)) return 1;
  return editDistance(wanted, name);
}

/** Number of letters to add, remove, replace or swap with their neighbour. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replace);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
