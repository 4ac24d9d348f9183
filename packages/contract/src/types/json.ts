/** Any JSON value: what `object` without a named type means in maps and lists (ruling 2). */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
