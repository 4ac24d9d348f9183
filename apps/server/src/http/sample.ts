/**
 * Takes a sample of an invalid body: enough to report all errors of a body written by hand, and a
 * small part of a body full of errors, of which a megabyte holds some hundred thousand.
 */

/** Elements of one list. */
const MOST_ELEMENTS = 100;
/** Keys of one object. */
const MOST_KEYS = 1_000;
/** Values of all kinds. */
const MOST_VALUES = 5_000;

/** Where a value is in a body. */
export type BodyPath = readonly (string | number)[];

/** A list of which the sample has only the beginning. */
interface CutList {
  readonly path: BodyPath;
  readonly length: number;
}

/** Copies the beginning of every list and object. */
export function sampleOf(body: unknown): { sample: unknown; cut: CutList[] } {
  const cut: CutList[] = [];
  let left = MOST_VALUES;
  const copy = (value: unknown, path: BodyPath): unknown => {
    left--;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const taken = value.slice(0, Math.max(0, Math.min(MOST_ELEMENTS, left)));
      if (taken.length < value.length) cut.push({ path, length: value.length });
      return taken.map((element, index) => copy(element, [...path, index]));
    }
    const entries: [string, unknown][] = [];
    for (const key of Object.keys(value)) {
      if (entries.length >= MOST_KEYS || left <= 0) break;
      entries.push([key, copy((value as Record<string, unknown>)[key], [...path, key])]);
    }
    return Object.fromEntries(entries);
  };
  return { sample: copy(body, []), cut };
}
