import { Temporal } from 'temporal-polyfill';
import { TimeInputError } from './errors.ts';

interface Zone {
  /** IANA name in its usual spelling as the caller gave it (older names stay), or a fixed offset such as `+02:00`. */
  name: string;
}

/** Names that come in are remembered, misspelt ones not; the bound only guards against odd offsets in great number. */
const MAX_REMEMBERED = 2000;
const remembered = new Map<string, Zone>();

const allowed = 'an IANA name such as Europe/Rome or UTC, or a fixed offset such as +02:00';

function lookUp(given: string): Zone | null {
  const known = remembered.get(given);
  if (known) return known;
  // "Z" is how ISO writes the offset zero; the longest IANA name has 32 characters.
  const asked = given === 'Z' || given === 'z' ? 'UTC' : given;
  if (asked.length > 64 || !/^[A-Za-z0-9_+:/-]+$/.test(asked)) return null;
  let name: string;
  try {
    name = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(asked).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  const zone = { name };
  if (remembered.size < MAX_REMEMBERED) remembered.set(given, zone);
  return zone;
}

/**
 * A time zone by its IANA name, in any case; a fixed offset counts as a name.
 * Throws a {@link TimeInputError} `UNKNOWN_ZONE` that says what is allowed.
 */
export function zoneFor(zone: string): Zone {
  const found = lookUp(zone);
  if (!found) {
    throw new TimeInputError('UNKNOWN_ZONE', `unknown time zone ${JSON.stringify(zone.slice(0, 64))}`, allowed);
  }
  return found;
}
