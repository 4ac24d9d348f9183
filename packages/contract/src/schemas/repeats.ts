/** Repeated items of lists that filter: they count once. */
import { type DeclaredName, declarations } from './declarations.ts';
import type { FieldSchema } from './fields.ts';
import { closure, referencedNames } from './input.ts';

/** Types whose bodies hold, at whatever depth, a list of which repeated items count once. */
const holders = new Map<DeclaredName, boolean>();

function holdsLists(name: DeclaredName): boolean {
  const known = holders.get(name);
  if (known !== undefined) return known;
  const found = [...closure([name])].some((type) =>
    Object.values<FieldSchema>(declarations[type].fields).some((schema) => schema['x-distinct']),
  );
  holders.set(name, found);
  return found;
}

/**
 * Leaves repeated items out of lists to filter by that are longer than their limit, so that the limit bounds the different
 * ones. A list with more of these keeps one item more than it may have; one that holds anything but numbers and texts stays as it is.
 * @param name type of the body
 * @param body before it is checked; its lists are replaced in place
 */
export function leaveOutRepeats(name: DeclaredName, body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !holdsLists(name)) return;
  const members = body as Record<string, unknown>;
  for (const [field, schema] of Object.entries<FieldSchema>(declarations[name].fields)) {
    const value = Object.hasOwn(members, field) ? members[field] : undefined;
    if (typeof value !== 'object' || value === null) continue;
    if (schema['x-distinct']) members[field] = distinct(value, schema.maxItems);
    else for (const type of referencedNames(schema)) leaveOutBelow(type, value, schema.maxItems);
  }
}

/** @param most elements of a list; a longer one is refused whatever it holds */
function leaveOutBelow(name: DeclaredName, value: object, most = 0): void {
  if (!Array.isArray(value)) leaveOutRepeats(name, value);
  else if (value.length <= most) for (const element of value) leaveOutRepeats(name, element);
}

function distinct(list: object, most: number | undefined): object {
  if (!Array.isArray(list) || most === undefined || list.length <= most) return list;
  const found = new Set<unknown>();
  for (const item of list) {
    if (typeof item === 'object' || typeof item === 'boolean') return list;
    found.add(item);
    if (found.size > most) break;
  }
  return [...found];
}
