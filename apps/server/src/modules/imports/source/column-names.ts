/** Names of the columns of a file. Pure. */

/** Returns the name of a column whose name occurred before: the second `Labels` is `Labels (2)`. */
export function repeatedName(name: string, number: number): string {
  return number === 1 ? name : `${name} (${number})`;
}

/**
 * Returns unique names of columns: columns without a name are named by their position, repeated
 * names are numbered: `Labels`, `Labels (2)`.
 */
export function columnNames(cells: readonly string[]): string[] {
  const given = cells.map((cell, index) => cell.trim() || `column ${index + 1}`);
  const all = new Set(given);
  const numbers = new Map<string, number>();
  return given.map((name) => {
    let number = numbers.get(name) ?? 0;
    do number += 1;
    while (number > 1 && all.has(repeatedName(name, number)));
    numbers.set(name, number);
    return repeatedName(name, number);
  });
}
