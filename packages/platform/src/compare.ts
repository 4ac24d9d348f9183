/**
 * Compares two values in ascending order, for `sort`: texts by their UTF-16 units.
 * @returns a negative number, 0 or a positive number
 */
export function compare<T extends string | number | bigint>(a: T, b: T): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
