/** Clock, zones and dates as the interface writes and reads them. */
export { systemClock } from './clock.ts';
export { parseDateInput } from './date-input.ts';
export { TimeInputError } from './errors.ts';
export { type ZoneOffsets, zoneOffsets } from './offsets.ts';
export {
  clampedDate,
  formatZoned,
  isRepeated,
  type ResolvedZoned,
  resolveZoned,
} from './zoned.ts';
export { zoneFor } from './zones.ts';
