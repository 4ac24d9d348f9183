/** Objects whose texts are read at once. */

/** Divides objects into portions that have a size together at most, or one object. */
export function* portionsOf<T extends { readonly size: number }>(objects: readonly T[], most: number): Generator<T[]> {
  let portion: T[] = [];
  let total = 0;
  for (const one of objects) {
    if (portion.length > 0 && total + one.size > most) {
      yield portion;
      portion = [];
      total = 0;
    }
    portion.push(one);
    total += one.size;
  }
  if (portion.length > 0) yield portion;
}
