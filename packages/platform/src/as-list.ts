/** Returns a list as it is, another value as a list of one, and an empty list for null and undefined. */
export function asList<T>(value: T | readonly T[] | null | undefined): readonly T[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value as T];
}
