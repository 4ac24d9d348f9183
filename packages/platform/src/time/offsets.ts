/** The offsets of a time zone, for statements: PostgreSQL knows fewer names of zones than Node does. */
import { Temporal } from 'temporal-polyfill';

/** Offsets of a zone from 1970 to 2100. */
export interface ZoneOffsets {
  /** Times at which the offset changes, in order. Epoch milliseconds. */
  readonly changes: readonly number[];
  /** Offset before the first change, then after each. Milliseconds to add to UTC. */
  readonly offsets: readonly number[];
}

const FROM = Date.UTC(1970, 0, 1);
const TO = Date.UTC(2100, 0, 1);
/** Bound of the remembered zones: there are some 600 names. */
const MAX_REMEMBERED = 1000;
const known = new Map<string, ZoneOffsets>();

/** Returns the offsets of a zone. @param zone a name that `zoneFor` accepts */
export function zoneOffsets(zone: string): ZoneOffsets {
  const found = known.get(zone);
  if (found) return found;
  let moment: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(FROM).toZonedDateTimeISO(zone);
  const changes: number[] = [];
  const offsets = [moment.offsetNanoseconds / 1e6];
  while (moment) {
    moment = moment.getTimeZoneTransition('next');
    if (!moment || moment.epochMilliseconds >= TO) break;
    changes.push(moment.epochMilliseconds);
    offsets.push(moment.offsetNanoseconds / 1e6);
  }
  const result = { changes, offsets };
  if (known.size < MAX_REMEMBERED) known.set(zone, result);
  return result;
}
