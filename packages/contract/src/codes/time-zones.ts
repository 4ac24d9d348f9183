/**
 * Published identifiers of time zones.
 *
 * The list was taken once from ICU (names as the IANA database prefers them) and is frozen: a zone's id is its position
 * plus one, so names may only be added at the end, never inserted, removed or sorted again. `olderNames` are names of zones
 * on the list which JavaScript engines still report.
 */
import zones from './time-zones.json' with { type: 'json' };

/** IANA names of the zones, in the order of their ids. */
export const timeZoneNames: readonly string[] = zones.names;

const idByName: ReadonlyMap<string, number> = new Map([
  ...timeZoneNames.map((name, index) => [name, index + 1] as const),
  ...Object.entries(zones.olderNames).map(([older, name]) => [older, timeZoneNames.indexOf(name) + 1] as const),
]);

/**
 * Published id of a time zone.
 * @param name IANA name such as `Europe/Rome`; older names of listed zones are understood
 * @returns the id, or undefined when the name is not on the list
 */
export function timeZoneId(name: string): number | undefined {
  return idByName.get(name);
}

/**
 * IANA name of a published id.
 * @returns the name, or undefined when there is no such id
 */
export function timeZoneName(id: number): string | undefined {
  return timeZoneNames[id - 1];
}
